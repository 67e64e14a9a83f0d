// <mossa-board>: draws a position and reports the move a person wants. The legal moves, from where
// to where, come with the position.
import { say } from "./dom.js";
import { cellOf, cellsOf } from "./drawing.js";
import { Grid } from "./grid.js";
import { Pits } from "./pits.js";

export class Board extends HTMLElement {
  /** @type {Grid | Pits | null} */ #drawing = null;
  #back = "";
  position;
  #active = false;
  #editing = false;
  /** Moves by cell; moves with two cells by source, then target. */ #places = new Map();
  #cells = new Map();
  /** A source whose target is not chosen yet. */ picked = "";
  /** Whether second sees the board from its own side; set it before the first position. */ turned = false;

  /** Show a position; resolves when all movement has stopped. */
  async show(position, { animate = true } = {}) {
    const before = this.#back === position.back ? this.position : null;
    const next = before && position.last[0] && String(position.history?.slice(0, -1)) === String(before.history);
    this.position = position;
    this.picked = "";
    this.#cells = new Map(position.legal.map((one) => [one.move, cellsOf(one)]));
    this.#places.clear();
    for (const [move, cells] of this.#cells) {
      const [key, to] = cells.map(String);
      if (to) this.#places.set(key, (this.#places.get(key) ?? new Map()).set(to, move));
      else if (key) this.#places.set(key, move);
    }
    if (!before || !this.#drawing) {
      this.#back = position.back;
      this.#drawing = position.plan.hollows ? new Pits(this, position) : new Grid(this, position);
      this.replaceChildren(this.#drawing.root);
    }
    this.dataset.ply = position.ply;
    const done = this.#drawing.show(position, before, next && animate);
    this.marks = {};
    await done;
  }

  /** Whether a click is a move. */
  set active(on) {
    if (on === this.#active) return;
    this.#active = on;
    this.classList.toggle("active", on);
    this.pick("");
    this.#drawing?.dress();
  }

  /** Whether any cell may be clicked; the board then only reports the click. */
  get editing() { return this.#editing; }
  set editing(on) {
    this.#editing = on;
    this.classList.toggle("editing", on);
    this.#drawing?.renew();
  }

  /** What else to show: scores, best first (minor ones are only spoken, unless all are shown), a line of moves, a hint, heat by move. */
  set marks(marks) { this.#drawing?.mark(this.position, marks); }

  cells(move) { return this.#cells.get(move) ?? []; }

  get places() { return this.#active && !this.#editing ? this.#places : new Map(); }

  /** The moves from a cell, by target. @returns {Map<string, string>} */
  targets(key) {
    const found = this.places.get(key);
    return found instanceof Map ? found : new Map();
  }

  /** The move that a click on a cell makes. @returns {string | undefined} */
  moveAt(key) { return this.targets(this.picked).get(key) ?? (this.targets(key).size ? undefined : this.places.get(key)); }

  /** A click: a move, or half of one. */
  press(key) {
    const { picked } = this, name = (cell) => this.#drawing?.name(cell), move = key && this.#drawing?.moveAt(key);
    if (key && this.#editing) this.dispatchEvent(new CustomEvent("edit", { detail: cellOf(key) }));
    if (move) return this.play(move);
    this.pick(key !== picked && this.targets(key).size ? key : "");
    if (this.picked) say(`${name(key)} selected, moves to ${[...this.targets(key).keys()].map(name).join(", ")}`);
    else if (picked && key && key !== picked) say(`No move from ${name(picked)} to ${name(key)}`);
  }

  /** Choose a source, or none. */
  pick(key) {
    if (key === this.picked) return;
    this.picked = key;
    this.marks = this.#drawing?.marks ?? {};
  }

  /** Show the wanted move at once; the next position confirms it or takes it back. */
  play(move, animate = true) {
    if (!move || !this.#active) return;
    const cells = this.cells(move);
    this.picked = "";
    if (cells[0]) this.#drawing?.preview(cells, this.position.side, animate);
    this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }
}

customElements.define("mossa-board", Board);
