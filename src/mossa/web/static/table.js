// What the game and analysis pages share: a board, buttons, and ways to step through the moves.
import { Live } from "./api.js";
import "./board.js";
import { button, onKeys, page } from "./dom.js";
import { cellsOf } from "./drawing.js";

export class Table {
  live = new Live();

  /** A button of the template says which method it calls, or which key does the same. */
  constructor(main, template) {
    this.parts = page(main, template);
    this.board = this.parts.board;
    this.board.addEventListener("move", (event) => this.play(event.detail));
    for (const each of main.querySelectorAll("[data-do]")) each.onclick = () => this[each.dataset.do]();
    for (const each of main.querySelectorAll("[data-key]")) each.onclick = () => this.walk(this.places[each.dataset.key]);
    onKeys(this.board, (key) => this.walk(this.places[key]));
  }

  // What a page adds: what a move on the board means, and where keys lead.
  play(move) {}
  walk(to) {}
  /** @returns {Record<string, any>} */ get places() { return {}; }

  /** Style the page for its game. */
  dress({ look, style }) { Object.assign(this.parts.table, { className: `table ${look}`, style }); }

  /** A move without a place on the board, such as swap, gets a button. */
  offer(legal) { this.parts.extra.replaceChildren(...legal.filter((one) => !cellsOf(one)[0]).map(({ move }) => button(move, () => this.play(move)))); }
}
