// Boards of pits and stores, and the sowing of seeds; the server says which seed goes where.
import { moving, pill, svg } from "./dom.js";
import { cellOf, Drawing, SIDES } from "./drawing.js";

const STEP = 130;  // milliseconds between two seeds
const LONGEST = 2400;

export class Pits extends Drawing {
  constructor(board, position) {
    super(board, position, "back under hits rings seeds flying marks");
    this.pits = this.plan.hollows[0].length - 1;
    this.svg.style.minWidth = `${(this.pits + 2) * 40}px`;
    this.counts = [];
    this.run = 0;
    this.layers.seeds.append(...this.ring.map(() => svg("g")));
    this.focused = this.turned ? "1,0" : "0,0";
    if (this.turned) this.root.classList.add("turned");
    this.renew();
  }

  /** @param {number[]} hollow side and place; the last place is the store */
  center([side, place]) {
    const hollow = this.plan.hollows[side][place], { width, height } = this.plan;
    return this.turned ? { ...hollow, x: width - hollow.x, y: height - hollow.y } : hollow;
  }

  /** Every pit and store in sowing order, from first's leftmost pit. */
  get ring() { return this.plan.hollows.flatMap((row, side) => row.map((_, place) => [side, place])); }

  /** Pits; only the position editor puts seeds into stores. */
  keys() { return this.ring.filter(([, place]) => place < this.pits || this.board.editing).map(String); }
  shape(key) {
    const { x, y, half_width, half_height } = this.center(cellOf(key)), wide = half_width + 3, high = half_height + 3;
    return svg("rect", { x: x - wide, y: y - high, width: 2 * wide, height: 2 * high, rx: wide });
  }

  name(key) {
    const [side, place] = cellOf(key);
    return `${this.board.position.sides[SIDES[side]]}, ${place < this.pits ? `pit ${place + 1}` : "store"}`;
  }

  words(key) {
    const [side, place] = cellOf(key), count = this.board.position.cells[side][place];
    return `${this.name(key)}: ${count} ${count === 1 ? "seed" : "seeds"}`;
  }

  /** The chosen pit, until the server says where its seeds went. */
  preview([pit], side, animate) {
    this.unmark();
    this.hits.get(String(pit))?.classList.add("pressed");
  }

  async show(position, before, animate) {
    const run = ++this.run;  // a later position ends the sowing of this one
    this.layers.flying.replaceChildren();
    for (const hit of this.hits.values()) hit.classList.remove("pressed");
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
    const seed = svg("g", {}, this.#seed(0, 0, index));
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

  #seed(x, y, index) { return svg("use", { class: "seed", href: `#mossa-seed-${index % 4}`, transform: `translate(${x} ${y}) scale(${this.plan.seed})` }); }

  /** Seeds shrink only if they would not fit. */
  #fill(side, place) {
    const count = this.counts[side][place], middle = this.center([side, place]), { stretch } = middle;
    const seeds = this.plan.seeds.slice(0, count).map(([x, y], index) => this.#seed(x * stretch, y / stretch, index));
    this.layers.seeds.children[side * (this.pits + 1) + place].replaceChildren(
      svg("g", { transform: `${this.at([side, place])} scale(${Math.min(1, Math.sqrt(middle.room / count))})` }, ...seeds),
      pill(middle, ...middle.badge, String(count), "count"));
  }
}
