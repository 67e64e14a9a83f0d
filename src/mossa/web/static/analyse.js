// Analysis: move scores while the engine looks deeper, the best line, and a game with all its
// branches to step through. A review is the same with graded moves.
import { ask, fragment, Live } from "./api.js";
import { attempt, complain, copy, inform, keep, recall, remember, say } from "./dom.js";
import { Editor } from "./edit.js";
import { picked, plot } from "./graph.js";
import { Moves } from "./moves.js";
import { Review } from "./review.js";
import { Table } from "./table.js";

export class Analyse extends Table {
  sweep = new Live();
  name = "";
  start = "";
  /** Moves that no player chose. */ opening = 0;
  asked = 0;
  seen = new Map();
  position;
  found;
  /** The address under which this browser keeps the analysis. */ remembered = "";

  constructor(main, go) {
    super(main, "analyse-page");
    const { parts } = this;
    this.go = go;
    this.address = new URLSearchParams(location.search);
    this.moves = new Moves("", parts.list, () => {});
    this.review = location.pathname === "/review" ? new Review(this, this.address.get("side")) : null;
    this.editor = new Editor(parts, (position) => this.edited(position));
    if (this.review) {
      parts.title.textContent = "Review";
      parts.engine.checked = false;
      parts.other.textContent = "Analyse";
    }
    parts.explorer.onclick = ({ target }) => target.dataset.move && this.play(target.dataset.move);
    parts.graph.onclick = (event) => this.walk(picked(parts.graph, this.moves.line, event));
    parts.engine.onchange = () => this.show(this.position);
    parts.scores.onchange = parts.ghosts.onchange = () => this.mark();
    for (const [name, box] of Object.entries({ "all-scores": parts.all, network: parts.network })) {
      box.checked = recall(name) ?? box.checked;
      box.onchange = () => { remember(name, box.checked); this.mark(); };
    }
    parts.form.onsubmit = (event) => {
      event.preventDefault();
      const game = parts.game.value;
      attempt(() => this.read(game, game === this.name ? this.start : "", parts.paste.value));
    };
    this.ready = this.open();
  }

  /** Keep one copy of a growing analysis, as it stands now. */
  remember() {
    const query = this.link("").slice(1);
    keep("analyses", query, this.remembered);
    this.remembered = query;
  }

  promote() { this.moves.promote(); }
  remove() { this.moves.remove(); }
  other() { this.go(this.link(this.review ? "/analyse" : "/review")); }
  share() { copy(location.href); }

  async open() {
    const field = (name, usual = "") => this.address.get(name) ?? usual;
    const game = this.parts.game.value = field("game", "connect4");
    await this.read(game, field("board"), field("moves"), field("at"), Number(field("opening")));
    this.review?.start();
  }

  leave() {
    this.asked = NaN;  // no answer is waited for any more
    for (const live of [this.live, this.sweep, this.review?.live]) live?.close();
  }

  async read(game, board, text, at = "", opening = 0) {
    const asked = ++this.asked;
    const found = await ask("read", { game, board, text });
    if (asked !== this.asked) return;
    inform(found.note);
    this.name = found.game;
    this.start = found.board;
    this.opening = found.opening || opening;
    this.seen.clear();
    this.moves = new Moves(found.moves, this.parts.list, (node) => this.walk(node));
    this.seen.set(this.moves.path(this.moves.here), found.position);
    if (at) this.moves.here = [this.moves.root, ...this.moves.all()][Number(at)] ?? this.moves.here;
    await this.walk(this.moves.here);
    if (!this.review && this.moves.line.length > 2) this.glance();
  }

  /** What to ask the server for. */
  wanted(node = this.moves.here) { return { game: this.name, board: this.start, moves: this.moves.path(node) }; }

  /** Value the whole game; looking at a position improves its value. */
  glance() {
    const { line } = this.moves;
    this.sweep.close();
    this.sweep = new Live();
    this.sweep.ask({ do: "graph", position: this.wanted(line.at(-1)) }, ({ point }) => {
      if (!point) return this.sweep.close();
      line[point.ply].value ??= point.advantage;
      this.plot();
    });
  }

  plot() { plot(this.parts.graph, this.moves.line, this.moves.here); }

  play(move) {
    if (this.review?.fault) return this.review.answer(move);
    if (this.moves.add(move)) this.moves.draw();
    return this.walk(this.moves.here);
  }

  async walk(node) {
    if (!node) return;
    this.moves.here = node;
    const asked = ++this.asked;
    const wanted = this.wanted();
    try {
      const position = this.seen.get(wanted.moves) ?? await ask("position", wanted);
      this.seen.set(wanted.moves, position);
      if (asked === this.asked) this.show(position);
    } catch (error) {
      if (!this.position) throw error;
      complain(error);
      this.show(this.position);
    }
  }

  show(position) {
    const { parts, moves: { here }, review } = this;
    const { outcome, legal, evaluation: { told, chances } } = position;
    this.position = position;
    this.found = null;
    this.dress(position);
    document.title = `mossa: ${review ? "review" : "analysis"} of ${position.game}`;
    history.replaceState(null, "", this.link(location.pathname));
    if (this.moves.text()) this.remember();
    parts.game.value = this.name;
    if (document.activeElement !== parts.paste) parts.paste.value = this.moves.text();  // what is being typed stays
    this.board.show(position);
    this.board.active = !outcome;
    this.moves.mark();
    this.offer(legal);
    parts.best.textContent = parts.facts.textContent = "";
    parts.evaluation.textContent = told;
    parts.chances.innerHTML = chances;
    parts.network.parentNode.hidden = !chances;
    parts.status.textContent = position.standing;
    say(parts.status.textContent);
    if (outcome) here.value = Math.sign(outcome.value);
    this.lean(here.value, outcome ? "Game over" : here.note?.score ? `${position.sides[here.note.side]} ${here.note.score.words}` : "");
    this.mark();
    if (!review) this.explore();
    if (outcome || !parts.engine.checked || review?.fault) return this.live.stop();
    this.live.ask({ do: "analyse", position: this.wanted() }, ({ error, analysis, done }) => {
      if (error) parts.facts.textContent = error;
      if (analysis) this.tell(analysis);
      if (done) parts.facts.textContent += " · done";
    });
  }

  /** Show what others played here, unless the person has moved on. */
  async explore() {
    const { asked, parts } = this;
    const table = await fragment("explorer", this.wanted()).catch(() => "");
    if (asked !== this.asked) return;
    parts.explored.hidden = !table;
    parts.explorer.innerHTML = table;
  }

  tell(found) {
    const { position, parts } = this;
    this.found = found;
    parts.best.textContent = found.line.map((one) => one.move).join(" ");
    parts.facts.textContent = found.text;
    this.moves.here.value = found.advantage;
    this.lean(found.advantage, `${position.sides[position.side]} ${found.score.words}`);
    this.mark();
  }

  /** @param {number | undefined} advantage for first */
  lean(advantage = 0, words) {
    const { bar } = this.parts;
    bar.style.setProperty("--lean", `${50 + 50 * advantage}%`);
    bar.ariaValueNow = advantage;
    bar.lastChild.textContent = bar.ariaValueText = words;
    this.plot();
  }

  mark() {
    const { found, parts, review } = this;
    // Do not give a task away.
    const heat = parts.network.checked && !review?.fault ? this.position.evaluation.policy : {};
    this.board.marks = !found ? { ...review?.marks(this.moves.here), heat }
      : { scores: parts.scores.checked ? found.analysis : [], all: parts.all.checked, line: parts.ghosts.checked ? found.line : [], heat };
  }

  /** The address of this game, with its branches and where we are. */
  link(path) {
    const { here } = this.moves;
    const all = this.moves.all();
    const at = all.length === here.ply ? "" : String(all.indexOf(here) + 1);
    /** @type {any} */ const query = { game: this.name, moves: this.moves.text(), board: this.start, opening: this.opening, at, side: this.review?.side };
    return `${path}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value))}`;
  }

  edit() {
    this.live.stop();
    this.offer([]);
    this.parts.status.textContent = "Click the board to change it";
    this.editor.open(this.position);
  }

  edited(position) {
    if (position) attempt(() => this.read(this.name, position.text, ""));
    else this.show(this.position);
  }

  copy() {
    const form = this.parts.forms.value, moves = this.moves.text();
    return attempt(async () => {
      const { text, note } = form === "moves" ? { text: moves, note: "" } : await ask("write", { ...this.wanted(), moves, form });
      await copy(text);
      inform(note);
    });
  }

  playOn(node = this.moves.here) {
    const { side } = this.position, branched = this.moves.text().includes("(");
    return attempt(async () => {
      const game = await ask("games", { ...this.wanted(node), first: "level:5", second: "level:5", [side]: "human" });
      this.go(`/play/${game.id}`);
      if (branched) inform("A game is a single line of moves: your branches stay in the analysis");
    });
  }

  get places() {
    const { here, line, root } = this.moves;
    return this.board.editing ? {} : { Home: root, ArrowLeft: here.parent, ArrowRight: here.children[0], End: line.at(-1) };
  }
}
