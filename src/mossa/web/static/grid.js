// The boards of line games: discs that fall into a rack, stones or letters on a grid.
import { pill, svg } from "./dom.js";
import { cellOf, Drawing, look, SIDES } from "./drawing.js";
import { Zoom } from "./zoom.js";

const CELL = 40;
const DISC = 16.5;
const WIDE = 12;  // rows or columns from which on a closer look helps
const LARGE = 20;  // ... and the wheel of the mouse is for that

/** A stone as the page has it drawn. */
function stoneOf(look, side, properties = {}) {
  const stone = svg("g", properties);
  stone.innerHTML = document.getElementById(`${look}-${side}`)?.innerHTML;
  return stone;
}

export class Grid extends Drawing {
  constructor(board, position) {
    const { rows, cols } = position.sizes;
    const falls = position.kind === "connect";
    const [left, top] = falls ? [12, 12] : [26, 14];
    super(board, look(position), cols * CELL + 2 * left, top + rows * CELL + 26, "back stones front labels rings marks hits");
    this.rows = rows;
    this.cols = cols;
    this.look = look(position);
    this.falls = falls;
    this.left = left;
    this.top = top;
    this.bottom = top + rows * CELL;
    this.stones = new Map();
    this.drawn = new Uint8Array(rows * cols);
    /** @type {Promise<unknown>} */ this.arriving = Promise.resolve();
    this.svg.ariaLabel = `Board of ${rows} rows and ${cols} columns`;
    const most = Math.max(rows, cols);
    if (most > WIDE && !board.inert) {
      this.zoom = new Zoom(this, CELL, most > LARGE);
      // What is out of view is not marked; a drag asks for that many times a frame.
      let waiting = 0;
      this.zoom.changed = () => {
        this.#placeLabels();
        waiting ||= requestAnimationFrame(() => { waiting = 0; this.mark(this.board.position, this.marks); });
      };
      this.svg.addEventListener("pointermove", (event) => {
        const key = event.pointerType === "mouse" && this.keyAt(event);
        if (key) this.hit(key);
      });
    }
    this.#drawPanel(position);
    this.renew();
  }

  x(col) { return this.left + (col + 0.5) * CELL; }
  y(row) { return this.bottom - (row + 0.5) * CELL; }
  /** @param {number[]} cell */ center([row, col]) { return { x: this.x(col), y: this.y(row) }; }

  #drawPanel({ columns }) {
    const { layers: { back, front, labels }, width, height, rows, cols } = this;
    const label = (x, y, text) => svg("text", { x, y, class: "label" }, text);
    if (this.falls) {
      // The rack stands before the discs, with a hole for every cell.
      back.append(svg("rect", { x: 4, y: 4, width: width - 8, height: height - 8, rx: 12, class: "behind" }));
      const holes = this.#cells().map(cellOf).map(([row, col]) =>
        `M${this.x(col) - DISC} ${this.y(row)}a${DISC} ${DISC} 0 1 0 ${2 * DISC} 0a${DISC} ${DISC} 0 1 0 ${-2 * DISC} 0z`);
      front.append(svg("path", { d: `M0 0H${width}V${height}H0z${holes.join("")}`, class: "rack" }));
    } else {
      // Lines between the cells, or through their middles.
      const begin = this.look === "letters" ? 0.5 : 0;
      let path = "";
      for (let row = begin; row < rows - begin; row++) path += `M${this.x(-begin)} ${this.y(row)}H${this.x(cols - 1 + begin)}`;
      for (let col = begin; col < cols - begin; col++) path += `M${this.x(col)} ${this.y(-begin)}V${this.y(rows - 1 + begin)}`;
      back.append(svg("rect", { width, height, rx: 14, class: "panel" }), svg("path", { d: path, class: "lines" }));
      labels.append(svg("g", {}, svg("path", { d: `M0 0V${height}` }), ...Array.from({ length: rows }, (_, row) => label(0, this.y(row), row + 1))));
    }
    labels.append(svg("g", {}, svg("path", { d: `M0 0H${width}` }), ...columns.map((name, col) => label(this.x(col), 0, name))));
    this.#placeLabels();
  }

  /** Coordinates stand at the edge of what is seen. */
  #placeLabels() {
    const { edge, view } = this.zoom ?? { edge: 26, view: { x: 0, y: 0, height: this.height } };
    const [columns, rows] = [...this.layers.labels.children].reverse();
    columns.setAttribute("transform", `translate(0 ${view.y + view.height - edge / 2})`);
    rows?.setAttribute("transform", `translate(${view.x + edge / 2} 0)`);
    this.layers.labels.style.cssText = `--edge-size: ${edge}px`;
    this.layers.labels.classList.toggle("floating", view.height < this.height);
  }

  /** Places to click or press Enter on: the columns of a rack, else every cell. */
  get columns() { return this.falls && !this.board.editing; }

  #cells(rows = this.rows) {
    return Array.from({ length: rows * this.cols }, (_, index) => `${Math.floor(index / this.cols)},${index % this.cols}`);
  }

  keys() { return this.#cells(this.columns ? 1 : this.rows); }

  shape(key) {
    const [row, col] = cellOf(key);
    if (!(row in this.board.position.cells) || !(col in this.board.position.columns)) return null;
    return svg("rect", { x: this.x(col - 0.5), y: this.columns ? this.top : this.y(row + 0.5), width: CELL, height: this.columns ? this.rows * CELL : CELL, rx: 6 });
  }

  /** Large boards have no place under the pointer until it comes there. */
  keyAt(event) {
    if (event.target.dataset.cell || !this.zoom) return event.target.dataset.cell;
    const { x, y } = this.zoom.point(event);
    const [row, col] = [Math.floor((this.bottom - y) / CELL), Math.floor((x - this.left) / CELL)];
    if (row < 0 || col < 0 || row >= this.rows || col >= this.cols) return undefined;
    return this.columns ? `0,${col}` : `${row},${col}`;
  }

  /** In a rack the move whose disc lands in this column. */
  moveAt(key) {
    if (!this.columns) return super.moveAt(key);
    return [...this.board.targets].find(([cell]) => cellOf(cell)[1] === cellOf(key)[1])?.[1];
  }

  next(key, arrow) {
    const [row, col] = cellOf(key);
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0], Home: [0, -col], End: [0, this.cols - 1 - col] };
    return steps[arrow] && `${row + (this.columns ? 0 : steps[arrow][0])},${col + steps[arrow][1]}`;
  }

  focus(key) {
    super.focus(key);
    if (key && this.svg.contains(document.activeElement)) this.zoom?.reveal(this.center(cellOf(key)));
  }

  words(key) {
    const { position } = this.board;
    const [row, col] = cellOf(key);
    const name = (value) => (value ? position.sides[SIDES[value - 1]] : "empty");
    const column = this.falls ? `column ${position.columns[col]}` : `${position.columns[col]}${row + 1}`;
    if (!this.columns) return `${column}${this.falls ? `, row ${row + 1}` : ""}: ${name(position.cells[row][col])}`;
    const discs = position.cells.map((each) => each[col]).filter(Boolean).map(name);
    return `${column}: ${discs.length ? `from the bottom ${discs.join(", ")}` : "empty"}`;
  }

  /** Only what has changed is drawn. */
  async show(position, before, animate) {
    const last = position.last?.join();
    position.cells.forEach((cells, row) => cells.forEach((value, col) => {
      if (value !== this.drawn[row * this.cols + col]) this.#put(row, col, value, animate && last === `${row},${col}`);
    }));
    if (last && before) this.zoom?.reveal(this.center(position.last));
    await this.arriving;
  }

  /** A stone that the server has not yet confirmed. */
  preview([row, col], side) {
    this.unmark();
    this.#put(row, col, SIDES.indexOf(side) + 1, true);
  }

  #put(row, col, value, animate) {
    const key = `${row},${col}`;
    this.drawn[row * this.cols + col] = value;
    this.stones.get(key)?.remove();
    if (!value) return;
    const side = SIDES[value - 1];
    const body = stoneOf(this.look, side);
    const stone = svg("g", { class: `stone ${side}`, transform: this.at([row, col]), "data-cell": key }, body);
    this.stones.set(key, stone);
    this.layers.stones.append(stone);
    if (!animate) return;
    // How a stone arrives is in the style sheet; how far a disc falls is not.
    const height = (this.rows - row) * CELL;
    body.style.cssText = `--from: ${-height}px; --time: ${30 * Math.sqrt(height)}ms`;
    body.classList.add("arrives");
    this.arriving = Promise.allSettled(body.getAnimations().map((each) => each.finished));
  }

  /** Ghosts of stones with their numbers; a score on the same cell makes room. */
  drawLine(line, scored) {
    const places = new Set(scored.map(({ cell }) => String(cell)));
    const ghosts = new Map();
    line.forEach(({ cell, side }, index) => {
      const key = String(cell);
      if (!cell || ghosts.has(key)) return;
      ghosts.set(key, svg("g", { transform: this.at(cell) }, stoneOf(this.look, side, { class: `ghost stone ${side}` }), svg("text", { class: `number ${side}`, y: places.has(key) ? -2 : 5 }, String(index + 1))));
    });
    return [...ghosts.values(), ...scored.map(({ cell, text, look }) => pill(this.center(cell), 0, ghosts.has(String(cell)) ? 9 : 0, text, look))];
  }
}
