// A position that somebody arranges: stones or seeds put where they are wanted. Whether there can be
// such a position, and who is to move in it, says the server.
import { ask } from "./api.js";
import { html } from "./dom.js";
import { sideName } from "./words.js";

export class Editor {
  #tool = 1;
  #asked = 0;
  /** @type {any} */ #valid = null;
  /** @type {any} */ #position = null;

  /** @param {any} parts of the page @param {(position: any) => void} done */
  constructor(parts, done) {
    this.parts = parts;
    this.done = done;
    parts.board.addEventListener("edit", (event) => this.#put(event.detail));
    parts.arranged.onclick = () => this.#close(this.#valid);
    parts.cancel.onclick = () => this.#close(null);
    parts.clear.onclick = () => this.#change(this.#position.cells.map((row) => row.map(() => 0)));
  }

  open(position) {
    const { board, editor, tools, movers } = this.parts;
    const seeds = position.kind === "kalah";
    const [first, second] = ["first", "second"].map((side) => sideName(position, side));
    const choice = (name, text, checked, onchange) => html("label", {}, html("input", { type: "radio", name, checked, onchange }), ` ${text}`);
    tools.replaceChildren(...Object.entries(seeds ? { "+1": 1, "+5": 5, "−1": -1, Empty: 0 } : { [first]: 1, [second]: 2, Empty: 0 })
      .map(([text, tool]) => choice("tool", text, tool === 1, () => { this.#tool = tool; })));
    movers.replaceChildren(...(seeds ? ["first", "second"] : []).map((side) =>
      choice("mover", `${sideName(position, side)} to move`, side === position.side, () => this.#change(this.#position.cells, side))));
    this.#tool = 1;
    this.#position = position;
    editor.hidden = false;
    board.editing = true;
    this.#change(position.cells);
  }

  #close(position) {
    this.parts.editor.hidden = true;
    this.parts.board.editing = false;
    this.done(position);
  }

  #put([row, col]) {
    const cells = this.#position.cells.map((each) => [...each]);
    const now = cells[row][col];
    const tool = this.#tool;
    cells[row][col] = this.#position.kind === "kalah" ? (tool ? Math.max(0, now + tool) : 0) : now === tool ? 0 : tool;
    this.#change(cells);
  }

  async #change(cells, side = this.#position.side) {
    const { board, told, arranged } = this.parts;
    this.#position = { ...this.#position, cells, side, legal: [], last: null, winning: [] };
    board.show(this.#position, { animate: false });
    const asked = ++this.#asked;
    const { position, problem } = await ask("arranged", { game: this.#position.game, cells, side });
    if (asked !== this.#asked) return;
    this.#valid = position;
    told.textContent = problem ?? position.outcome?.reason ?? `${sideName(position, position.side)} to move`;
    arranged.disabled = !position;
  }
}
