// What the boards of all games share: a frame, places to click and to walk along by keys, what they
// say to those who listen.
import { html, svg } from "./dom.js";

export const SIDES = ["first", "second"];
const MOST_SCORES = 400;
const EAGER = 400;  // on larger boards a place comes into being when somebody goes there

/** What a game looks like; mnk has two looks, by its size. */
export const look = (position) => (position.kind === "mnk" ? (position.letters ? "letters" : "stones") : position.kind);

/** The cell that a key such as "3,4" stands for. @param {string} key */
export const cellOf = (key) => key.split(",").map(Number);

export class Drawing {
  hits = new Map();
  /** @type {Record<string, any>} */ layers = {};
  /** @type {import("./board.js").Marks} */ marks = {};
  /** @type {import("./zoom.js").Zoom | null} */ zoom = null;
  focused = "";

  /** @param {import("./board.js").Board} board */
  constructor(board, look, width, height, layers) {
    this.board = board;
    this.width = width;
    this.height = height;
    for (const name of layers.split(" ")) this.layers[name] = svg("g", { class: name });
    this.svg = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", tabindex: -1 }, ...Object.values(this.layers));
    this.root = html("div", { className: `frame ${look}` }, this.svg);
    this.root.style.setProperty("--aspect", String(width / height));
    this.svg.onclick = (event) => this.#press(this.keyAt(event));
    // Who points needs no focus on a cell: the arrow keys stay with the page.
    this.svg.onmousedown = (event) => {
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
    };
    this.svg.onkeydown = (event) => this.#key(event);
    this.svg.addEventListener("focusin", (event) => this.focus(event.target.dataset.cell));
  }

  // What a kind of board adds: all its places, the middle and the shape of one, what is there, where an
  // arrow key leads, which move is meant by it, and how a line of moves and their scores are drawn.
  /** @returns {string[]} */ keys() { return []; }
  center(cell) { return { x: 0, y: 0 }; }
  /** @returns {any} */ shape(key) { return null; }
  words(key) { return key; }
  /** @returns {string | undefined} */ next(key, arrow) { return undefined; }
  moveAt(key) { return this.board.targets.get(key); }
  keyAt(event) { return event.target.dataset.cell; }
  /** @returns {any[]} */ drawLine(line, scored) { return []; }

  at(cell) {
    const { x, y } = this.center(cell);
    return `translate(${x} ${y})`;
  }

  /** Begin with the places anew. */
  renew() {
    this.hits.clear();
    this.layers.hits.replaceChildren();
    const keys = this.keys();
    if (!keys.includes(this.focused)) this.focused = keys[keys.length >> 1];
    for (const key of keys.length > EAGER ? [this.focused] : keys) this.hit(key);
    this.focus(this.focused);
  }

  /** The place of a cell. */
  hit(key) {
    const old = this.hits.get(key);
    const hit = old ?? this.shape(key);
    if (old || !hit) return hit;
    hit.classList.add("hit");
    hit.role = "button";
    hit.tabIndex = -1;
    hit.dataset.cell = key;
    this.hits.set(key, hit);
    this.layers.hits.append(hit);
    this.#dress(key, hit);
    return hit;
  }

  focus(key) {
    if (!key) return;
    const old = this.hits.get(this.focused), hit = this.hit(key);
    if (old) old.tabIndex = -1;
    if (hit) hit.tabIndex = 0;
    this.focused = key;
  }

  #press(key) {
    if (!key) return;
    if (this.board.editing) this.board.dispatchEvent(new CustomEvent("edit", { detail: cellOf(key) }));
    else this.board.play(this.moveAt(key));
  }

  #key(event) {
    if (event.target === this.svg) return;
    const to = this.next(this.focused, event.key);
    if (event.key === "Enter" || event.key === " ") this.#press(this.focused);
    else if (to) this.hit(to)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** How large a ring is, says the style sheet. @param {import("./board.js").Marks} marks */
  mark(position, marks) {
    const { scores = {}, line = [], hint } = this.marks = marks;
    const cells = new Map(position.legal.map((one) => [one.move, one.cell]));
    const ring = (cell, look) => (cell ? [svg("circle", { class: look, transform: this.at(cell) })] : []);
    this.layers.rings.replaceChildren(...ring(position.last, "last"), ...position.winning.flatMap((cell) => ring(cell, "winning")), ...ring(cells.get(hint), "hinted"));
    const scored = Object.entries(scores).map(([move, score]) => ({ ...score, cell: cells.get(move) }));
    const seen = scored.filter(({ text, cell }) => text && cell && this.zoom?.sees(this.center(cell)) !== false);
    this.layers.marks.replaceChildren(...this.drawLine(line, seen.slice(0, MOST_SCORES)));
    this.dress();
  }

  /** A move that was chosen leaves no marks. */
  unmark() {
    this.layers.marks.replaceChildren();
    this.layers.rings.replaceChildren();
  }

  /** Say of every place what is there and what can be done. */
  dress() {
    for (const [key, hit] of this.hits) this.#dress(key, hit);
  }

  #dress(key, hit) {
    if (!this.board.position) return;
    const move = this.moveAt(key);
    const can = Boolean(move) || this.board.editing;
    hit.classList.toggle("legal", can);
    hit.ariaLabel = this.words(key);
    hit.ariaDisabled = !can;
    hit.ariaDescription = (move && this.marks.scores?.[move]?.words) || null;
  }
}
