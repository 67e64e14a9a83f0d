// A game: the board, whose turn it is, what the computer thinks, and what a person may do.
import { ask, Live, Refused } from "./api.js";
import "./board.js";
import { complain, copy, html, say } from "./dom.js";
import { look, playerName, sideName, thought } from "./words.js";

/** @param {HTMLElement} main @param {string} id @param {(address: string) => void} go */
export function playPage(main, id, go) {
  const page = new Play(main, id, go);
  return { ready: page.open(), leave: () => page.leave() };
}

class Play {
  /** @param {HTMLElement} main @param {string} id @param {(address: string) => void} go */
  constructor(main, id, go) {
    this.main = main;
    this.id = id;
    this.go = go;
    this.live = new Live();
    /** @type {any} */ this.game = null;
    this.gone = false;
    /** @type {Promise<unknown>} */ this.drawn = Promise.resolve();
    const button = (/** @type {string} */ text, /** @type {() => unknown} */ act) => html("button", { type: "button", onclick: act }, text);
    this.board = html("mossa-board");
    this.board.addEventListener("move", (/** @type {CustomEvent} */ event) => this.act("moves", { move: event.detail }));
    this.players = { first: html("div", { className: "player" }), second: html("div", { className: "player" }) };
    this.status = html("p", { className: "status" });
    this.thoughts = html("p", { className: "thoughts" });
    this.list = html("ol", { className: "moves", "aria-label": "Moves" });
    this.extra = html("div", { className: "buttons" });
    this.buttons = {
      back: button("Take back", () => this.act("take-back", {})),
      hint: button("Hint", () => this.hint()),
      resign: button("Resign", () => confirm("Resign this game?") && this.act("resign", {})),
      rematch: button("Rematch", () => this.rematch()),
    };
  }

  async open() {
    const game = await ask(`games/${this.id}`);
    if (this.gone) return;
    const forms = ["mossa", "jsonl", ...(game.position.kind === "mnk" ? ["sgf", "psq"] : [])];
    this.main.replaceChildren(html("div", { className: `table ${look(game.position)}` },
      html("h1", { className: "hidden" }, "Game"),
      html("div", { className: "stage" },
        html("div", { className: "players" }, this.players.first, this.players.second),
        this.board, this.status),
      html("aside", {},
        html("div", { className: "buttons" }, ...Object.values(this.buttons)), this.extra,
        html("section", { className: "box" }, html("h2", {}, "Thinking"), this.thoughts),
        html("section", { className: "box" }, html("h2", {}, "Moves"), this.list,
          html("div", { className: "buttons small" },
            html("button", { type: "button", onclick: () => copy(this.game.position.history.join(" ")) }, "Copy"),
            ...forms.map((form) => html("a", { href: `/api/games/${this.id}/record?form=${form}`, download: `game.${form}` }, `.${form}`)),
            html("button", { type: "button", className: "link", onclick: () => this.analyse() }, "Analyse"))))));
    await this.show(game, false);
  }

  leave() {
    this.gone = true;
    this.live.close();
  }

  /** Draw a state of the game, then let who is next have the turn. @param {any} game @param {boolean} animate */
  async show(game, animate = true) {
    this.game = game;
    const { position, end } = game;
    document.title = `mossa: ${position.game}`;
    this.board.active = false;
    this.fill();
    // One thing at a time moves on the board; the computer may think meanwhile.
    this.drawn = this.drawn.then(() => this.board.show(position, { animate }));
    if (game.awaits === "computer") this.think();
    else this.live.stop();
    await this.drawn;
    if (this.gone || this.game !== game) return;
    this.board.active = game.awaits === "person";
    const last = position.history.at(-1);
    say(`${last ? `Move ${last}. ` : ""}${this.status.textContent}`);
    if (end) this.board.classList.add("over");
    else this.board.classList.remove("over");
  }

  fill() {
    const { position, players, awaits, end } = this.game;
    for (const side of /** @type {("first" | "second")[]} */ (["first", "second"])) {
      const turn = !end && position.side === side;
      this.players[side].className = `player ${side} ${turn ? "turn" : ""} ${end?.winner === side ? "winner" : ""}`;
      this.players[side].replaceChildren(html("i", { className: `token ${side}` }), html("span", {}, sideName(position, side)), html("small", {}, playerName(players[side])));
    }
    const mover = sideName(position, position.side);
    const both = players.first === players.second;
    this.status.textContent = end
      ? `${end.winner ? `${sideName(position, end.winner)} wins` : "Draw"}: ${end.reason}`
      : awaits === "computer" ? `${playerName(players[position.side])} is thinking …` : both ? `${mover} to move` : `Your move: ${mover}`;
    this.list.replaceChildren(...position.history.map((/** @type {string} */ move) => html("li", {}, move)));
    this.list.scrollTop = this.list.scrollHeight;
    this.buttons.back.disabled = !this.game.can_take_back;
    this.buttons.hint.disabled = awaits !== "person";
    this.buttons.resign.disabled = Boolean(end) || !Object.values(players).includes("human");
    this.buttons.rematch.className = end ? "primary" : "";
    // A move that has no place on the board, such as swap, is a button.
    const off = awaits === "person" ? position.legal.filter((/** @type {any} */ one) => !one.cell) : [];
    this.extra.replaceChildren(...off.map((/** @type {any} */ one) =>
      html("button", { type: "button", onclick: () => this.act("moves", { move: one.move }) }, one.move)));
  }

  think() {
    const game = this.game;
    this.live.ask({ do: "think", id: this.id, version: game.version }, (message) => {
      if (message.error) this.reload(message.error);
      if (message.info) this.thoughts.textContent = thought(game.position, message.info);
      if (message.game) this.show(message.game);
    });
  }

  hint() {
    const { position, version } = this.game;
    this.buttons.hint.disabled = true;
    this.live.ask({ do: "hint", id: this.id, version }, (message) => {
      if (message.error) complain(message.error);
      const info = message.info ?? message.hint;
      if (info) this.thoughts.textContent = thought(position, info);
      if (!message.hint) return;
      this.board.marks = { hint: info.move };
      this.status.textContent = `Hint: ${info.move}`;
      say(`Hint: ${info.move}`);
      this.buttons.hint.disabled = false;
    });
  }

  /** Change the game; if somebody else has, show what came of it. @param {string} what @param {object} body */
  async act(what, body) {
    this.board.active = false;
    try {
      await this.show(await ask(`games/${this.id}/${what}`, { ...body, version: this.game.version }));
    } catch (error) {
      this.reload(error);
    }
  }

  /** @param {unknown} error */
  async reload(error) {
    if (this.gone) return;
    complain(error);
    this.board.active = this.game.awaits === "person";
    if (error instanceof Refused && error.status !== 409) return;
    const game = await ask(`games/${this.id}`).catch(complain);
    if (game && game.version !== this.game.version) await this.show(game, false);
  }

  async rematch() {
    try {
      this.go(`/play/${(await ask(`games/${this.id}/rematch`, {})).id}`);
    } catch (error) {
      complain(error);
    }
  }

  analyse() {
    const { game, history } = this.game.position;
    this.go(`/analyse?${new URLSearchParams({ game, moves: history.join(" ") })}`);
  }
}
