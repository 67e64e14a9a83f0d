// The board of kalah: pits, stores and the seeds that are sown; which seed goes where, says the server.
import { moving, pill, svg } from "./dom.js";
import { cellOf, Drawing, SIDES } from "./drawing.js";

const PITCH = 66;
const PIT = 28;
const STORE = [28, 64];
const SEED = 6;
const STEP = 130;  // milliseconds between two seeds
const LONGEST = 2400;

export class Pits extends Drawing {
  constructor(board, position) {
    const { pits } = position.sizes;
    super(board, "kalah", (pits + 2) * PITCH + 20, 204, "back hits rings seeds flying marks");
    this.pits = pits;
    this.svg.style.minWidth = `${(pits + 2) * 40}px`;
    /** @type {number[][]} */ this.counts = [];
    this.run = 0;
    this.#draw();
    this.focused = "0,0";
    this.renew();
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
    const { back, seeds } = this.layers;
    back.append(svg("rect", { width: this.width, height: this.height, rx: 26, class: "panel" }));
    for (const [side, place] of this.ring) {
      seeds.append(svg("g"));
      const hollow = this.#hollow([side, place], 0);
      hollow.classList.add("hollow", SIDES[side]);
      back.append(hollow);
      const { x } = this.center([side, place]);
      if (place < this.pits) back.append(svg("text", { x, y: side ? 26 : 187, class: "label" }, String(place + 1)));
    }
  }

  /** Half of how wide and high a hollow is. */
  #halves(place) { return place === this.pits ? STORE : [PIT, PIT]; }

  /** @param {number[]} hollow @param {number} more wider by so much */
  #hollow([side, place], more) {
    const { x, y } = this.center([side, place]);
    const [w, h] = this.#halves(place).map((half) => half + more);
    return svg("rect", { x: x - w, y: y - h, width: 2 * w, height: 2 * h, rx: w });
  }

  /** Pits; seeds are put into stores only where a position is arranged. */
  keys() { return this.ring.filter(([, place]) => place < this.pits || this.board.editing).map(String); }
  shape(key) { return this.keys().includes(key) ? this.#hollow(cellOf(key), 3) : null; }

  words(key) {
    const { position } = this.board;
    const [side, place] = cellOf(key);
    const count = position.cells[side][place];
    return `${position.sides[SIDES[side]]}, ${place < this.pits ? `pit ${place + 1}` : "store"}: ${count} ${count === 1 ? "seed" : "seeds"}`;
  }

  next(key, arrow) {
    const [side, place] = cellOf(key);
    const right = side ? -1 : 1;
    return { ArrowLeft: `${side},${place - right}`, ArrowRight: `${side},${place + right}`,
      ArrowUp: `1,${side ? place : this.pits - 1 - place}`, ArrowDown: `0,${side ? this.pits - 1 - place : place}` }[arrow];
  }

  /** The pit that was chosen, until the server says where its seeds went. */
  preview(cell) {
    this.unmark();
    this.hits.get(cell.join())?.classList.add("pressed");
  }

  async show(position, before, animate) {
    const run = ++this.run;  // a later position ends the sowing of this one
    this.layers.flying.replaceChildren();
    for (const hit of this.hits.values()) hit.classList.remove("pressed");
    const [first, second] = position.cells.map((row) => row[this.pits]);
    this.svg.ariaLabel = `Kalah board; stores: ${position.sides.first} ${first}, ${position.sides.second} ${second}`;
    if (animate && moving() && position.flights) {
      this.#place(before.cells);
      const step = Math.min(STEP, LONGEST / position.flights.length);
      await Promise.all(position.flights.map(async ([from, to], index) => {
        await new Promise((done) => setTimeout(done, index * step));
        if (run === this.run) await this.#fly(from, to, index);
        if (run === this.run) this.#change(to, 1);
      }));
      if (run !== this.run) return;
    }
    this.#place(position.cells);
  }

  async #fly(from, to, index) {
    this.#change(from, -1);
    const begin = this.center(from), end = this.center(to), top = { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 - 18 };
    const seed = svg("circle", { r: SEED, class: `seed seed-${index % 4}` });
    this.layers.flying.append(seed);
    const way = [begin, top, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    await seed.animate(way, { duration: 260, easing: "ease-in-out" }).finished;
    seed.remove();
  }

  #change([side, place], by) {
    this.counts[side][place] += by;
    this.#fill(side, place);
  }

  #place(cells) {
    this.counts = cells.map((row) => [...row]);
    for (const [side, place] of this.ring) this.#fill(side, place);
  }

  /** Seeds laid like those of a sunflower: even for any number. */
  #fill(side, place) {
    const count = this.counts[side][place];
    const { x, y } = this.center([side, place]);
    const store = place === this.pits;
    const [halfWidth, halfHeight] = this.#halves(place);
    const radius = Math.min(SEED, 0.72 * Math.sqrt((halfWidth * halfHeight) / Math.max(count, 1)));
    const [wide, high] = [halfWidth - radius - 2, halfHeight - radius - 2];
    const spread = Math.min(1, 1.25 * radius * Math.sqrt(count / (wide * high)));
    const seeds = Array.from({ length: count }, (_, index) => {
      const distance = spread * Math.sqrt((index + 0.5) / count);
      const angle = index * Math.PI * (3 - Math.sqrt(5));
      return svg("circle", { cx: x + wide * distance * Math.cos(angle), cy: y + high * distance * Math.sin(angle), r: radius, class: `seed seed-${index % 4}` });
    });
    this.layers.seeds.children[side * (this.pits + 1) + place].replaceChildren(...seeds,
      pill({ x, y }, store ? 0 : PIT * 0.75, store ? STORE[1] - 2 : PIT * 0.75, String(count), "count"));
  }

  /** A pit may be sown more than once in a line: all its numbers stand at its corner. */
  drawLine(line, scored) {
    const numbers = new Map();
    line.forEach(({ cell }, index) => cell && numbers.set(String(cell), [...(numbers.get(String(cell)) ?? []), index + 1]));
    return [
      ...[...numbers].map(([key, found]) => pill(this.center(cellOf(key)), -PIT * 0.8, -PIT * 0.8, found.slice(0, 3).join("·"), `step ${SIDES[cellOf(key)[0]]}`)),
      ...scored.map(({ cell, text, look }) => pill(this.center(cell), 0, -3, text, look)),
    ];
  }
}
