// Grades every move of a game, and lets people retry their mistakes.
import { Live } from "./api.js";
import { button, say } from "./dom.js";
import { SIDES } from "./drawing.js";

export class Review {
  live = new Live();
  /** The mistake to improve on. */ fault;
  #solved = false;
  #faults = [];
  #left = [];

  /** @param {any} page the analysis that shows it @param {string | null} side whose mistakes matter */
  constructor(page, side) {
    this.page = page;
    this.side = side;
    this.parts = page.parts;
    this.parts.review.hidden = false;
  }

  start() {
    const { line } = this.page.moves;
    const { progress } = this.parts;
    this.#tell("Comparing every move with the engine's best …");
    this.live.ask({ do: "review", position: this.page.wanted(line.at(-1)), opening: this.page.opening }, ({ error, point, of, review }) => {
      if (error) this.#tell(error);
      progress.hidden = Boolean(error || review);
      if (point) {
        line[point.ply].value = point.advantage ?? undefined;
        progress.value = (point.ply + 1) / of;
        this.page.plot();
      }
      else this.live.close();
      if (review) this.#show(review, line);
    });
  }

  #show(review, line) {
    for (const note of review.review) line[note.ply + 1].note = note;
    line.at(-1).value = review.advantage ?? undefined;
    this.#faults = line.filter((each) => each.note?.tries);
    this.parts.graded.hidden = false;
    this.parts.grades.innerHTML = review.table;
    this.page.moves.draw();
    this.#offer(review.told);
  }

  /** Say something, with buttons for what to do about it. @param {...any} buttons */
  #tell(text, look = "", ...buttons) {
    const { lesson, lessons } = this.parts;
    lesson.textContent = text;
    lesson.className = `lesson ${look}`;
    lessons.replaceChildren(...buttons);
    say(text);
  }

  #offer(text) {
    this.fault = null;
    const buttons = SIDES.flatMap((side) => {
      const faults = this.#faults.filter((each) => each.note.side === side);
      const learn = () => { this.#left = faults; this.#next(); };
      return faults.length ? [button(`${this.page.position.sides[side]}'s mistakes (${faults.length})`, learn, { className: side === this.side ? "primary" : "" })] : [];
    });
    this.#tell(`${text} ${buttons.length ? "Learn from the mistakes: find the better moves." : "There were no mistakes."}`, "", ...buttons);
    this.page.walk(this.page.moves.here);
  }

  #next() {
    this.fault = this.#left.shift();
    if (!this.fault) return this.#offer("That was the last one.");
    this.#solved = false;
    this.#ask(this.fault.note.task);
  }

  #ask(text, look = "") {
    const { note, parent } = this.fault;
    const next = button(this.#left.length ? `Next (${this.#left.length} left)` : "Finish", () => this.#next(), { className: this.#solved ? "primary" : "" });
    this.#tell(text, look, this.#solved ? button("Play on against the computer", () => this.page.playOn(parent))
      : button("Show the solution", () => this.#solve(note.solution)), next);
    this.page.walk(parent);
  }

  #solve(text) {
    this.#solved = true;
    this.#ask(text, "right");
  }

  /** Grade a tried move. */
  answer(move) {
    const { note } = this.fault;
    const { right = false, told = `${move} is no better.` } = note.tries[move] ?? {};
    if (right) this.#solve(`Right! ${told}`);
    else this.#ask(`${told} Try again.`, "wrong");
  }

  /** What the board shows of a graded position: the best move, or all of a solution. */
  marks(here) {
    if (this.fault) return this.#solved ? { line: this.fault.note.line } : {};
    return { line: here.children[0]?.note?.line?.slice(0, 1) ?? [] };
  }
}
