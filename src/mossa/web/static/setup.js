// The first page: which game, which size and rules, against whom, how fast.
import { ask, fragment } from "./api.js";
import "./board.js";
import { attempt, recall, remember } from "./dom.js";

export function setupPage(main, go) {
  document.title = "mossa: new game";
  let here = true;
  return { ready: fragment("setup").then((form) => here && build(main, form, go)), leave: () => { here = false; } };
}

/** Fill in the last choices, if they still exist. */
function restore(fields) {
  const saved = recall("setup");
  for (const field of fields) {
    const value = saved?.[field.name];
    if (typeof value !== "string") continue;
    if (field.type === "radio") field.checked ||= field.value === value;
    else {
      const old = field.value;
      field.value = value;
      if (field.value !== value || !field.validity.valid) field.value = old;
    }
  }
}

function build(main, markup, go) {
  main.innerHTML = markup;
  const form = main.querySelector("form");
  const { elements } = form;
  const all = (selector) => [...form.querySelectorAll(selector)];
  for (const board of all("mossa-board")) board.show(JSON.parse(board.dataset.position));
  // Show, send and check only what belongs to the chosen game and opponent.
  const choose = () => {
    for (const each of all("[data-preset]")) each.hidden = each.disabled = each.dataset.preset !== elements.preset.value;
    elements.spec.hidden = elements.spec.disabled = elements.opponent.value !== "spec";
    form.querySelector("output").value = elements.level.value;
  };
  restore(elements);
  choose();
  // Nobody should be surprised by a size they chose days ago.
  form.querySelector("details").open = all("details :is(input, select):enabled").some((each) => each.value !== (each.defaultValue ?? each.querySelector("[selected]").value));
  form.oninput = choose;
  // A hidden field cannot show what is wrong with it.
  form.addEventListener("invalid", ({ target }) => target.closest("details")?.setAttribute("open", ""), true);
  form.onsubmit = (event) => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(form));
    remember("setup", { ...recall("setup"), ...data });
    attempt(async () => go(`/play/${(await ask("setup", data)).id}`));
  };
}
