// <mossa-board>: draws a position and tells which move a person wants. It knows no rules: what may
// be played, and where, comes with the position.
import { Grid } from "./grid.js";
import { Pits } from "./pits.js";

/**
 * What the board shows besides the position.
 * @typedef {{scores?: Record<string, {text: string, look: string, words: string}>,
 *   line?: {move: string, side: string, cell: number[] | null}[], hint?: string | null}} Marks
 */

export class Board extends HTMLElement {
  /** @type {Grid | Pits | null} */ #drawing = null;
  #game = "";
  /** @type {any} */ position = null;
  #active = false;
  /** @type {Marks} */ #marks = {};

  /**
   * Show a position; resolves when nothing moves any more.
   * @param {any} position
   * @param {{animate?: boolean}} [options]
   */
  async show(position, { animate = true } = {}) {
    const before = this.#game === position.game ? this.position : null;
    const next = before !== null && position.ply === before.ply + 1;
    this.position = position;
    if (!before || !this.#drawing) {
      this.#game = position.game;
      this.#drawing = position.kind === "kalah" ? new Pits(this, position) : new Grid(this, position);
      this.replaceChildren(this.#drawing.root);
    }
    this.dataset.ply = position.ply;
    this.#marks = {};
    const done = this.#drawing.show(position, before, next && animate);
    this.#refresh();
    await done;
  }

  /** Whether a click is a move. @param {boolean} on */
  set active(on) {
    this.#active = on;
    this.#refresh();
  }

  get active() {
    return this.#active;
  }

  /** @param {Marks} marks */
  set marks(marks) {
    this.#marks = marks;
    this.#refresh();
  }

  /** The legal moves by the cell that they are drawn on. @returns {Map<string, string>} */
  get targets() {
    const legal = this.#active && this.position ? this.position.legal : [];
    return new Map(legal.filter((/** @type {any} */ one) => one.cell)
      .map((/** @type {any} */ one) => [one.cell.join(), one.move]));
  }

  /** @param {string | undefined} move */
  play(move) {
    if (move && this.#active) this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  #refresh() {
    this.classList.toggle("active", this.#active);
    if (this.position) this.#drawing?.mark(this.position, this.#marks);
  }
}

customElements.define("mossa-board", Board);
