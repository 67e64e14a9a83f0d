// Picks the page for an address. Links within the board switch pages without a reload.
import { changeTheme, complain, html } from "./dom.js";
import { setupPage } from "./setup.js";
import { Play } from "./play.js";

const analyse = async () => { const { Analyse } = await import("./analyse.js"); return (main) => new Analyse(main, go); };

/** What makes a page, by the start of its address: loaded on demand, since a game needs none of it. @type {Record<string, () => Promise<(main: HTMLElement) => any>>} */
const PAGES = {
  "/analyse": analyse, "/review": analyse,
  "/puzzles": async () => { const { Puzzles } = await import("./puzzles.js"); return (main) => new Puzzles(main, go); },
  "/search": async () => (await import("./search.js")).searchPage,
  "/arena": async () => { const { arenaPage } = await import("./arena.js"); return (main) => arenaPage(main, go); },
  "/games": async () => (await import("./collection.js")).collectionPage,
};

/** @type {(() => void) | null} */
let leave = null;
let opened = 0;

/** Go to an address within the board. */
function go(address) {
  history.pushState(null, "", address);
  open();
}

async function open() {
  const again = Boolean(leave);
  const byKeys = document.activeElement?.matches(":focus-visible");
  const mine = ++opened;
  leave?.();
  leave = null;
  const [main] = document.getElementsByTagName("main");
  const game = location.pathname.match(/^\/play\/([\w-]+)$/);
  const name = `/${location.pathname.split("/")[1]}`;
  const make = name in PAGES && !game ? await PAGES[name]() : null;
  if (mine !== opened) return;  // somebody has gone on meanwhile
  const page = make ? make(main) : game ? new Play(main, game[1], go) : setupPage(main, go);
  for (const link of document.querySelectorAll("nav a")) {
    link.ariaCurrent = link.getAttribute("href") === (name === "/review" ? "/analyse" : name in PAGES ? name : "/") ? "page" : null;
  }
  leave = () => page.leave();
  try {
    await page.ready;
    // The focused element may be gone. Keyboard users continue at a cell of the board.
    if (!again || document.activeElement !== document.body) return;
    /** @type {HTMLElement} */ (main.querySelector(`mossa-board:not([inert]) ${byKeys ? '.hit[tabindex="0"]' : "svg"}`) ?? main).focus({ preventScroll: true });
  } catch (error) {
    complain(error);
    main.replaceChildren(html("p", { className: "lost" }, String(Object(error).message ?? error), " ", html("a", { href: "/" }, "Start a new game.")));
  }
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download") || link.getAttribute("href")?.startsWith("#")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});
/** @type {HTMLElement} */ (document.querySelector(".theme")).onclick = changeTheme;
/** @type {HTMLElement} */ (document.querySelector(".settings")).onclick = async () => (await import("./settings.js")).settings();
addEventListener("popstate", open);
open();
