// The arena: tournaments that the server plays. It makes the tables too; this page asks for them while they grow.
import { ask, fragment } from "./api.js";
import { complain } from "./dom.js";

/** @param {HTMLElement} main @param {(address: string) => void} go */
export function arenaPage(main, go) {
  document.title = "mossa: arena";
  const name = location.pathname.split("/")[2] ?? "";
  let gone = false, duel = new URLSearchParams(), last = "";

  async function draw() {
    const page = await fragment(`arena/${name}?${duel}`);
    if (gone || page === last) return;
    const id = document.activeElement?.id;
    main.innerHTML = last = page;
    if (id) document.getElementById(id)?.focus();
  }

  /** Look again and again while games are played. */
  async function follow() {
    do {
      await draw();
      await new Promise((done) => setTimeout(done, 1000));
    } while (!gone && main.querySelector('[data-state="playing"], [data-state="waiting"]'));
  }

  async function clicked({ target }) {
    if (target.id === "more") target.previousElementSibling.append(target.previousElementSibling.lastElementChild.cloneNode());
    if (target.dataset.duel) {
      duel = new URLSearchParams({ player: target.dataset.duel, opponent: target.dataset.other });
      draw().then(() => main.querySelector(".list")?.scrollIntoView({ block: "nearest" }), complain);
    }
    if (target.dataset.do) ask(`tournaments/${name}/${target.dataset.do}`, {}).then(follow).catch(complain);
  }

  async function begin(event) {
    event.preventDefault();
    const data = new FormData(event.target), number = (key) => Number(data.get(key));
    try {
      const made = await ask("tournaments", {
        players: data.getAll("players").filter(Boolean), games: String(data.get("games")).split(/[;\s]+|,\s+/).filter(Boolean), format: data.get("format"),
        rounds: number("rounds"), seconds: number("seconds"), seed: number("seed"),
      });
      go(`/arena/${made.name}`);
    } catch (error) {
      complain(error);
    }
  }

  main.addEventListener("click", clicked);
  main.addEventListener("submit", begin);
  const leave = () => {
    gone = true;
    main.removeEventListener("click", clicked);
    main.removeEventListener("submit", begin);
  };
  const ready = draw();
  ready.then(() => (name ? follow() : undefined)).catch(complain);
  return { ready, leave };
}
