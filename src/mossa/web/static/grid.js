// Boards of rows and columns: discs that fall into a rack, stones or letters on a grid, pieces on squares.
import { draggable } from "./drag.js";
import { svg } from "./dom.js";
import { cellOf, Drawing, SIDES } from "./drawing.js";
import { Zoom } from "./zoom.js";

const WIDE = 12;  // rows or columns from which on a closer look helps
const LARGE = 20;  // ... and the wheel of the mouse is for that

export class Grid extends Drawing {
  constructor(board, position) {
    super(board, position, "back under stones front labels rings marks hits");
    const { rows, cols } = this.plan;
    this.falls = position.falls;
    this.stones = new Map();
    this.drawn = new Uint8Array(rows * cols);
    /** @type {Promise<unknown>} */ this.arriving = Promise.resolve();
    const most = Math.max(rows, cols);
    draggable(this);
    if (most > WIDE && !board.inert) {
      this.zoom = new Zoom(this, most > LARGE);
      // Skip marks that are out of view: a drag redraws many times per frame.
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

  x(col) { return this.plan.left + (col + 0.5) * this.plan.cell; }
  y(row) { return this.plan.bottom - (row + 0.5) * this.plan.cell; }
  /** A cell as it is numbered where it is seen, or the other way round. @param {number[]} cell */
  seen([row, col]) { return this.turned ? [this.plan.rows - 1 - row, this.plan.cols - 1 - col] : [row, col]; }
  center(cell) {
    const [row, col] = this.seen(cell);
    return { x: this.x(col), y: this.y(row) };
  }

  #drawPanel({ panel, labels, plan: { width, height, hole } }) {
    this.layers.labels.innerHTML = labels;
    if (this.turned) {
      for (const { children: [, ...texts] } of this.layers.labels.children) {
        const names = texts.map((each) => each.textContent).reverse();
        texts.forEach((each, at) => { each.textContent = names[at]; });
      }
    }
    this.#placeLabels();
    if (!this.falls) return;
    // The rack is in front of the discs, with a hole for every cell.
    const holes = this.#cells().map(cellOf).map(([row, col]) =>
      `M${this.x(col) - hole} ${this.y(row)}a${hole} ${hole} 0 1 0 ${2 * hole} 0a${hole} ${hole} 0 1 0 ${-2 * hole} 0z`);
    this.layers.front.append(svg("path", { d: `M0 0H${width}V${height}H0z${holes.join("")}`, class: "rack", fill: panel }));
  }

  /** Coordinates go along the edge of the view. */
  #placeLabels() {
    const { left, height } = this.plan, { edge, view } = this.zoom ?? { ...this.plan, view: { x: 0, y: 0, height } };
    const [columns, rows] = [...this.layers.labels.children].reverse();
    columns.setAttribute("transform", `translate(0 ${view.y + view.height - edge / 2})`);
    const floating = view.height < height;
    rows?.setAttribute("transform", `translate(${view.x + (floating ? edge : left) / 2} 0)`);
    this.layers.labels.style.cssText = `--edge-size: ${edge}px`;
    this.layers.labels.classList.toggle("floating", floating);
  }

  /** Whether places are columns, as in a rack, rather than cells. */
  get columns() { return this.falls && !this.board.editing; }

  #cells(rows = this.plan.rows) {
    const { cols } = this.plan;
    return Array.from({ length: rows * cols }, (_, index) => `${Math.floor(index / cols)},${index % cols}`);
  }

  keys() { return this.#cells(this.columns ? 1 : undefined); }

  shape(key) {
    const { x, y } = this.center(cellOf(key)), { rows, cell, top } = this.plan;
    return svg("rect", { x: x - cell / 2, y: this.columns ? top : y - cell / 2, width: cell, height: this.columns ? rows * cell : cell, rx: 6 });
  }

  /** Large boards make a place only when the pointer gets there. */
  keyAt(event) {
    if (event.target.dataset.cell || !this.zoom) return event.target.dataset.cell;
    const { x, y } = this.zoom.point(event), { rows, cols, cell, left, bottom } = this.plan;
    const [row, col] = [Math.floor((bottom - y) / cell), Math.floor((x - left) / cell)];
    if (row < 0 || col < 0 || row >= rows || col >= cols) return undefined;
    return this.columns ? `0,${col}` : String(this.seen([row, col]));
  }

  /** In a rack, the move that drops a disc into this column. */
  moveAt(key) {
    if (!this.columns) return super.moveAt(key);
    return [...this.board.places].find(([cell]) => cellOf(cell)[1] === cellOf(key)[1])?.[1];
  }

  focus(key) {
    super.focus(key);
    if (key && this.svg.contains(document.activeElement)) this.zoom?.reveal(this.center(cellOf(key)));
  }

  name(key) {
    const { columns } = this.board.position, [row, col] = cellOf(key);
    return !this.falls ? `${columns[col]}${row + 1}` : `column ${columns[col]}${this.columns ? "" : `, row ${row + 1}`}`;
  }

  words(key) {
    const { cells, sides } = this.board.position, [row, col] = cellOf(key);
    const stone = (value) => (value ? sides[SIDES[value - 1]] : "empty");
    if (!this.columns) return `${this.name(key)}: ${stone(cells[row][col])}`;
    const discs = cells.map((each) => each[col]).filter(Boolean).map(stone);
    return `${this.name(key)}: ${discs.length ? `from the bottom ${discs.join(", ")}` : "empty"}`;
  }

  /** Draw only what has changed. */
  async show(position, before, animate) {
    const [last, source] = position.last.toReversed();
    position.cells.forEach((cells, row) => cells.forEach((value, col) => {
      if (value !== this.drawn[row * this.plan.cols + col]) this.#put(row, col, value, animate && String(last) === `${row},${col}`, source);
    }));
    if (last && before) this.zoom?.reveal(this.center(last));
    await this.arriving;
  }

  /** A move the server has not confirmed yet. */
  preview(cells, side, animate) {
    const [[row, col], source] = cells.toReversed();
    this.unmark();
    if (source) this.#put(source[0], source[1], 0);
    this.#put(row, col, SIDES.indexOf(side) + 1, animate, source);
  }

  #put(row, col, value, animate = false, source = null) {
    const key = `${row},${col}`;
    this.drawn[row * this.plan.cols + col] = value;
    this.stones.get(key)?.remove();
    if (!value) return;
    const body = svg("use", { href: `#${this.board.position.stones[value - 1]}` });
    const stone = svg("g", { class: `stone ${SIDES[value - 1]}`, transform: this.at([row, col]), "data-cell": key }, body);
    this.stones.set(key, stone);
    this.layers.stones.append(stone);
    if (!animate) return;
    // The style sheet says how a stone arrives; only the code knows from where.
    const { cell, rows } = this.plan, sign = this.turned ? -1 : 1, [right, down] = source ? [sign * (source[1] - col), sign * (row - source[0])] : [0, row - rows];
    body.style.cssText = `--right: ${right * cell}px; --down: ${down * cell}px; --time: ${30 * Math.sqrt(-down * cell)}ms`;
    body.classList.add(source ? "slides" : "arrives");
    this.arriving = Promise.allSettled(body.getAnimations().map((each) => each.finished));
  }
}
