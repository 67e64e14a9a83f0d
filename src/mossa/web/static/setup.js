// The first page: which game, which size and rules, against whom.
import { ask } from "./api.js";
import "./board.js";
import { complain, html } from "./dom.js";

/** @type {Record<string, {title: string, moves: string}>} */
const CARDS = {
  connect4: { title: "Connect 4", moves: "44353" },
  tictactoe: { title: "Tic-tac-toe", moves: "b2 a1 c3" },
  gomoku: { title: "Gomoku", moves: "h8 i9 h9 h10 g8" },
  kalah: { title: "Kalah", moves: "" },
  bantumi: { title: "Bantumi", moves: "" },
};
/** @type {Record<string, string>} */
const NAMES = { cols: "columns", k: "in a row" };

/** @param {HTMLElement} main @param {(address: string) => void} go */
export function setupPage(main, go) {
  document.title = "mossa: new game";
  return { ready: build(main, go), leave: () => {} };
}

/** @param {HTMLElement} main @param {(address: string) => void} go */
async function build(main, go) {
  const catalogue = await ask("catalogue");
  const choice = remembered();
  const sizes = html("div", { className: "fields" });
  const form = html("form", { className: "setup" },
    html("h1", {}, "New game"),
    html("fieldset", { className: "cards" }, html("legend", {}, "Game"),
      ...Object.keys(CARDS).map((name) => card(name, name === choice.preset, () => fields(name)))),
    html("details", {}, html("summary", {}, "Size and rules"), sizes),
    html("fieldset", { className: "opponent" }, html("legend", {}, "Opponent"),
      radio("opponent", "level", "Computer", choice.opponent),
      html("label", { className: "level" }, html("span", {}, "Level "), html("output", {}, choice.level),
        html("input", { type: "range", name: "level", min: 1, max: catalogue.levels, value: choice.level, "aria-label": "Level",
          oninput: (/** @type {any} */ event) => { event.target.parentElement.querySelector("output").value = event.target.value; form.elements.opponent.value = "level"; } }),
        html("small", {}, "1 for beginners, 10 the strongest")),
      radio("opponent", "human", "A person on this device", choice.opponent),
      radio("opponent", "spec", "A player by its spec", choice.opponent),
      html("input", { name: "spec", list: "players", value: choice.spec, placeholder: "mcts:iterations=2000", autocomplete: "off", "aria-label": "Spec of the player",
        oninput: () => { form.elements.opponent.value = "spec"; } }),
      html("datalist", { id: "players" }, ...catalogue.players.map((/** @type {any} */ one) => html("option", { value: one.name }, one.summary)))),
    html("fieldset", { className: "side" }, html("legend", {}, "You play"),
      radio("side", "first", "First", choice.side), radio("side", "second", "Second", choice.side), radio("side", "any", "Either", choice.side)),
    html("button", { className: "primary", type: "submit" }, "Play"));

  function fields(/** @type {string} */ preset) {
    const [head, ...options] = catalogue.presets[preset].split(",");
    const [name, numbers] = head.split(":");
    const kind = catalogue.kinds.find((/** @type {any} */ one) => one.name === name);
    const chosen = Object.fromEntries(options.map((/** @type {string} */ one) => one.split("=")));
    sizes.replaceChildren(
      ...kind.sizes.map((/** @type {any} */ size, /** @type {number} */ index) => html("label", {}, html("span", {}, NAMES[size.name] ?? size.name),
        html("input", { type: "number", className: "size", min: size.low, max: size.high, required: true, value: numbers.split("x")[index] }))),
      ...kind.options.map((/** @type {any} */ option) => html("label", { title: option.help }, html("span", {}, option.name.replace("_", " ")),
        html("select", { className: "rule", name: option.name },
          ...option.values.map((/** @type {string} */ value) => html("option", { value, selected: value === (chosen[option.name] ?? option.values[0]) }, value))),
        html("small", {}, option.help))));
    sizes.dataset.kind = name;
  }

  function wanted() {
    const numbers = [...sizes.querySelectorAll(".size")].map((input) => input.value).join("x");
    const rules = [...sizes.querySelectorAll(".rule")].map((input) => `${input.name}=${input.value}`);
    return [`${sizes.dataset.kind}:${numbers}`, ...rules].join(",");
  }

  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(form).entries());
    const opponent = data.opponent === "level" ? `level:${data.level}` : data.opponent === "spec" ? String(data.spec) : "human";
    const first = data.side === "first" || (data.side === "any" && Math.random() < 0.5);
    localStorage.setItem("mossa-setup", JSON.stringify(data));
    try {
      const game = await ask("games", { game: wanted(), first: first ? "human" : opponent, second: first ? opponent : "human" });
      go(`/play/${game.id}`);
    } catch (error) {
      complain(error);
    }
  });
  fields(choice.preset);
  main.replaceChildren(form);
}

function remembered() {
  const usual = { preset: "connect4", opponent: "level", level: "3", spec: "", side: "first" };
  try {
    const last = JSON.parse(localStorage.getItem("mossa-setup") ?? "{}");
    return { ...usual, ...last, preset: last.preset in CARDS ? last.preset : usual.preset };
  } catch {
    return usual;
  }
}

/** A game to choose, with its board. @param {string} name @param {boolean} checked @param {() => void} chosen */
function card(name, checked, chosen) {
  const board = html("mossa-board", { inert: true, "aria-hidden": "true" });
  ask("position", { game: name, moves: CARDS[name].moves }).then((position) => board.show(position), complain);
  return html("label", { className: "card" },
    html("input", { type: "radio", name: "preset", value: name, checked, onchange: chosen }), board, html("span", {}, CARDS[name].title));
}

/** @param {string} name @param {string} value @param {string} text @param {string} chosen */
const radio = (name, value, text, chosen) =>
  html("label", {}, html("input", { type: "radio", name, value, checked: value === chosen }), html("span", {}, text));
