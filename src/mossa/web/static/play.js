// A game: the board, whose turn it is, the clocks, what the computer thinks, and what a person may do.
import { ask, Live } from "./api.js";
import "./board.js";
import { Clocks } from "./clock.js";
import { attempt, button, complain, copy, html, page, say } from "./dom.js";
import { look, sideName } from "./words.js";

const LATE = 400;  // milliseconds that the server lends, and the way there

export function playPage(main, id, go) {
  const play = new Play(main, id, go);
  return { ready: play.open(), leave: () => play.leave() };
}

class Play {
  /** @type {any} */ game = null;
  live = new Live();
  gone = false;
  /** @type {Promise<unknown>} */ drawn = Promise.resolve();

  constructor(main, id, go) {
    this.id = id;
    this.go = go;
    const parts = this.parts = page(main, "play-page");
    this.board = parts.board;
    this.status = parts.status;
    this.clocks = new Clocks({ first: parts["clock-first"], second: parts["clock-second"] }, () => this.timeUp());
    this.board.addEventListener("move", (event) => this.act("moves", { move: event.detail }));
    parts.back.onclick = () => this.act("take-back");
    parts.hint.onclick = () => this.hint();
    parts.resign.onclick = () => confirm("Resign this game?") && this.act("resign");
    parts.rematch.onclick = () => attempt(async () => go(`/play/${(await ask(`games/${id}/rematch`, {})).id}`));
    parts.copy.onclick = () => copy(this.game.position.history.join(" "));
    parts.analyse.onclick = () => this.look("analyse");
    parts.review.onclick = () => this.look("review");
  }

  async open() {
    const game = await ask(`games/${this.id}`);
    if (this.gone) return;
    const { position } = game;
    this.parts.table.classList.add(look(position));
    for (const link of this.parts.table.querySelectorAll("[data-file]")) {
      link.href = `/api/games/${this.id}/record?form=${link.dataset.file}`;
      link.download = `game.${link.dataset.file}`;
    }
    document.title = `mossa: ${position.game}`;
    await this.show(game, false);
  }

  leave() {
    this.gone = true;
    this.live.close();
    this.clocks.stop();
  }

  /** Draw a state of the game, then let who is next have the turn. */
  async show(game, animate = true) {
    this.game = game;
    const { position, end } = game;
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
    this.board.classList.toggle("over", Boolean(end));
  }

  fill() {
    const { parts } = this;
    const { position, players, names, awaits, end, clock, status } = this.game;
    for (const side of ["first", "second"]) {
      const [, name, player] = parts[side].children;
      parts[side].className = `player ${side} ${!end && position.side === side ? "turn" : ""} ${end?.winner === side ? "winner" : ""}`;
      name.textContent = sideName(position, side);
      player.textContent = names[side];
    }
    this.clocks.show(clock);
    this.status.textContent = status;
    // A long game is not listed anew for every move.
    const { list } = parts;
    const { history } = position;
    while (list.children.length > history.length || (list.lastChild && list.lastChild.textContent !== history[list.children.length - 1])) list.lastChild.remove();
    list.append(...history.slice(list.children.length).map((move) => html("li", {}, move)));
    list.scrollTop = list.scrollHeight;
    parts.back.disabled = !this.game.can_take_back;
    parts.hint.disabled = awaits !== "person";
    parts.resign.disabled = Boolean(end) || !Object.values(players).includes("human");
    parts.rematch.className = end ? "primary" : "";
    parts.review.className = end ? "primary" : "";
    parts.review.disabled = !history.length;
    // A move that has no place on the board, such as swap, is a button.
    const off = awaits === "person" ? position.legal.filter((one) => !one.cell) : [];
    parts.extra.replaceChildren(...off.map((one) => button(one.move, () => this.act("moves", { move: one.move }))));
  }

  think() {
    const { position, version } = this.game;
    this.live.ask({ do: "think", id: this.id, version }, (message) => {
      if (message.error) this.reload(message.error);
      if (message.info) this.parts.thoughts.textContent = message.info.text;
      if (message.game) this.show(message.game);
    });
  }

  hint() {
    const { position, version } = this.game;
    this.parts.hint.disabled = true;
    this.live.ask({ do: "hint", id: this.id, version }, (message) => {
      if (message.error) complain(message.error);
      const info = message.info ?? message.hint;
      if (info) this.parts.thoughts.textContent = info.text;
      if (!message.hint) return;
      this.board.marks = { hint: info.move };
      this.status.textContent = `Hint: ${info.move}`;
      say(`Hint: ${info.move}`);
      this.parts.hint.disabled = false;
    });
  }

  /** Whether the time is really up says the server, a little later. */
  timeUp() {
    const { version, awaits } = this.game;
    this.status.textContent = "Time is up";
    if (awaits === "person") setTimeout(() => !this.gone && this.game.version === version && this.act("flag"), LATE);
  }

  /** Change the game; if somebody else has, show what came of it. */
  async act(what, body = {}) {
    this.board.active = false;
    try {
      await this.show(await ask(`games/${this.id}/${what}`, { ...body, version: this.game.version }));
    } catch (error) {
      this.reload(error);
    }
  }

  async reload(error) {
    if (this.gone) return;
    complain(error);
    if ((error.status ?? 409) !== 409) {
      this.board.show(this.game.position, { animate: false });
      this.board.active = this.game.awaits === "person";
      return;
    }
    const game = await ask(`games/${this.id}`).catch(complain);
    if (game && game.version !== this.game.version) await this.show(game, false);
  }

  /** Take the game to another page. */
  look(path) {
    const { position, players } = this.game;
    const query = new URLSearchParams({ game: position.game, moves: position.history.join(" ") });
    if (position.start) query.set("board", position.start);
    if (players.first !== players.second) query.set("side", players.first === "human" ? "first" : "second");
    this.go(`/${path}?${query}`);
  }
}
