// The first page: which game, which size and rules, against whom, how fast.
import { ask, fragment } from "./api.js";
import "./board.js";
import { attempt } from "./dom.js";

/** @param {HTMLElement} main @param {(address: string) => void} go */
export function setupPage(main, go) {
  document.title = "mossa: new game";
  let here = true;
  return { ready: fragment("setup").then((form) => here && build(main, form, go)), leave: () => { here = false; } };
}

function build(main, markup, go) {
  main.innerHTML = markup;
  const form = main.querySelector("form");
  const { elements } = form;
  const all = (selector) => [...form.querySelectorAll(selector)];
  // Only the rules of the chosen game count.
  const choose = () => {
    for (const each of all(".fields")) each.hidden = each.disabled = each.dataset.preset !== elements.preset.value;
    form.querySelector("output").value = elements.level.value;
  };
  for (const board of all("mossa-board")) board.show(JSON.parse(board.dataset.position));
  for (const [name, value] of Object.entries(JSON.parse(localStorage.getItem("mossa-setup") ?? "{}"))) if (elements[name]) elements[name].value = value;
  form.oninput = ({ target }) => {
    if (target.name in { level: 1, spec: 1 }) elements.opponent.value = target.name;
    choose();
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(form));
    const rules = all(".fields:enabled select").map((each) => `${each.name}=${each.value}`);
    const sizes = all(".fields:enabled input").map((each) => each.value).join("x");
    const game = [`${form.querySelector(".fields:enabled").dataset.kind}:${sizes}`, ...rules].join(",");
    const opponent = { level: `level:${data.level}`, spec: data.spec, human: "human" }[data.opponent];
    const first = data.side === "first" || (data.side === "any" && Math.random() < 0.5);
    const clock = Number(data.minutes) ? `${60 * Number(data.minutes)}+${Number(data.increment)}` : "";
    localStorage.setItem("mossa-setup", JSON.stringify(data));
    attempt(async () => go(`/play/${(await ask("games", { game, clock, first: first ? "human" : opponent, second: first ? opponent : "human" })).id}`));
  };
  choose();
}
