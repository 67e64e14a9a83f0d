// My games: what this browser remembers. The server makes the cards; only the browser knows which ones.
import { ask, fragment, text } from "./api.js";
import { attempt, forget, html, kept, say } from "./dom.js";

export function collectionPage(main) {
  document.title = "mossa: my games";
  let gone = false;

  async function draw() {
    const page = await fragment("games", { games: kept("games"), analyses: kept("analyses") });
    if (gone) return;
    main.innerHTML = page;
    main.querySelector("form").oninput = sift;
  }

  /** Show the search results. */
  function sift() {
    const { text, result } = main.querySelector("form").elements, wanted = text.value.trim().toLowerCase();
    let found = 0;
    for (const card of main.querySelectorAll(".shelf li")) {
      card.hidden = !card.querySelector("a").textContent.toLowerCase().includes(wanted) || Boolean(result.value && card.dataset.result !== result.value);
      found += card.hidden ? 0 : 1;
    }
    say(`${found} found`);
  }

  async function remove(card) {
    const { id, query } = card.dataset;
    if (!confirm(`Delete this ${id ? "game" : "analysis"}?`)) return;
    if (id) await ask(`games/${id}/delete`, {});
    forget(id ? "games" : "analyses", id ?? query);
    (card.nextElementSibling ?? card.previousElementSibling)?.querySelector("a").focus();
    card.remove();
    say("Deleted");
  }

  async function download() {
    const file = new Blob([await text("/api/records", { games: kept("games") })]);
    const link = html("a", { href: URL.createObjectURL(file), download: "games.mossa" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  main.onclick = ({ target }) => {
    if (target.dataset.do === "delete") attempt(() => remove(target.closest("li")));
    if (target.dataset.do === "download") attempt(download);
  };
  main.onsubmit = (event) => event.preventDefault();
  return { ready: draw(), leave: () => { gone = true; main.onclick = main.onsubmit = null; } };
}
