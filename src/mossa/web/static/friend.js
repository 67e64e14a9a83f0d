// A game with a friend on another device: the link to send, and what one offers the other.
import { ask } from "./api.js";
import { attempt, copy, html, page, say } from "./dom.js";

export class Friend {
  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
    const root = html("div", { className: "friend" });
    this.parts = page(root, "friend-panel");
    play.parts.table.querySelector(".stage").prepend(root);
    play.parts.hint.hidden = true;
    play.parts.draw.hidden = false;
    play.parts.thoughts.closest("section").hidden = true;
    this.parts.copy.onclick = () => copy(this.parts.link.value);
    this.parts.link.onfocus = () => this.parts.link.select();
    this.parts.accept.onclick = () => play.act(play.game.seats.offer);
    this.parts.decline.onclick = () => play.act("decline");
  }

  show({ seats: { you, free, offer, mine, told, next }, end }) {
    const { parts, play } = this, waits = Boolean(you && free);
    if (waits && parts.invitation.hidden) attempt(() => this.#invite());
    parts.invitation.hidden = !waits;
    if (told !== parts.told.textContent) say(told);
    parts.told.textContent = told;
    parts.offer.hidden = !told;
    parts.accept.hidden = mine;
    parts.decline.textContent = mine ? "Withdraw" : "Decline";
    parts.watching.hidden = Boolean(you);
    play.parts.draw.disabled = !you || Boolean(free || end || offer);
    play.parts.takeBack.disabled ||= Boolean(offer);
    play.parts.rematch.disabled = !you || !end || Boolean(offer || next);
    parts.next.hidden = !next;
    parts.next.firstElementChild.href = `/play/${next}`;
  }

  async #invite() {
    const { link, code, note } = await ask(`games/${this.play.id}/invitation`, { origin: location.origin });
    this.parts.link.value = link;
    this.parts.code.innerHTML = code;
    this.parts.note.textContent = note;
  }
}
