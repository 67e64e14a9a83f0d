// A game: the board, whose turn it is, the clocks, what the computer thinks, and what a person may do.
import { ask, seat } from "./api.js";
import { Clocks } from "./clock.js";
import { attempt, complain, copy, keep, recall, say } from "./dom.js";
import { SIDES } from "./drawing.js";
import { listed, markMove } from "./moves.js";
import { Table } from "./table.js";

const LATE = 400;  // milliseconds that the server lends, and the way there

export class Play extends Table {
  game;
  /** How many moves of the game the board shows; null: all. @type {number | null} */ at = null;
  asked = 0;
  gone = false;
  /** @type {Promise<unknown>} */ drawn = Promise.resolve();

  constructor(main, id, go) {
    super(main, "play-page");
    this.id = id;
    this.go = go;
    this.status = this.parts.status;
    this.clocks = new Clocks({ first: this.parts["clock-first"], second: this.parts["clock-second"] }, () => this.timeUp());
    this.ready = this.open();
  }

  play(move) { this.act("moves", { move }); }
  takeBack() { this.act("take-back"); }
  draw() { this.act("draw"); }
  resign() { if (confirm("Resign this game?")) this.act("resign"); }
  copy() { copy(this.moves.join(" ")); }
  analyse() { this.go(`/analyse?${this.game.query}`); }
  review() { this.go(`/review?${this.game.query}`); }

  async open() {
    const game = await this.#load();
    if (game.seats) this.friend = new (await import("./friend.js")).Friend(this);
    if (this.gone) return;
    const { position } = game;
    if (!game.seats || game.seats.you) keep("games", this.id);
    this.board.turned = position.turns && game.side === "second";
    this.dress(position);
    // The board's stones also mark the sides.
    SIDES.forEach((side, at) => this.parts[side].querySelector("use").setAttribute("href", `#${position.stones[at]}`));
    for (const link of this.parts.table.querySelectorAll("[data-file]")) link.href = `/api/games/${this.id}/record?form=${link.dataset.file}`;
    document.title = `mossa: ${position.game}`;
    const play = this;
    // Other tabs and devices may change the game too.
    this.live.ask({ do: "watch", id: this.id, seat, get version() { return play.game.version; } }, (message) => message.game && this.show(message.game), "watch");
    await this.show(game, { animate: false });
  }

  /** Opening a friend's link takes the seat; latecomers watch. */
  async #load() {
    const game = await ask(`games/${this.id}`);
    if (!game.seats?.free || game.seats.you) return game;
    return ask(`games/${this.id}/join`, {}).catch(({ status }) => status === 409 ? this.#load() : game);
  }

  leave() {
    this.gone = true;
    this.live.close();
    this.clocks.stop();
  }

  /** The moves of the game, including those the board does not show. @returns {string[]} */
  get moves() { return this.game.position.history; }

  /** Draw a state of the game unless it is known already, then give the turn to whoever is next. */
  async show(game, { animate = true, thought = "" } = {}) {
    if (this.gone || game.version <= this.game?.version) return;
    if (this.game && game.seats?.next && !this.game.seats.next) return this.go(`/play/${game.seats.next}`);
    this.game = game;
    const { position, end } = game;
    // Someone looking back may go on doing so, as long as those moves stand.
    if (this.at !== null && String(this.moves.slice(0, this.at)) !== String(this.board.position.history)) this.at = null;
    this.board.active = false;
    this.parts.thoughts.textContent = thought;
    this.fill();
    // Only one thing moves on the board at a time; the computer may think meanwhile.
    if (animate && this.at === null && position.last[0] && (recall("settings")?.sound ?? true)) import("./sound.js").then(({ click }) => click());
    this.drawn = this.drawn.then(() => this.at === null && this.board.show(position, { animate }));
    if (game.awaits === "computer") this.think();
    else this.live.stop();
    await this.drawn;
    if (this.gone || this.game !== game) return;
    this.activate();
    say(`${position.said && `Move ${position.said}. `}${game.status}`);
    this.board.classList.toggle("over", Boolean(end));
  }

  activate() { this.board.active = this.at === null && this.game.awaits === "person"; }

  fill() {
    const { parts, at, moves } = this;
    const { position, players, names, awaits, end, clock, status, seats } = this.game;
    for (const side of SIDES) {
      const [, name, player] = parts[side].children;
      parts[side].className = `player ${side} ${!end && position.side === side ? "turn" : ""} ${end?.winner === side ? "winner" : ""}`;
      name.textContent = position.sides[side];
      player.textContent = names[side];
    }
    this.clocks.show(clock);
    this.status.textContent = at === null ? status : at ? `Looking back at move ${at} of ${moves.length}` : "Looking back at the start";
    this.status.classList.toggle("result", at === null && Boolean(end));
    // Do not relist a long game for every move.
    const { list } = parts;
    while (list.children.length > moves.length || (list.lastChild && list.lastChild.lastChild.textContent !== moves[list.children.length - 1])) list.lastChild.remove();
    for (let ply = list.children.length + 1; ply <= moves.length; ply++) list.append(listed(ply, moves[ply - 1], () => this.walk(ply)));
    markMove(list, list.children[(at ?? moves.length) - 1]?.lastChild);
    for (const each of parts.table.querySelectorAll(".steps [data-key]")) each.disabled = this.places[each.dataset.key] === (at ?? moves.length);
    parts.now.hidden = at === null;
    this.friend?.show(this.game);
    parts.takeBack.disabled = !this.game.can_take_back;
    parts.hint.disabled = awaits !== "person";
    parts.resign.disabled = Boolean(end) || !Object.values(players).includes("human") || seats?.you === null;
    parts.rematch.className = parts.review.className = end ? "primary" : "";
    parts.review.disabled = !moves.length;
    this.offer(awaits === "person" && at === null ? position.legal : []);
  }

  /** Where the keys and buttons lead. */
  get places() {
    if (!this.game) return {};
    const last = this.moves.length, at = this.at ?? last;
    return { Home: 0, ArrowLeft: Math.max(0, at - 1), ArrowRight: Math.min(last, at + 1), End: last };
  }

  /** Show the game as it was after this many moves. @param {number | undefined} to */
  async walk(to) {
    const { position } = this.game;
    const from = this.at ?? this.moves.length;
    if (to === undefined || to === from) return;
    const asked = ++this.asked;
    this.at = to === this.moves.length ? null : to;
    this.board.active = false;
    this.fill();
    const shown = this.at === null ? position
      : await ask("position", { game: position.game, board: position.start ?? "", moves: this.moves.slice(0, to).join(" ") }).catch(complain);
    if (this.gone || asked !== this.asked || !shown) return;
    this.board.show(shown, { animate: to > from });
    this.activate();
    say(this.status.textContent);
  }

  /** Have the server think, and show its thoughts. */
  #consider(what, answer) {
    this.live.ask({ do: what, id: this.id, version: this.game.version }, (message) => {
      const info = message.info ?? message.hint;
      if (info) this.parts.thoughts.textContent = info.text;
      answer(message);
    });
  }

  think() {
    this.#consider("think", ({ error, info, game }) => {
      if (error) this.reload(error);
      if (game) this.show(game, { thought: info?.text });
    });
  }

  hint() {
    this.parts.hint.disabled = true;
    this.walk(this.places.End);
    this.#consider("hint", ({ error, hint }) => {
      if (error) complain(error);
      if (!hint) return;
      this.board.marks = { hint: hint.line[0] };
      this.status.textContent = `Hint: ${hint.move}`;
      say(`Hint: ${hint.said}`);
      this.parts.hint.disabled = false;
    });
  }

  rematch() {
    if (this.friend) this.act("rematch");
    else if (this.game.end || confirm("This game is not over. Leave it and start a new one?")) {
      attempt(async () => this.go(`/play/${(await ask(`games/${this.id}/rematch`, {})).id}`));
    }
  }

  /** The server confirms a little later whether time is really up. */
  timeUp() {
    const { version, awaits } = this.game;
    this.status.textContent = "Time is up";
    if (awaits !== "computer") setTimeout(() => !this.gone && this.game.version === version && this.act("flag"), LATE);
  }

  /** Change the game; if somebody else did first, show the result. */
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
      this.activate();
      return;
    }
    const game = await ask(`games/${this.id}`).catch(complain);
    if (game) await this.show(game, { animate: false });
  }
}
