// Every move of a game graded, and mistakes to be tried again.
import { Live } from "./api.js";
import { button, say } from "./dom.js";
import { SIDES } from "./drawing.js";
import { sideName } from "./words.js";

/** Numbers in order as 3, 7-9. @param {number[]} numbers */
function ranges(numbers) {
  /** @type {number[][]} */ const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(", ");
}

export class Review {
  live = new Live();
  /** The move that is to be found anew. @type {any} */ fault = null;
  #solved = false;
  /** @type {any[]} */ #faults = [];
  /** @type {any[]} */ #left = [];

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
    const { grades, graded } = this.parts;
    graded.hidden = false;
    grades.innerHTML = review.table;
    SIDES.forEach((side, index) => { grades.querySelectorAll("[scope=col]")[index].textContent = this.#name(side); });
    this.page.moves.draw();
    const late = review.moves.filter((note) => note.reason === "time").map((note) => note.ply + 1);
    this.#offer(late.length ? `There was no time to grade ${late.length === 1 ? "move" : "moves"} ${ranges(late)}.` : "The review is complete.");
  }

  #name(side) { return sideName(this.page.position, side); }

  /** Say something, and what can be done about it. @param {...any} buttons */
  #tell(text, look = "", ...buttons) {
    const { lesson, lessons } = this.parts;
    lesson.textContent = text;
    lesson.className = `lesson ${look}`;
    lessons.replaceChildren(...buttons);
    say(text);
  }

  #offer(text) {
    this.fault = null;
    const faults = SIDES.map((side) => this.#faults.filter((each) => each.note.side === side));
    this.#tell(`${text} ${this.#faults.length ? "Learn from the mistakes: find the better moves." : "There were no mistakes."}`, "",
      ...SIDES.flatMap((side, index) => (faults[index].length ? [button(`${this.#name(side)}'s mistakes (${faults[index].length})`, () => {
        this.#left = [...faults[index]];
        this.#next();
      }, { className: side === this.side ? "primary" : "" })] : [])));
    this.page.walk(this.page.moves.here);
  }

  #next() {
    this.fault = this.#left.shift();
    if (!this.fault) return this.#offer("That was the last one.");
    this.#solved = false;
    const { note, move, ply } = this.fault;
    this.#ask(`Move ${ply}: ${this.#name(note.side)} played ${move}${note.mark} (${note.grade}). Find a better move.`);
  }

  #ask(text, look = "") {
    const { note, parent } = this.fault;
    const next = button(this.#left.length ? `Next (${this.#left.length} left)` : "Finish", () => this.#next(), { className: this.#solved ? "primary" : "" });
    this.#tell(text, look, this.#solved ? button("Play on against the computer", () => this.page.playOn(parent))
      : button("Show the solution", () => this.#solve(`The best move was ${note.best}: it ${note.best_score.words}.`)), next);
    this.page.walk(parent);
  }

  #solve(text) {
    this.#solved = true;
    this.#ask(text, "right");
  }

  /** Judge a move that was tried. */
  answer(move) {
    const { note } = this.fault;
    const { grade, score } = note.tries[move] ?? {};
    const worth = score ? `: it ${score.words}` : "";
    if (["best", "good"].includes(grade)) this.#solve(`Right! ${move} is ${grade === "best" ? "the best" : "a good"} move${worth}.`);
    else this.#ask(`${move === note.move ? `${move} is what was played` : `${move} is no better${grade ? ` (${grade})` : ""}`}${worth}. Try again.`, "wrong");
  }

  /** What the board shows of a graded position: the best move, or all of a solution. */
  marks(here) {
    if (this.fault) return this.#solved ? { line: this.fault.note.line } : {};
    return { line: here.children[0]?.note?.line?.slice(0, 1) ?? [] };
  }
}
