// The board of kalah: pits, stores and the seeds that are sown. Where the seeds go is read off the
// positions before and after; the board only shows the way there, hollow by hollow.
import { moving, pill, svg } from "./dom.js";
import { sideName } from "./words.js";

const PITCH = 66;
const PIT = 28;
const STORE = [28, 64];
const SEED = 6;
const STEP = 130;
const SIDES = ["first", "second"];

export class Pits {
  /** @param {import("./board.js").Board} board @param {any} position */
  constructor(board, position) {
    this.board = board;
    this.pits = position.sizes.pits;
    this.width = (this.pits + 2) * PITCH + 20;
    this.height = 204;
    /** @type {Record<string, SVGElement>} */ this.layers = {};
    for (const name of ["back", "hits", "seeds", "flying", "marks"]) this.layers[name] = svg("g", { class: name });
    const gradient = (/** @type {string} */ id) => svg("linearGradient", { id, x2: 0.1, y2: 1 },
      svg("stop", { class: `${id}-top` }), svg("stop", { offset: 1, class: `${id}-bottom` }));
    const hollow = svg("radialGradient", { id: "hollow", cy: 0.6, r: 0.62 },
      svg("stop", { "stop-color": "#7a4519" }), svg("stop", { offset: 0.7, "stop-color": "#663712" }), svg("stop", { offset: 1, "stop-color": "#43210a" }));
    this.svg = svg("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "group", "aria-label": `Kalah board, ${this.pits} pits a side` },
      svg("defs", {}, gradient("plank"), hollow), ...Object.values(this.layers));
    this.svg.style.aspectRatio = `${this.width} / ${this.height}`;
    this.svg.style.minWidth = `${(this.pits + 2) * 40}px`;
    this.root = document.createElement("div");
    this.root.className = "frame kalah";
    this.root.append(this.svg);
    /** @type {Map<string, SVGElement>} */ this.hits = new Map();
    /** @type {number[][]} */ this.counts = [];
    this.run = 0;
    this.#draw();
    this.focused = `0,0`;
  }

  /** @param {number[]} hollow side and place; the last place is the store */
  center([side, place]) {
    const column = place === this.pits ? (side ? 0 : this.pits + 1) : side ? this.pits - place : place + 1;
    const y = place === this.pits ? this.height / 2 : side ? 68 : 136;
    return { x: 10 + (column + 0.5) * PITCH, y };
  }

  /** Every hollow in the order in which seeds pass, from first's leftmost pit. */
  get ring() {
    return SIDES.flatMap((_, side) => Array.from({ length: this.pits + 1 }, (_, place) => [side, place]));
  }

  #draw() {
    const { back, hits } = this.layers;
    back.append(svg("rect", { width: this.width, height: this.height, rx: 26, class: "panel" }));
    for (const [side, place] of this.ring) {
      const { x, y } = this.center([side, place]);
      if (place === this.pits) {
        const [w, h] = STORE;
        back.append(svg("rect", { x: x - w, y: y - h, width: 2 * w, height: 2 * h, rx: w, class: `hollow ${SIDES[side]}` }));
        continue;
      }
      back.append(svg("circle", { cx: x, cy: y, r: PIT, class: `hollow ${SIDES[side]}` }));
      back.append(svg("text", { x, y: side ? 26 : 187, class: "label" }, String(place + 1)));
      const key = `${side},${place}`;
      const hit = svg("circle", { cx: x, cy: y, r: PIT + 3, class: "hit", role: "button", tabindex: -1, "data-cell": key });
      this.hits.set(key, hit);
      hits.append(hit);
    }
    hits.addEventListener("click", (event) => {
      const key = /** @type {any} */ (event.target).dataset.cell;
      if (key) this.board.play(this.board.targets.get(key));
    });
    hits.addEventListener("focusin", (event) => this.#focus(/** @type {any} */ (event.target).dataset.cell));
    hits.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /** @param {string} key */
  #focus(key) {
    this.hits.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = key;
    this.hits.get(key)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [side, place] = this.focused.split(",").map(Number);
    const right = side ? -1 : 1;
    /** @type {Record<string, number[]>} */
    const goals = { ArrowLeft: [side, place - right], ArrowRight: [side, place + right],
      ArrowUp: [1, side ? place : this.pits - 1 - place], ArrowDown: [0, side ? this.pits - 1 - place : place] };
    if (event.key === "Enter" || event.key === " ") this.board.play(this.board.targets.get(this.focused));
    else if (event.key in goals) /** @type {any} */ (this.hits.get(goals[event.key].join()))?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {any} position @param {any} before @param {boolean} animate */
  async show(position, before, animate) {
    const run = ++this.run;  // a later position ends the sowing of this one
    this.layers.flying.replaceChildren();
    this.#label(position);
    if (animate && moving() && position.last && before) {
      this.#place(before.cells.map((/** @type {number[]} */ row) => [...row]));
      await this.#sow(before.cells, position, run);
      if (run !== this.run) return;
    }
    this.#place(position.cells.map((/** @type {number[]} */ row) => [...row]));
  }

  /**
   * Who gives to whom, in order: the sown pit to the hollows behind it that have gained, then what
   * else has changed hands.
   * @param {number[][]} before @param {any} position
   */
  #flights(before, position) {
    const ring = this.ring;
    const count = (/** @type {number[][]} */ cells) => ring.map(([side, place]) => cells[side][place]);
    const [old, now] = [count(before), count(position.cells)];
    const gains = now.map((value, index) => value - old[index]);
    const from = ring.findIndex((hollow) => hollow.join() === position.last.join());
    const flights = [];
    let left = -gains[from];
    gains[from] = 0;
    for (let at = from + 1; left > 0 && gains.some((gain) => gain > 0); at++) {
      const to = at % ring.length;
      if (gains[to] <= 0) continue;
      flights.push([from, to]);
      gains[to]--;
      left--;
    }
    for (const to of ring.keys()) {
      for (const giver of ring.keys()) {
        while (gains[to] > 0 && gains[giver] < 0) {
          flights.push([giver, to]);
          gains[to]--;
          gains[giver]++;
        }
      }
    }
    return flights.map(([giver, to]) => [ring[giver], ring[to]]);
  }

  /** @param {number[][]} before @param {any} position @param {number} run */
  async #sow(before, position, run) {
    const flights = this.#flights(before, position);
    const step = Math.min(STEP, 2400 / Math.max(flights.length, 1));
    /** @type {Promise<unknown>[]} */ const landings = [];
    for (const [from, to] of flights) {
      if (run !== this.run) return;
      this.#change(from, -1);
      landings.push(this.#fly(from, to, landings.length).then(() => run === this.run && this.#change(to, 1)));
      await new Promise((done) => setTimeout(done, step));
    }
    await Promise.all(landings);
  }

  /** @param {number[]} from @param {number[]} to @param {number} index */
  async #fly(from, to, index) {
    const [begin, end] = [this.center(from), this.center(to)];
    const seed = svg("circle", { r: SEED, class: `seed seed-${index % 4}` });
    this.layers.flying.append(seed);
    const place = (/** @type {{x: number, y: number}} */ at, lift = 0) => ({ transform: `translate(${at.x}px, ${at.y - lift}px)` });
    const middle = { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
    await seed.animate([place(begin), place(middle, 18), place(end)], { duration: 260, easing: "ease-in-out" }).finished;
    seed.remove();
  }

  /** @param {number[]} hollow @param {number} by */
  #change([side, place], by) {
    this.counts[side][place] += by;
    this.#fill(side, place);
  }

  /** @param {number[][]} counts */
  #place(counts) {
    this.counts = counts;
    if (!this.layers.seeds.childElementCount) {
      for (const [side, place] of this.ring) this.layers.seeds.append(svg("g", { "data-hollow": `${side},${place}` }));
    }
    for (const [side, place] of this.ring) this.#fill(side, place);
  }

  /** Seeds laid like those of a sunflower: even for any number. @param {number} side @param {number} place */
  #fill(side, place) {
    const count = this.counts[side][place];
    const { x, y } = this.center([side, place]);
    const store = place === this.pits;
    const [halfWidth, halfHeight] = store ? STORE : [PIT, PIT];
    const radius = Math.min(SEED, 0.72 * Math.sqrt((halfWidth * halfHeight) / Math.max(count, 1)));
    const [wide, high] = [halfWidth - radius - 2, halfHeight - radius - 2];
    const spread = Math.min(1, 1.25 * radius * Math.sqrt(count / (wide * high)));
    const seeds = [];
    for (let index = 0; index < count; index++) {
      const distance = spread * Math.sqrt((index + 0.5) / count);
      const angle = index * Math.PI * (3 - Math.sqrt(5));
      seeds.push(svg("circle", {
        cx: x + wide * distance * Math.cos(angle), cy: y + high * distance * Math.sin(angle),
        r: radius, class: `seed seed-${index % 4}`,
      }));
    }
    const badge = store ? pill(x, y + STORE[1] - 2, String(count), "count") : pill(x + PIT * 0.75, y + PIT * 0.75, String(count), "count");
    this.layers.seeds.querySelector(`[data-hollow="${side},${place}"]`)?.replaceChildren(...seeds, badge);
  }

  /** @param {any} position */
  #label(position) {
    for (const [key, hit] of this.hits) {
      const [side, place] = key.split(",").map(Number);
      const count = position.cells[side][place];
      hit.setAttribute("aria-label", `${sideName(position, SIDES[side])}, pit ${place + 1}: ${count} ${count === 1 ? "seed" : "seeds"}`);
    }
    const [first, second] = [position.cells[0][this.pits], position.cells[1][this.pits]];
    this.svg.setAttribute("aria-label", `Kalah board; stores: bottom ${first}, top ${second}`);
  }

  /** @param {any} position @param {import("./board.js").Marks} marks */
  mark(position, { scores = {}, line = [], hint = null }) {
    const drawn = [];
    const at = (/** @type {number[]} */ cell) => this.center(cell);
    if (position.last) drawn.push(svg("circle", { ...circle(at(position.last)), r: PIT + 1, class: "last" }));
    /** @type {Record<string, string[]>} */ const numbers = {};
    line.forEach(({ cell }, index) => cell && (numbers[cell.join()] ??= []).push(String(index + 1)));
    for (const [key, found] of Object.entries(numbers)) {
      const cell = key.split(",").map(Number);
      const { x, y } = at(cell);
      drawn.push(pill(x - PIT * 0.8, y - PIT * 0.8, found.slice(0, 3).join("·"), `step ${SIDES[cell[0]]}`));
    }
    for (const { move, cell } of position.legal) {
      if (!cell) continue;
      const { x, y } = at(cell);
      if (scores[move]) drawn.push(pill(x, y - 3, scores[move].text, scores[move].look));
      if (move === hint) drawn.push(svg("circle", { ...circle({ x, y }), r: PIT + 3, class: "hinted" }));
    }
    this.layers.marks.replaceChildren(...drawn);
    const targets = this.board.targets;
    for (const [key, hit] of this.hits) {
      const move = targets.get(key);
      hit.classList.toggle("legal", move !== undefined);
      hit.setAttribute("aria-disabled", String(move === undefined));
      const words = move !== undefined && scores[move]?.words;
      if (words) hit.setAttribute("aria-description", words);
      else hit.removeAttribute("aria-description");
    }
    this.hits.get(this.focused)?.setAttribute("tabindex", "0");
  }
}

/** @param {{x: number, y: number}} at */
const circle = ({ x, y }) => ({ cx: x, cy: y });
