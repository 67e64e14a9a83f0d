// What the boards of all games share: a frame, places to click and to reach by keys, and what a
// screen reader says about them.
import { html, pill, svg } from "./dom.js";

export const SIDES = ["first", "second"];
const MOST_SCORES = 400;
const ARROWS = 5;  // moves of a line that are drawn as arrows; more would hide the board
const EAGER = 400;  // on larger boards a place comes into being when somebody goes there
const WAYS = { ArrowLeft: [-1, 0, 1], ArrowRight: [1, 0, 1], ArrowUp: [0, -1, 1], ArrowDown: [0, 1, 1], Home: [-1, 0, -1], End: [1, 0, -1] };

/** The cell that a key such as "3,4" stands for. @param {string} key */
export const cellOf = (key) => key.split(",").map(Number);

/** The cells of a move, source before target. @returns {any[]} */
export const cellsOf = ({ source, target }) => [source, target].filter(Boolean);

export class Drawing {
  hits = new Map();
  layers = {};
  marks = {};
  /** @type {import("./zoom.js").Zoom | null} */ zoom = null;
  focused = "";

  /** @param {import("./board.js").Board} board */
  constructor(board, { look, style, back, plan }, layers) {
    this.board = board;
    this.plan = plan;
    this.turned = board.turned;
    for (const name of layers.split(" ")) this.layers[name] = svg("g", { class: name });
    this.svg = svg("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group", tabindex: -1 }, ...Object.values(this.layers));
    this.root = html("div", { className: `frame ${look}`, style }, this.svg);
    this.layers.back.innerHTML = back;
    this.svg.onclick = (event) => board.press(this.keyAt(event));
    // A pointer needs no focus on a cell: the arrow keys stay with the page.
    this.svg.onmousedown = (event) => {
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
    };
    this.svg.onkeydown = (event) => this.#key(event);
    this.svg.addEventListener("focusin", (event) => this.focus(event.target.dataset.cell));
  }

  // What a shape of board adds: its places, the middle, outline and name of one, what is there, where a key leads.
  /** @returns {string[]} */ keys() { return []; }
  center(cell) { return { x: 0, y: 0 }; }
  /** @returns {any} */ shape(key) { return null; }
  name(key) { return key; }
  words(key) { return key; }
  moveAt(key) { return this.board.moveAt(key); }
  keyAt(event) { return event.target.dataset.cell; }

  at(cell) {
    const { x, y } = this.center(cell);
    return `translate(${x} ${y})`;
  }

  /** Start the places afresh. */
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
    if (old) return old;
    const hit = this.shape(key);
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
    hit.tabIndex = 0;
    this.focused = key;
  }

  /** The nearest place that way, or the furthest. */
  #next([right, down, near]) {
    const here = this.center(cellOf(this.focused));
    let best = this.focused, least = Infinity;
    for (const key of this.keys()) {
      const { x, y } = this.center(cellOf(key)), along = (x - here.x) * right + (y - here.y) * down;
      const cost = along * near + 9 * (Math.abs(x - here.x) + Math.abs(y - here.y) - along);
      if (along > 0 && cost < least) [best, least] = [key, cost];
    }
    return best;
  }

  #key(event) {
    const leaves = event.key === "Escape" && this.board.picked;
    if (event.target === this.svg && !leaves) return;
    if (leaves) this.board.pick("");
    else if (event.key === "Enter" || event.key === " ") this.board.press(this.focused);
    else if (event.key in WAYS) this.hit(this.#next(WAYS[event.key])).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The style sheet sets the size of a ring. */
  mark(position, marks) {
    const { scores = [], all, line = [], hint = {}, heat = {} } = this.marks = marks;
    const { board, layers } = this, { picked } = board;
    const put = (layer, cells, look, name = "circle", more = {}) => layers[layer].append(...cells.map((cell) => svg(name, { class: look, transform: this.at(cell), ...more })));
    this.unmark();
    this.svg.ariaLabel = position.described;
    put(position.last_layer, position.last, "last", "use", { href: `#mossa-last-${position.look}` });
    put("under", picked ? [cellOf(picked)] : [], "picked");
    put("rings", position.winning, "winning");
    put("rings", cellsOf(hint), "hinted");
    for (const [row, col] of [...board.targets(picked).keys()].map(cellOf)) put("rings", [[row, col]], position.cells[row][col] ? "capture" : "reach");
    const numbers = new Map();
    line.forEach((step, index) => {
      const [from, to] = cellsOf(step), old = numbers.get(String(from));
      if (to && index < ARROWS && !picked) layers.marks.prepend(this.#arrow(from, to, `${step.side} step-${index}`));
      if (from && !to) numbers.set(String(from), old ? { ...old, text: `${old.text}·${index + 1}` } : { side: step.side, text: index + 1 });
    });
    if (cellsOf(hint)[1]) layers.marks.append(this.#arrow(hint.source, hint.target, "hint"));
    // Many moves may lead to one cell: a piece shows its best move's score, and once picked, the score of each move.
    const scored = new Map();
    for (const { move, score: { short }, look, minor } of scores) {
      const [from, to] = board.cells(move), key = String((picked && to) || from);
      if (!from || scored.size >= MOST_SCORES || scored.has(key) || (picked ? String(from) !== picked : minor && !all) || this.zoom?.sees(this.center(cellOf(key))) === false) continue;
      scored.set(key, pill(this.center(cellOf(key)), 0, numbers.has(key) ? 9 : 0, short, picked ? look.replace("faint", "") : look));
    }
    for (const [key, { side, text }] of numbers) {
      const ghost = svg("use", { class: "ghost", href: `#${position.stones[SIDES.indexOf(side)]}` });
      layers.marks.append(svg("g", { transform: this.at(cellOf(key)) }, ghost, svg("text", { class: "number", y: scored.has(key) ? -2 : 5 }, text)));
    }
    layers.marks.append(...scored.values());
    for (const [move, { heat: depth, text }] of Object.entries(heat)) {
      const key = String(board.cells(move)[0]), middle = this.center(cellOf(key)), area = this.shape(key);
      if (this.zoom?.sees(middle) === false) continue;
      area.setAttribute("class", "heat");
      area.style.cssText = `--heat: ${depth}`;
      layers.under.append(area);
      layers.marks.append(svg("text", { class: `policy ${scored.has(key) || numbers.has(key) ? "" : "alone"}`, x: middle.x, y: area.getAttribute("y") }, text));
    }
    this.dress();
  }

  #arrow(from, to, look) {
    const { x, y } = this.center(from), end = this.center(to), far = Math.hypot(end.x - x, end.y - y) - 4;
    const angle = (Math.atan2(end.y - y, end.x - x) * 180) / Math.PI;
    return svg("path", { class: `arrow ${look}`, d: `M8-2.6H${far - 11}V-8L${far} 0 ${far - 11} 8V2.6H8z`, transform: `translate(${x} ${y}) rotate(${angle})` });
  }

  /** Clear the marks once a move is chosen. */
  unmark() {
    for (const name of ["under", "rings", "marks"]) this.layers[name].replaceChildren();
  }

  /** Label every place with what is there and what it can do. */
  dress() {
    for (const [key, hit] of this.hits) this.#dress(key, hit);
  }

  #dress(key, hit) {
    if (!this.board.position) return;
    const { board, marks: { scores, heat } } = this, move = this.moveAt(key), source = board.targets(key).size > 0;
    const can = Boolean(move) || source || board.editing;
    hit.classList.toggle("legal", can);
    hit.classList.toggle("movable", source);
    hit.ariaLabel = this.words(key);
    hit.ariaDisabled = !can;
    hit.ariaPressed = source ? key === board.picked : null;
    const way = move && board.picked && `${this.name(board.picked)} to ${this.name(key)}`;
    hit.ariaDescription = [way, scores?.find((one) => one.move === move)?.score.words, move && heat?.[move]?.words].filter(Boolean).join(", ") || null;
  }
}
