// The boards of line games: discs that fall into a rack, stones or letters on a grid.
import { moving, pill, svg } from "./dom.js";
import { cellName, look, sideName } from "./words.js";

const CELL = 40;
const DISC = 16.5;
const SIDES = ["", "first", "second"];
const LARGE = 20;

/** @type {Record<string, Record<string, () => Node[]>>} */
const STONES = {
  connect: {
    first: () => [
      svg("circle", { r: DISC + 1, class: "disc-edge" }), svg("circle", { r: 12, class: "disc-inner" }),
      svg("path", { d: "M-4.800-4.800 4.800 4.800M4.800-4.800-4.800 4.800", class: "disc-mark" })],
    second: () => [
      svg("circle", { r: DISC + 1, class: "disc-edge" }), svg("circle", { r: 12, class: "disc-inner" }),
      svg("circle", { r: 5, class: "disc-mark" })],
  },
  letters: {
    first: () => [svg("path", { d: "M-10-10 10 10M10-10-10 10", class: "letter" })],
    second: () => [svg("circle", { r: 11, class: "letter" })],
  },
  stones: {
    first: () => [svg("circle", { cx: 1, cy: 2, r: 17.5, class: "shade" }), svg("circle", { r: 17.5, class: "body" })],
    second: () => [svg("circle", { cx: 1, cy: 2, r: 17.5, class: "shade" }), svg("circle", { r: 17.5, class: "body" }),
      svg("circle", { r: 12.5, class: "ring" })],
  },
};

export class Grid {
  /** @param {import("./board.js").Board} board @param {any} position */
  constructor(board, position) {
    this.board = board;
    this.rows = position.sizes.rows;
    this.cols = position.sizes.cols;
    this.look = look(position);
    this.falls = position.kind === "connect";
    const side = this.falls ? 12 : 26;
    this.left = side;
    this.top = this.falls ? 12 : 14;
    this.width = this.cols * CELL + 2 * side;
    this.bottom = this.top + this.rows * CELL;
    this.height = this.bottom + 26;
    /** @type {Record<string, SVGElement>} */ this.layers = {};
    for (const name of ["back", "stones", "front", "marks", "hits"]) this.layers[name] = svg("g", { class: name });
    this.svg = svg("svg", {
      viewBox: `0 0 ${this.width} ${this.height}`, role: "group",
      "aria-label": `Board of ${this.rows} rows and ${this.cols} columns`,
    }, this.#definitions(), ...Object.values(this.layers));
    this.svg.style.aspectRatio = `${this.width} / ${this.height}`;
    this.svg.style.minWidth = `${this.cols * 17}px`;  // smaller cells cannot be hit; the board scrolls
    this.root = document.createElement("div");
    this.root.className = `frame ${this.look} ${Math.max(this.rows, this.cols) > LARGE ? "large" : ""}`;
    this.root.append(this.svg);
    // A board that scrolls begins in the middle, where games do.
    requestAnimationFrame(() => this.root.scrollTo(
      (this.root.scrollWidth - this.root.clientWidth) / 2, (this.root.scrollHeight - this.root.clientHeight) / 2));
    this.#drawPanel(position);
    /** @type {Map<string, SVGElement>} */ this.hits = new Map();
    this.#drawHits();
    this.focused = this.falls ? `0,${this.cols >> 1}` : `${this.rows >> 1},${this.cols >> 1}`;
  }

  /** @param {number} col */ x(col) { return this.left + (col + 0.5) * CELL; }
  /** @param {number} row */ y(row) { return this.bottom - (row + 0.5) * CELL; }

  #definitions() {
    return svg("defs", {},
      svg("linearGradient", { id: "rack", x2: 0, y2: 1 },
        svg("stop", { class: "rack-top" }), svg("stop", { offset: 1, class: "rack-bottom" })),
      svg("radialGradient", { id: "black", cx: 0.36, cy: 0.3, r: 0.75 },
        svg("stop", { "stop-color": "#777" }), svg("stop", { offset: 0.45, "stop-color": "#262626" }),
        svg("stop", { offset: 1, "stop-color": "#050505" })),
      svg("radialGradient", { id: "white", cx: 0.36, cy: 0.3, r: 0.8 },
        svg("stop", { "stop-color": "#fff" }), svg("stop", { offset: 0.6, "stop-color": "#f3f1ec" }),
        svg("stop", { offset: 1, "stop-color": "#bdb8ae" })),
      svg("linearGradient", { id: "wood", x2: 0.25, y2: 1 },
        svg("stop", { class: "wood-top" }), svg("stop", { offset: 1, class: "wood-bottom" })));
  }

  /** @param {any} position */
  #drawPanel(position) {
    const { back, front } = this.layers;
    const label = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) =>
      svg("text", { x, y, class: "label" }, text);
    const panel = svg("rect", { width: this.width, height: this.height, rx: 14, class: "panel" });
    if (this.falls) {
      // The rack stands before the discs, with a hole for every cell.
      back.append(svg("rect", { x: 4, y: 4, width: this.width - 8, height: this.height - 8, rx: 12, class: "behind" }));
      let holes = `M14 0H${this.width - 14}a14 14 0 0 1 14 14V${this.height - 14}a14 14 0 0 1-14 14H14a14 14 0 0 1-14-14V14a14 14 0 0 1 14-14z`;
      for (let row = 0; row < this.rows; row++) {
        for (let col = 0; col < this.cols; col++) {
          holes += `M${this.x(col) - DISC} ${this.y(row)}a${DISC} ${DISC} 0 1 0 ${2 * DISC} 0a${DISC} ${DISC} 0 1 0 ${-2 * DISC} 0z`;
        }
      }
      front.append(svg("path", { d: holes, class: "rack", "fill-rule": "evenodd" }));
    } else {
      back.append(panel, svg("path", { d: this.#lines(), class: "lines" }));
      for (let row = 0; row < this.rows; row++) back.append(label(13, this.y(row) + 4, String(row + 1)));
    }
    for (let col = 0; col < this.cols; col++) {
      (this.falls ? front : back).append(label(this.x(col), this.bottom + 18, position.columns[col]));
    }
  }

  #lines() {
    let path = "";
    const inner = this.look === "letters";  // lines between the cells, or through their middles
    for (let row = inner ? 1 : 0; row < this.rows; row++) {
      const y = this.y(inner ? row - 0.5 : row);
      path += `M${this.x(inner ? -0.5 : 0)} ${y}H${this.x(this.cols - (inner ? 0.5 : 1))}`;
    }
    for (let col = inner ? 1 : 0; col < this.cols; col++) {
      const x = this.x(inner ? col - 0.5 : col);
      path += `M${x} ${this.y(inner ? -0.5 : 0)}V${this.y(this.rows - (inner ? 0.5 : 1))}`;
    }
    return path;
  }

  /** Places to click or press Enter on: the columns of a rack, else every cell. */
  #drawHits() {
    const rows = this.falls ? 1 : this.rows;
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < this.cols; col++) {
        const key = `${row},${col}`;
        const hit = svg("rect", {
          x: this.x(col - 0.5), y: this.falls ? this.top : this.y(row + 0.5),
          width: CELL, height: this.falls ? this.rows * CELL : CELL, rx: 6,
          class: "hit", role: "button", tabindex: -1, "data-cell": key,
        });
        this.hits.set(key, hit);
        this.layers.hits.append(hit);
      }
    }
    this.layers.hits.addEventListener("click", (event) => this.#pick(/** @type {any} */ (event.target)));
    this.layers.hits.addEventListener("focusin", (event) => this.#focus(/** @type {any} */ (event.target).dataset.cell));
    this.layers.hits.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /** @param {SVGElement} target */
  #pick(target) {
    if (target.dataset.cell) this.board.play(this.#moveAt(target.dataset.cell));
  }

  /** The move of a place: in a rack the one whose disc lands in this column. @param {string} key @param {Map<string, string>} targets */
  #moveAt(key, targets = this.board.targets) {
    if (!this.falls) return targets.get(key);
    const col = key.split(",")[1];
    for (const [cell, move] of targets) if (cell.split(",")[1] === col) return move;
    return undefined;
  }

  /** @param {string} key */
  #focus(key) {
    this.hits.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = key;
    this.hits.get(key)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [row, col] = this.focused.split(",").map(Number);
    /** @type {Record<string, number[]>} */
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0], Home: [0, -col], End: [0, this.cols - 1 - col] };
    if (event.key === "Enter" || event.key === " ") this.board.play(this.#moveAt(this.focused));
    else if (event.key in steps) {
      const [up, right] = steps[event.key];
      /** @type {any} */ (this.hits.get(`${row + up},${col + right}`))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {any} position @param {any} before @param {boolean} animate */
  async show(position, before, animate) {
    /** @type {Promise<unknown>[]} */ const waits = [];
    const stones = [];
    for (let row = 0; row < this.rows; row++) {
      for (let col = 0; col < this.cols; col++) {
        const value = position.cells[row][col];
        if (!value) continue;
        const body = svg("g", {}, ...STONES[this.look][SIDES[value]]());
        stones.push(svg("g", {
          class: `stone ${SIDES[value]}`, transform: `translate(${this.x(col)} ${this.y(row)})`, "data-cell": `${row},${col}`,
        }, body));
        if (animate && moving() && position.last?.join() === `${row},${col}`) waits.push(this.#arrive(body, row));
      }
    }
    this.layers.stones.replaceChildren(...stones);
    this.#label(position);
    await Promise.all(waits);
  }

  /** @param {SVGElement} body @param {number} row */
  #arrive(body, row) {
    if (!this.falls) {
      return body.animate([{ transform: "scale(.4)", opacity: 0.3 }, { transform: "scale(1)", opacity: 1 }],
        { duration: 140, easing: "ease-out" }).finished;
    }
    const height = (this.rows - row) * CELL;
    const fall = Math.sqrt(height) * 24;
    const bounce = Math.min(10, height / 12);
    return body.animate([
      { transform: `translateY(${-height}px)`, easing: "cubic-bezier(.45,0,.9,.55)" },
      { transform: "translateY(0)", offset: 0.78, easing: "ease-out" },
      { transform: `translateY(${-bounce}px)`, offset: 0.89, easing: "ease-in" },
      { transform: "translateY(0)" },
    ], { duration: fall * 1.25 }).finished;
  }

  /** Say what is where, for those who listen. @param {any} position */
  #label(position) {
    for (const [key, hit] of this.hits) {
      const [row, col] = key.split(",").map(Number);
      const name = (/** @type {number} */ value) => (value ? sideName(position, SIDES[value]) : "empty");
      let what = name(position.cells[row][col]);
      if (this.falls) {
        const column = position.cells.map((/** @type {number[]} */ each) => each[col]).filter(Boolean).map(name);
        what = column.length ? `from the bottom ${column.join(", ")}` : "empty";
      }
      hit.setAttribute("aria-label", `${cellName(position, [row, col])}: ${what}`);
    }
  }

  /** @param {any} position @param {import("./board.js").Marks} marks */
  mark(position, { scores = {}, line = [], hint = null }) {
    const drawn = [];
    const at = (/** @type {number[]} */ cell) => `translate(${this.x(cell[1])} ${this.y(cell[0])})`;
    if (position.last) drawn.push(svg("circle", { r: this.falls ? DISC + 1.5 : this.look === "letters" ? 17 : 5, class: "last", transform: at(position.last) }));
    for (const cell of position.winning) drawn.push(svg("circle", { r: DISC + 1, class: "winning", transform: at(cell) }));
    const taken = new Set();
    const scored = new Set(position.legal.filter((/** @type {any} */ one) => scores[one.move]).map((/** @type {any} */ one) => one.cell.join()));
    line.forEach(({ cell, side }, index) => {
      if (!cell || taken.has(cell.join())) return;
      taken.add(cell.join());
      drawn.push(svg("g", { class: `ghost stone ${side}`, transform: at(cell) }, ...STONES[this.look][side]()));
      drawn.push(svg("text", { class: `number ${side}`, transform: at(cell), y: scored.has(cell.join()) ? -2 : 5 }, String(index + 1)));
    });
    for (const { move, cell } of position.legal) {
      if (scores[move]) {
        const y = this.y(cell[0]) + (taken.has(cell.join()) ? 9 : 0);
        drawn.push(pill(this.x(cell[1]), y, scores[move].text, scores[move].look));
      }
      if (move === hint) drawn.push(svg("circle", { r: 17, class: "hinted", transform: at(cell) }));
    }
    this.layers.marks.replaceChildren(...drawn);
    const targets = this.board.targets;
    for (const [key, hit] of this.hits) {
      const move = this.#moveAt(key, targets);
      hit.classList.toggle("legal", move !== undefined);
      hit.setAttribute("aria-disabled", String(move === undefined));
      const words = move !== undefined && scores[move]?.words;
      if (words) hit.setAttribute("aria-description", words);
      else hit.removeAttribute("aria-description");
    }
    this.hits.get(this.focused)?.setAttribute("tabindex", "0");
  }
}
