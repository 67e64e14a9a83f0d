// Analysis: a score on every move while the engine looks deeper, the best line, all moves to walk along.
import { ask, Live } from "./api.js";
import "./board.js";
import { complain, copy, html, say } from "./dom.js";
import { amount, longScore, look, shortScore, sideName } from "./words.js";

const PLAIN = 12;

/** @param {HTMLElement} main @param {(address: string) => void} go */
export function analysePage(main, go) {
  const page = new Analyse(main, go);
  return { ready: page.open(), leave: () => page.leave() };
}

class Analyse {
  /** @param {HTMLElement} main @param {(address: string) => void} go */
  constructor(main, go) {
    this.main = main;
    this.go = go;
    this.live = new Live();
    const address = new URLSearchParams(location.search);
    this.name = address.get("game") ?? "connect4";
    this.text = address.get("moves") ?? "";
    /** @type {string[]} */ this.moves = [];
    this.ply = 0;
    this.asked = 0;
    /** @type {any} */ this.position = null;
    /** @type {any} */ this.found = null;
    const check = (/** @type {string} */ text) => html("input", { type: "checkbox", checked: true, onchange: () => this.mark(), "aria-label": text });
    this.board = html("mossa-board");
    this.board.addEventListener("move", (/** @type {CustomEvent} */ event) => this.play(event.detail));
    this.withScores = check("Scores on the board");
    this.withLine = check("Best line on the board");
    this.bar = html("div", { className: "bar", role: "meter", "aria-label": "Evaluation", "aria-valuemin": "-1", "aria-valuemax": "1" }, html("div"), html("span"));
    this.facts = html("p", { className: "thoughts" });
    this.best = html("p", { className: "line" });
    this.list = html("ol", { className: "moves", "aria-label": "Moves" });
    this.extra = html("div", { className: "buttons" });
    this.game = html("input", { value: this.name, "aria-label": "Game", list: "games", autocomplete: "off" });
    this.paste = html("input", { value: this.text, "aria-label": "Moves", placeholder: "4453 or h8 i9 …", autocomplete: "off" });
    this.status = html("p", { className: "status" });
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  async open() {
    const step = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => number} */ to) =>
      html("button", { type: "button", "aria-label": name, title: name, onclick: () => this.walk(to()) }, text);
    this.table = html("div", { className: "table" },
      html("h1", { className: "hidden" }, "Analysis"),
      html("div", { className: "stage" }, this.bar, this.board, this.status),
      html("aside", {},
        html("div", { className: "buttons steps" },
          step("«", "To the start", () => 0), step("‹", "Back", () => this.ply - 1),
          step("›", "Forward", () => this.ply + 1), step("»", "To the end", () => this.moves.length)),
        this.extra,
        html("section", { className: "box" }, html("h2", {}, "Engine"), this.best, this.facts,
          html("div", { className: "checks" }, html("label", {}, this.withScores, " scores"), html("label", {}, this.withLine, " best line"))),
        html("section", { className: "box" }, html("h2", {}, "Moves"), this.list,
          html("form", { className: "paste", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.load(this.game.value, this.paste.value).catch(complain); } },
            this.game, html("datalist", { id: "games" }, ...["connect4", "tictactoe", "gomoku", "kalah", "bantumi"].map((value) => html("option", { value }))),
            this.paste, html("button", { type: "submit" }, "Set up")),
          html("div", { className: "buttons small" },
            html("button", { type: "button", onclick: () => copy(this.moves.join(" ")) }, "Copy moves"),
            html("button", { type: "button", onclick: () => copy(location.href) }, "Copy address"),
            html("button", { type: "button", onclick: () => this.playOn() }, "Play from here")))));
    this.main.replaceChildren(this.table);
    document.addEventListener("keydown", this.keys);
    await this.load(this.name, this.text);
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
    this.live.close();
  }

  /** @param {string} game @param {string} text */
  async load(game, text) {
    const position = await ask("position", { game, moves: text });
    this.name = position.game;
    this.moves = position.history;
    this.ply = this.moves.length;
    this.show(position);
  }

  /** @param {string} move */
  play(move) {
    const moves = [...this.moves.slice(0, this.ply), move];
    // Along the moves that are there already, or on a new way.
    if (this.moves[this.ply] !== move) this.moves = moves;
    this.walk(moves.length);
  }

  /** @param {number} ply */
  async walk(ply) {
    this.ply = Math.max(0, Math.min(ply, this.moves.length));
    const asked = ++this.asked;
    try {
      const position = await ask("position", { game: this.name, moves: this.moves.slice(0, this.ply).join(" ") });
      if (asked === this.asked) this.show(position);
    } catch (error) {
      complain(error);
    }
  }

  /** @param {any} position */
  show(position) {
    this.position = position;
    this.found = null;
    this.table.className = `table ${look(position)}`;
    document.title = `mossa: analysis of ${position.game}`;
    history.replaceState(null, "", `/analyse?${new URLSearchParams({ game: this.name, moves: this.moves.join(" ") })}`);
    this.game.value = this.name;
    this.paste.value = this.moves.join(" ");
    this.board.show(position);
    this.board.active = !position.outcome;
    this.list.replaceChildren(...this.moves.map((move, index) => html("li", {},
      html("button", { type: "button", className: index + 1 === this.ply ? "here" : "", "aria-current": String(index + 1 === this.ply), onclick: () => this.walk(index + 1) }, move))));
    this.extra.replaceChildren(...position.legal.filter((/** @type {any} */ one) => !one.cell)
      .map((/** @type {any} */ one) => html("button", { type: "button", onclick: () => this.play(one.move) }, one.move)));
    const { outcome } = position;
    this.best.textContent = this.facts.textContent = "";
    this.status.textContent = outcome
      ? `${outcome.winner ? `${sideName(position, outcome.winner)} wins` : "Draw"}: ${outcome.reason}`
      : `${sideName(position, position.side)} to move`;
    say(this.status.textContent);
    if (outcome) {
      this.live.stop();
      this.lean(Math.sign(outcome.value), outcome.winner ? "over" : "draw");
      return;
    }
    this.live.ask({ do: "analyse", position: { game: this.name, moves: this.moves.slice(0, this.ply).join(" ") } }, (message) => {
      if (message.error) this.facts.textContent = message.error;
      if (message.analysis) this.tell(message.analysis);
      if (message.done) this.facts.textContent += " · done";
    });
  }

  /** @param {any} found */
  tell(found) {
    this.found = found;
    const { position } = this;
    this.best.textContent = found.line.map((/** @type {any} */ one) => one.move).join(" ");
    this.facts.textContent = `depth ${found.depth} · ${amount(found.nodes)} nodes · ${found.seconds.toFixed(1)} s`;
    this.lean(found.advantage, `${sideName(position, position.side)} ${longScore(position, found.score)}`);
    this.mark();
  }

  /** @param {number} advantage for first @param {string} words */
  lean(advantage, words) {
    this.bar.style.setProperty("--lean", `${50 + 50 * advantage}%`);
    this.bar.setAttribute("aria-valuenow", String(advantage));
    this.bar.setAttribute("aria-valuetext", words);
    this.bar.lastChild.textContent = words;
  }

  mark() {
    const { found, position } = this;
    if (!found) return;
    const best = JSON.stringify(found.score);
    const scores = this.withScores.checked ? Object.fromEntries(found.analysis.map((/** @type {any} */ one, /** @type {number} */ rank) => [one.move, {
      text: shortScore(position, one.score), words: longScore(position, one.score),
      // The moves come best first; on a large board the others must not drown them.
      look: `${JSON.stringify(one.score) === best ? "best" : rank >= PLAIN ? "faint" : ""} ${one.score.exact ? "exact" : ""}`,
    }])) : {};
    this.board.marks = { scores, line: this.withLine.checked ? found.line : [] };
  }

  async playOn() {
    try {
      const moves = this.moves.slice(0, this.ply).join(" ");
      const side = this.position.side;
      const game = await ask("games", { game: this.name, moves, first: side === "first" ? "human" : "level:5", second: side === "second" ? "human" : "level:5" });
      this.go(`/play/${game.id}`);
    } catch (error) {
      complain(error);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === "ArrowLeft") this.walk(this.ply - 1);
    else if (event.key === "ArrowRight") this.walk(this.ply + 1);
  }
}
