// <mossa-board>: draws a position and tells which move a person wants. It knows no rules: what may
// be played, and where, comes with the position.
import { Grid } from "./grid.js";
import { Pits } from "./pits.js";

/**
 * What the board shows besides the position; scores come best first, and one without a text is only said.
 * @typedef {{scores?: Record<string, {text: string, look: string, words: string}>,
 *   line?: {move: string, side: string, cell: number[] | null}[], hint?: string | null}} Marks
 */

export class Board extends HTMLElement {
  /** @type {Grid | Pits | null} */ #drawing = null;
  #game = "";
  /** @type {any} */ position = null;
  #active = false;
  #editing = false;
  #places = new Map();

  /** Show a position; resolves when nothing moves any more. */
  async show(position, { animate = true } = {}) {
    const before = this.#game === position.game ? this.position : null;
    const next = before && position.last && String(position.history?.slice(0, -1)) === String(before.history);
    this.position = position;
    this.#places = new Map(position.legal.filter((one) => one.cell).map((one) => [one.cell.join(), one.move]));
    if (!before || !this.#drawing) {
      this.#game = position.game;
      this.#drawing = position.kind === "kalah" ? new Pits(this, position) : new Grid(this, position);
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
    this.#drawing?.dress();
  }

  /** Whether a click is on any cell, which the board then only tells. */
  get editing() { return this.#editing; }
  set editing(on) {
    this.#editing = on;
    this.classList.toggle("editing", on);
    this.#drawing?.renew();
  }

  /** @param {Marks} marks */
  set marks(marks) { this.#drawing?.mark(this.position, marks); }

  /** The legal moves by the cell that they are drawn on. */
  get targets() { return this.#active ? this.#places : new Map(); }

  /** What a person wants is shown at once; the next position confirms it, or takes it back. */
  play(move) {
    if (!move || !this.#active) return;
    const { cell } = this.position.legal.find((one) => one.move === move);
    if (cell) this.#drawing?.preview(cell, this.position.side);
    this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }
}

customElements.define("mossa-board", Board);
