// Small helpers to build HTML and SVG, and to speak to the person.

/** Make an HTML element: properties and handlers, then children. @returns {any} */
export function html(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** A button. */
export const button = (text, act, properties = {}) => html("button", { type: "button", onclick: act, ...properties }, text);

/** Show a page from its template; returns its parts by their names, buttons by what they do. @returns {any} */
export function page(main, id) {
  main.replaceChildren(/** @type {any} */ (document.getElementById(id)).content.cloneNode(true));
  return Object.fromEntries([...main.querySelectorAll("[data-name], [data-do]")].map((each) => [each.dataset.name ?? each.dataset.do, each]));
}

/** Show the error if a promise is rejected. */
export const attempt = (act) => act().catch(complain);

/** Make an SVG element. @returns {any} */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A text on a cell, offset from its middle to the right and down. */
export function pill({ x, y }, right, down, text, kind) {
  const half = 5 + 3.4 * text.length;
  return svg("g", { class: `pill ${kind}`, transform: `translate(${x + right} ${y + down})` },
    svg("rect", { x: -half, y: -7.5, width: 2 * half, height: 15, rx: 7.5 }),
    svg("text", { y: 4 }, text));
}

/** Have a screen reader say something. */
export function say(text) {
  const said = document.getElementById("said");
  if (said && said.textContent !== text) said.textContent = text;
}

let fading = 0;

/** Briefly show what went wrong. */
export function complain(error, look = "") {
  const toast = document.getElementById("toast");
  if (!toast) return;
  toast.textContent = error instanceof Error ? error.message : String(error);
  toast.className = `shown ${look}`;
  clearTimeout(fading);
  fading = setTimeout(() => toast.classList.remove("shown"), 6000);
}

/** Briefly show a note, if there is one. @param {string} note */
export const inform = (note) => note && complain(note, "note");

/** Whether a key belongs to a field, or to the browser. */
const typing = ({ target, key, altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey || target.matches("select, textarea, input:not(#slider)") || (key === " " && target.matches("button, summary"));

/** Handle keys while an element is on the page; return true to keep a key from the browser. @param {Element} element @param {(key: string) => any} act */
export function onKeys(element, act) {
  document.addEventListener("keydown", function hear(event) {
    if (!element.isConnected) document.removeEventListener("keydown", hear);
    else if (!typing(event) && act(event.key) === true) event.preventDefault();
  });
}

/** Whether animations are allowed. */
export const moving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Copy a text, even without a secure context. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = html("textarea", { value: text, className: "hidden" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say("Copied");
}

/** What this browser remembers; null if it keeps nothing, or nothing readable. @returns {any} */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`mossa-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Remember something; if the browser refuses, carry on. */
export function remember(name, value) {
  try {
    localStorage.setItem(`mossa-${name}`, JSON.stringify(value));
  } catch { /* nothing is lost but the memory */ }
}

const MOST = 300;  // of games, and of analyses: as many as the server makes cards of

/** What this browser has seen of a kind, newest first. @returns {string[]} */
export const kept = (name) => [recall(name)].flat().filter((each) => typeof each === "string");

/** Remember one more, perhaps instead of another. @param {string} [old] */
export const keep = (name, value, old) => remember(name, [value, ...kept(name).filter((each) => each !== value && each !== old)].slice(0, MOST));

export const forget = (name, value) => remember(name, kept(name).filter((each) => each !== value));

const { style, dataset } = document.documentElement;
if (["light", "dark"].includes(recall("theme"))) style.colorScheme = recall("theme");

/** Apply the settings to all boards. */
export function dressed() {
  const { board, coordinates } = recall("settings") ?? {};
  dataset.board = board || "classic";
  dataset.coordinates = coordinates === false ? "off" : "on";
}
dressed();

/** Switch between light and dark, and remember it. */
export function changeTheme() {
  const dark = style.colorScheme ? style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  style.colorScheme = dark ? "light" : "dark";
  remember("theme", style.colorScheme);
}
