// Puzzles: positions in which one move is right. The server grades the moves; the person's rating
// stays in this browser.
import { ask } from "./api.js";
import { attempt, html, moving, recall, remember } from "./dom.js";
import { Table } from "./table.js";

const BEGIN = { rating: 1200, streak: 0, best: 0, tried: 0, solved: 0 };
const NEW = 20;  // puzzles after which a rating is known well enough to change less
const PAUSE = 900;  // milliseconds between two moves of an answer

/** What is known about the person; anything else the browser may have kept is ignored. */
function restored() {
  const saved = Object(recall("puzzles")), numbers = Object.entries(BEGIN).map(([name, usual]) => [name, Number.isFinite(saved[name]) ? saved[name] : usual]);
  const done = Array.isArray(saved.done) ? saved.done.filter((each) => typeof each === "string").slice(-5000) : [];
  return { ...Object.fromEntries(numbers), done, game: String(saved.game ?? ""), length: String(saved.length ?? "0") };
}

export class Puzzles extends Table {
  /** @type {any} */ you = restored();
  /** @type {any} */ puzzle;
  /** Boards to step through once the answer is known. @type {any[]} */ shown = [];
  at = 0;
  step = 0;
  /** Whether the first try is over. */ counted = false;
  over = false;
  busy = false;
  asked = 0;

  constructor(main, go) {
    super(main, "puzzles-page");
    this.go = go;
    document.title = "mossa: puzzles";
    this.parts.game.onchange = this.parts.length.onchange = () => {
      Object.assign(this.you, { game: this.parts.game.value, length: this.parts.length.value });
      this.keep();
      this.next();
    };
    this.ready = this.open();
  }

  leave() {
    this.asked = NaN;  // no answer is waited for any more
    this.live.close();
  }

  async open() {
    const { game, length } = this.parts;
    for (const { game: value, title, count } of await ask("puzzles")) game.append(html("option", { value }, `${title} (${count})`));
    game.value = this.you.game;
    length.value = this.you.length;
    if (game.selectedIndex < 0) game.value = this.you.game = "";
    if (length.selectedIndex < 0) length.value = this.you.length = "0";
    this.keep();
    const name = new URLSearchParams(location.search).get("puzzle");
    this.begin(name ? await ask(`puzzles/${encodeURIComponent(name)}`) : await this.wanted());
  }

  wanted() {
    const { rating, done, game, length } = this.you;
    return ask("puzzles", { game, rating: Math.max(0, Math.round(rating)), turns: Number(length), done });
  }

  next() { attempt(async () => this.begin(await this.wanted())); }

  begin(puzzle) {
    const { parts } = this;
    if (Number.isNaN(this.asked)) return;
    this.asked++;
    Object.assign(this, { puzzle, step: 0, counted: false, over: false, busy: false, shown: [puzzle.position], at: 0 });
    history.replaceState(null, "", `?puzzle=${puzzle.name}`);
    this.dress(puzzle.position);
    parts.task.textContent = puzzle.task;
    parts.about.textContent = `${puzzle.title} · rated ${puzzle.rating}`;
    for (const each of [parts.line, parts.proof, parts.walks, parts.analyse]) each.hidden = true;
    parts.line.replaceChildren();
    parts.answer.hidden = false;
    parts.next.className = "";
    this.tell(`${puzzle.mover}. ${puzzle.turns > 1 ? `${puzzle.turns} moves to find.` : "One move to find."}`);
    this.show(puzzle.position, false);
  }

  /** Say how things stand. @param {string} [look] */
  tell(text, look = "") {
    this.parts.lesson.textContent = text;
    this.parts.lesson.className = `lesson ${look}`;
  }

  async show(position, animate = true) {
    const { board, over, puzzle, step } = this;
    board.active = false;
    this.offer(over ? [] : position.legal);
    this.parts.status.textContent = over ? position.standing : `${puzzle.mover} · move ${step + 1} of ${puzzle.turns}`;
    const asked = this.asked;
    await board.show(position, { animate });
    if (asked === this.asked) board.active = !this.over && !this.busy;
  }

  play(move) {
    if (this.busy || this.over) return;
    this.busy = true;
    this.board.active = false;
    const asked = this.asked;
    attempt(() => this.graded(move, asked).finally(() => { if (asked === this.asked) this.busy = false; })).then(() => {
      if (asked === this.asked) this.board.active = !this.over;
    });
  }

  async graded(move, asked) {
    const byKeys = document.activeElement?.matches(":focus-visible");
    const before = this.shown.at(-1);
    try {
      const { right, done, told, positions } = await ask(`puzzles/${this.puzzle.name}/answers`, { step: this.step, move });
      if (asked !== this.asked) return;
      if (!right) {
        this.count(0);
        this.tell(`${told} Try again.`, "wrong");
        return await this.show(before, false);
      }
      this.tell(told, "right");
      this.over = done;
      this.step += 1;
      for (const position of positions) {
        this.shown.push(position);
        this.at = this.shown.length - 1;
        await this.show(position);
        if (asked !== this.asked) return;
      }
    } catch (error) {
      if (asked === this.asked) this.show(before, false);
      throw error;
    }
    if (!this.over) return;
    this.count(1);
    await this.explain(asked);
    if (byKeys && asked === this.asked) this.parts.next.focus();
  }

  /** Only the first try changes the rating. */
  count(score) {
    if (this.counted) return;
    this.counted = true;
    const { you, puzzle } = this;
    const expected = 1 / (1 + 10 ** ((puzzle.rating - you.rating) / 400));
    const change = (you.tried < NEW ? 40 : 20) * (score - expected);
    you.rating += change;
    you.tried += 1;
    you.solved += score;
    you.streak = score ? you.streak + 1 : 0;
    you.best = Math.max(you.best, you.streak);
    if (!you.done.includes(puzzle.name)) you.done.push(puzzle.name);
    this.keep(Math.round(change));
  }

  keep(change = 0) {
    const { you, parts } = this;
    remember("puzzles", you);
    parts.rating.replaceChildren(String(Math.round(you.rating)), change ? html("small", { className: change > 0 ? "up" : "down" }, change > 0 ? `+${change}` : `−${-change}`) : "");
    parts.streak.textContent = you.streak;
    parts.best.textContent = you.best;
    parts.solved.textContent = `${you.solved}/${you.tried}`;
  }

  forget() {
    if (!confirm("Reset your rating and forget the puzzles you have solved?")) return;
    Object.assign(this.you, BEGIN, { done: [] });
    this.keep();
  }

  /** Give up: play the line through. */
  answer() {
    const { asked } = this;
    if (!this.puzzle || this.over) return;
    this.count(0);
    this.over = true;
    this.board.active = false;
    this.parts.answer.hidden = true;
    attempt(async () => {
      await this.explain(asked);
      for (let at = 0; at < this.shown.length; at++) {
        if (asked !== this.asked || (at && at !== this.at + 1)) return;  // somebody walks along alone
        await this.walk(at);
        await new Promise((done) => setTimeout(done, moving() ? PAUSE : 0));
      }
    });
  }

  /** Explain the answer, and let the person step through it. */
  async explain(asked) {
    const { parts, puzzle } = this;
    const { line, told, proof } = await ask(`puzzles/${puzzle.name}/solution`);
    if (asked !== this.asked) return;
    const solved = parts.lesson.classList.contains("right") && this.step === puzzle.turns;
    this.shown = [puzzle.position, ...line.map((each) => each.position)];
    this.at = solved ? line.length : 0;
    parts.line.replaceChildren(...line.map((each) => html("li", {}, each.told)));
    parts.proof.textContent = proof;
    if (!solved) this.tell(`The answer is ${line[0].move}. ${told}`);
    else if (!parts.lesson.textContent.includes(told)) parts.lesson.textContent += ` ${told}`;
    for (const each of [parts.line, parts.proof, parts.walks, parts.analyse]) each.hidden = false;
    parts.answer.hidden = true;
    parts.next.className = "primary";
    this.mark();
  }

  mark() {
    [...this.parts.line.children].forEach((each, at) => { each.ariaCurrent = at === this.at - 1 ? "step" : null; });
    this.parts.status.textContent = this.shown[this.at].standing;
  }

  get places() {
    const last = this.shown.length - 1;
    return this.over && !this.parts.walks.hidden ? { Home: 0, ArrowLeft: Math.max(0, this.at - 1), ArrowRight: Math.min(last, this.at + 1), End: last } : {};
  }

  async walk(to) {
    if (to === undefined) return;
    const animate = to === this.at + 1;
    this.at = to;
    this.mark();
    await this.show(this.shown[to], animate);
  }

  analyse() {
    const { game, history: moves, start } = this.puzzle.position;
    this.go(`/analyse?${new URLSearchParams({ game, moves: moves.join(" "), ...(start ? { board: start } : {}) })}`);
  }
}
