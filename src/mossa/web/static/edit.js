// The position editor: put stones or seeds wherever you want. The server says whether such a position
// is possible, and who is to move.
import { ask } from "./api.js";

export class Editor {
  #asked = 0;
  #valid;
  #position;

  /** @param {any} parts of the page @param {(position: any) => void} done */
  constructor(parts, done) {
    this.parts = parts;
    this.done = done;
    parts.board.addEventListener("edit", (event) => this.#put(event.detail));
    parts.arranged.onclick = () => this.#close(this.#valid);
    parts.cancel.onclick = () => this.#close(null);
    parts.clear.onclick = () => this.#change(this.#position.cells.map((row) => row.map(() => 0)));
    parts.editor.onchange = () => this.#change(this.#position.cells);
  }

  /** What is chosen. @param {string} name */
  #choice(name) { return this.parts.editor.querySelector(`[name=${name}]:checked`).value; }

  open(position) {
    const { board, editor } = this.parts;
    for (const each of editor.querySelectorAll("[data-side]")) each.textContent = position.sides[each.dataset.side];
    editor.querySelector(".mover").hidden = !position.mover;
    editor.querySelector(`[name=mover][value=${position.side}]`).checked = true;
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
    const stone = Number(this.#choice("stones"));
    cells[row][col] = this.#position.plan.hollows ? Math.max(0, now + Number(this.#choice("seeds"))) : now === stone ? 0 : stone;
    this.#change(cells);
  }

  async #change(cells) {
    const { board, told, arranged } = this.parts;
    const side = this.#choice("mover");
    this.#position = { ...this.#position, cells, side, legal: [], last: [], winning: [] };
    board.show(this.#position, { animate: false });
    const asked = ++this.#asked;
    const { position, problem } = await ask("arranged", { game: this.#position.game, cells, side });
    if (asked !== this.#asked) return;
    this.#valid = position;
    told.textContent = problem ?? position.standing;
    arranged.disabled = !position;
  }
}
