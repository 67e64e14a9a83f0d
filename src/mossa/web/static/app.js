// The page that an address means. Links within the board change the page without loading it anew.
import { changeTheme, complain, html } from "./dom.js";
import { setupPage } from "./setup.js";
import { Play } from "./play.js";
import { Analyse } from "./analyse.js";

const analyse = async (main) => new Analyse(main, go);

/** Pages by the beginning of their addresses; what few people open is loaded when they do. @type {Record<string, (main: HTMLElement) => Promise<any>>} */
const PAGES = {
  "/analyse": analyse, "/review": analyse,
  "/search": async (main) => (await import("./search.js")).searchPage(main), "/arena": async (main) => (await import("./arena.js")).arenaPage(main, go),
  "/games": async (main) => (await import("./collection.js")).collectionPage(main),
};

/** @type {(() => void) | null} */
let leave = null;

/** Go to an address of the board. */
function go(address) {
  history.pushState(null, "", address);
  open();
}

async function open() {
  const again = Boolean(leave);
  const byKeys = document.activeElement?.matches(":focus-visible");
  leave?.();
  leave = null;
  const [main] = document.getElementsByTagName("main");
  const game = location.pathname.match(/^\/play\/([\w-]+)$/);
  const name = `/${location.pathname.split("/")[1]}`;
  const page = game ? new Play(main, game[1], go) : name in PAGES ? await PAGES[name](main) : setupPage(main, go);
  for (const link of document.querySelectorAll("nav a")) {
    link.ariaCurrent = link.getAttribute("href") === (name === "/review" ? "/analyse" : name in PAGES ? name : "/") ? "page" : null;
  }
  leave = () => page.leave();
  try {
    await page.ready;
    // What had the focus may be gone. Whoever uses keys goes on at a cell of the board.
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
