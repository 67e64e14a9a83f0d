// The search viewer: a position and a search are chosen, then it is watched step by step.
import { ask } from "./api.js";
import { complain, html } from "./dom.js";
import "./viewer.js";

const PLAIN = "deepen=off,table=off,pvs=off,killers=off,history=off";
/** What a lesson shows: the name of the field that it begins with, and the search. @type {Record<string, string>} */
const LESSONS = {
  "Minimax": "minimax:depth=3", "Alpha-beta": `alphabeta:depth=4,${PLAIN}`, "Alpha-beta, unordered": `alphabeta:depth=4,${PLAIN},order=none`,
  "Iterative deepening": "alphabeta:depth=4,table=off,pvs=off", "Transposition table": "alphabeta:depth=5,pvs=off",
  "Principal variation": "alphabeta:depth=4,table=off", "Monte Carlo": "mcts:iterations=500",
};

/** @param {HTMLElement} main */
export function searchPage(main) {
  document.title = "mossa: watch a search";
  return { ready: build(main), leave: () => main.replaceChildren() };
}

/** @param {HTMLElement} main */
async function build(main) {
  const [{ presets }, { searches, nodes }, markup] = await Promise.all([ask("catalogue"), ask("searches"), fetch("/static/viewer.html").then((answer) => answer.text())]);
  const query = new URLSearchParams(location.search), field = (name, usual) => query.get(name) ?? usual;
  const label = (text, ...inside) => html("label", {}, text, ...inside);
  const option = (value, text, title) => html("option", { value, title: title ?? "" }, text ?? value);
  const viewer = html("mossa-trace", { innerHTML: markup, hidden: true });
  const spec = html("input", { name: "player", value: field("player", LESSONS["Alpha-beta"]), size: 34, required: true, list: "options", spellcheck: false });
  const lesson = html("select", { onchange: () => { if (lesson.value) spec.value = lesson.value; form.requestSubmit(); } }, option("", "your own"), ...Object.entries(LESSONS).map(([name, value]) => option(value, name)));
  const describe = () => { lesson.value = Object.values(LESSONS).includes(spec.value) ? spec.value : ""; help.replaceChildren(...explain(searches, spec.value)); };
  const help = html("dl", { className: "box options" });
  const form = html("form", { className: "search" },
    label("Game", html("input", { name: "game", value: field("game", "connect4"), list: "games", required: true }), html("datalist", { id: "games" }, ...Object.keys(presets).map((name) => option(name)))),
    label("Moves", html("input", { name: "moves", value: field("moves", query.has("game") ? "" : "4453"), spellcheck: false })),
    label("Lesson", lesson), label("Search", spec),
    label("Nodes", html("input", { name: "nodes", type: "number", min: 1, max: nodes, value: field("nodes", 1000) })),
    html("button", { className: "primary" }, "Search"),
    html("details", {}, html("summary", {}, "Options"), help));
  spec.oninput = describe;
  const run = async () => {
    const { nodes: count, ...data } = Object.fromEntries(new FormData(form));
    describe();
    try {
      viewer.trace = await ask("trace", { ...data, nodes: Number(count) });
      viewer.hidden = false;
      viewer.go(0, 0);
    } catch (error) {
      complain(error);
    }
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    history.replaceState(null, "", `?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`);
    run();
  };
  main.replaceChildren(html("h1", { className: "hidden" }, "Watch a search"), form, viewer);
  await run();
}

/** The options of a search and what they do. @param {any[]} searches @param {string} spec */
function explain(searches, spec) {
  const name = spec.split(":")[0], found = searches.find((one) => one.name === name);
  if (!found) return searches.flatMap((one) => [html("dt", {}, one.name), html("dd", {}, one.summary)]);
  return found.options.flatMap((one) => [html("dt", {}, `${one.name}=${one.values.join("|") || one.default || "…"}`), html("dd", {}, one.help)]);
}
