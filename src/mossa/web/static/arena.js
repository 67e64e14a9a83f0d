// The arena: tournaments that the server plays. It also makes the tables; this page refreshes them while they grow.
import { ask, fragment } from "./api.js";
import { attempt, complain } from "./dom.js";

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

  /** Refresh while games are being played. */
  async function follow() {
    do {
      await draw();
      await new Promise((done) => setTimeout(done, 1000));
    } while (!gone && main.querySelector('[data-state="playing"], [data-state="waiting"]'));
  }

  function clicked({ target }) {
    const { duel: player, other: opponent, do: what } = target.dataset, before = target.previousElementSibling;
    if (target.id === "more") before.append(before.lastElementChild.cloneNode());
    if (player) {
      duel = new URLSearchParams({ player, opponent });
      draw().then(() => main.querySelector(".list")?.scrollIntoView({ block: "nearest" }), complain);
    }
    if (what) ask(`tournaments/${name}/${what}`, {}).then(follow).catch(complain);
  }

  async function begin(event) {
    event.preventDefault();
    const data = new FormData(event.target), number = (key) => Number(data.get(key));
    const made = await ask("tournaments", {
      players: data.getAll("players").filter(Boolean), games: String(data.get("games")).split(/[;\s]+|,\s+/).filter(Boolean), format: data.get("format"),
      rounds: number("rounds"), seconds: number("seconds"), seed: number("seed"),
    });
    go(`/arena/${made.name}`);
  }

  main.onclick = clicked;
  main.onsubmit = (event) => attempt(() => begin(event));
  const leave = () => { gone = true; main.onclick = main.onsubmit = null; };
  const ready = draw();
  ready.then(() => (name ? follow() : undefined)).catch(complain);
  return { ready, leave };
}
