// The first page: which game, which size and rules, against whom, how fast.
import { ask } from "./api.js";
import "./board.js";
import { attempt, html, page } from "./dom.js";

/** @type {Record<string, string[]>} */
const CARDS = {
  connect4: ["Connect 4", "44353"], tictactoe: ["Tic-tac-toe", "b2 a1 c3"], gomoku: ["Gomoku", "h8 i9 h9 h10 g8"],
  kalah: ["Kalah", ""], bantumi: ["Bantumi", ""],
};
/** @type {Record<string, string>} */
const NAMES = { cols: "columns", k: "in a row" };
const USUAL = { preset: "connect4", opponent: "level", level: "3", spec: "", side: "first", minutes: "0", increment: "0" };

export function setupPage(main, go) {
  document.title = "mossa: new game";
  return { ready: build(main, go), leave: () => {} };
}

async function build(main, go) {
  const { form, cards, sizes, shown, players } = page(main, "setup-page");
  const { elements } = form;
  const catalogue = await ask("catalogue");
  const choice = remembered();

  function fields(preset) {
    const [head, ...options] = catalogue.presets[preset].split(",");
    const [name, numbers] = head.split(":");
    const kind = catalogue.kinds.find((one) => one.name === name);
    const chosen = Object.fromEntries(options.map((one) => one.split("=")));
    sizes.replaceChildren(
      ...kind.sizes.map((size, index) => html("label", {}, html("span", {}, NAMES[size.name] ?? size.name),
        html("input", { type: "number", className: "size", min: size.low, max: size.high, required: true, value: numbers.split("x")[index] }))),
      ...kind.options.map((option) => html("label", { title: option.help }, html("span", {}, option.name.replace("_", " ")),
        html("select", { className: "rule", name: option.name },
          ...option.values.map((value) => html("option", { value, selected: value === (chosen[option.name] ?? option.values[0]) }, value))),
        html("small", {}, option.help))));
    sizes.dataset.kind = name;
  }

  function wanted() {
    const numbers = [...sizes.querySelectorAll(".size")].map((input) => input.value).join("x");
    const rules = [...sizes.querySelectorAll(".rule")].map((input) => `${input.name}=${input.value}`);
    return [`${sizes.dataset.kind}:${numbers}`, ...rules].join(",");
  }

  cards.append(...Object.keys(CARDS).map((name) => card(name, () => fields(name))));
  players.append(...catalogue.players.map((one) => html("option", { value: one.name }, one.summary)));
  elements.level.max = catalogue.levels;
  for (const [name, value] of Object.entries(choice)) if (elements[name]) elements[name].value = value;
  shown.value = choice.level;
  elements.level.oninput = () => {
    shown.value = elements.level.value;
    elements.opponent.value = "level";
  };
  elements.spec.oninput = () => { elements.opponent.value = "spec"; };
  form.onsubmit = (event) => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(form));
    const opponent = { level: `level:${data.level}`, spec: data.spec, human: "human" }[data.opponent];
    const first = data.side === "first" || (data.side === "any" && Math.random() < 0.5);
    const clock = Number(data.minutes) ? `${60 * Number(data.minutes)}+${Number(data.increment)}` : "";
    localStorage.setItem("mossa-setup", JSON.stringify(data));
    attempt(async () => go(`/play/${(await ask("games", { game: wanted(), clock, first: first ? "human" : opponent, second: first ? opponent : "human" })).id}`));
  };
  fields(choice.preset);
}

function remembered() {
  try {
    const last = JSON.parse(localStorage.getItem("mossa-setup") ?? "{}");
    return { ...USUAL, ...last, preset: last.preset in CARDS ? last.preset : USUAL.preset };
  } catch {
    return USUAL;
  }
}

/** A game to choose, with its board. */
function card(name, onchange) {
  const [title, moves] = CARDS[name];
  const board = html("mossa-board", { inert: true, "aria-hidden": "true" });
  attempt(async () => board.show(await ask("position", { game: name, moves })));
  return html("label", { className: "card" }, html("input", { type: "radio", name: "preset", value: name, onchange }), board, html("span", {}, title));
}
