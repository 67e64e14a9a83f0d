// The page that an address means. Links within the board change the page without loading it anew.
import { changeTheme, complain, html } from "./dom.js";
import { setupPage } from "./setup.js";
import { playPage } from "./play.js";
import { analysePage } from "./analyse.js";

/** Pages by the beginning of their addresses; what few people open is loaded when they do. @type {Record<string, () => Promise<any>>} */
const PAGES = {
  "/analyse": async () => analysePage, "/review": async () => analysePage,
  "/search": async () => (await import("./search.js")).searchPage, "/arena": async () => (await import("./arena.js")).arenaPage,
};

/** @type {(() => void) | null} */
let leave = null;

/** Go to an address of the board. */
export function go(address) {
  history.pushState(null, "", address);
  open();
}

async function open() {
  const again = Boolean(leave);
  const byKeys = document.activeElement?.matches(":focus-visible");
  leave?.();
  leave = null;
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  const game = location.pathname.match(/^\/play\/([\w-]+)$/);
  const name = `/${location.pathname.split("/")[1]}`;
  const page = game ? playPage(main, game[1], go) : name in PAGES ? (await PAGES[name]())(main, go) : setupPage(main, go);
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("href") === (name === "/review" ? "/analyse" : name in PAGES ? name : "/");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  leave = page.leave;
  try {
    await page.ready;
    // What had the focus may be gone. Whoever uses keys goes on at a cell of the board.
    if (!again || document.activeElement !== document.body) return;
    /** @type {HTMLElement} */ (main.querySelector(`mossa-board:not([inert]) ${byKeys ? '.hit[tabindex="0"]' : "svg"}`) ?? main).focus({ preventScroll: true });
  } catch (error) {
    complain(error);
    main.replaceChildren(html("p", { className: "lost" }, String(error instanceof Error ? error.message : error), " ", html("a", { href: "/" }, "Start a new game.")));
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
addEventListener("popstate", open);
open();
