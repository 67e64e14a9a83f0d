// A course: standings for everybody, a page for each student, one for the teacher. The server makes the tables; this page
// asks for them again and again, and sends what somebody uploads or orders.
import { attempt, changeTheme, complain, copy, html, inform, say } from "./dom.js";
import { show } from "./morph.js";

const PATIENCE = 2500;  // between two looks
const [main] = document.getElementsByTagName("main");
let tag = "", asked = 0;

/** Ask the server; what it refuses is an error with its words. @param {string} address @param {RequestInit} [options] */
async function request(address, options) {
  const response = await fetch(address, options).catch(() => { throw new Error("The server is not responding. Is it still running?"); });
  if (response.ok || response.status === 304) return response;
  const told = await response.json().catch(() => ({}));
  throw Object.assign(new Error(told.error ?? response.statusText), { status: response.status });
}

/** Have the server do something. @param {string} path @param {object} [body] */
const order = async (path, body = {}) =>
  (await request(`/api/course/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();

/** A personal link has its secret behind the #, which no server and no log ever sees. It becomes a cookie that no program can read, and leaves the address. */
async function enter() {
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!secret || secret === "main" || !/^\/course\/(me|teacher)/.test(location.pathname)) return;
  history.replaceState(null, "", location.pathname);
  await order("session", { secret });
}

/** The piece of the server that this address shows. */
const place = () => `/pages${location.pathname === "/course" ? "/course/standings" : location.pathname}${location.search}`;

/** Draw what has changed; true: nothing was wrong. */
async function draw() {
  const mine = ++asked, response = await request(place(), { headers: tag ? { "If-None-Match": tag } : {} });
  if (mine !== asked || response.status === 304) return;
  tag = response.headers.get("ETag") ?? "";
  const text = await response.text();
  if (mine !== asked) return;
  show(main, text);
  main.ariaBusy = "false";
  times();
  const { title, links } = /** @type {HTMLElement} */ (main.firstElementChild).dataset;
  document.title = `mossa: ${title}`;
  navigation(links ?? "");
}

/** Which pages there are for whoever looks. @param {string} links */
function navigation(links) {
  const pages = /** @type {HTMLElement} */ (document.getElementById("pages"));
  show(pages, links);
  for (const link of pages.querySelectorAll("a")) link.ariaCurrent = location.pathname === link.pathname ? "page" : null;
}

/** Times as the clock here has them; the server says them in UTC. */
function times() {
  for (const each of main.querySelectorAll("time[datetime]")) {
    const when = new Date(/** @type {HTMLTimeElement} */ (each).dateTime);
    const text = when.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    if (each.textContent !== text) each.textContent = text;
  }
}

/** Look again and again, while somebody looks. */
async function follow() {
  let lost = false;
  for (;;) {
    await new Promise((done) => setTimeout(done, PATIENCE * (lost ? 2 : 1)));
    if (document.hidden) continue;
    try {
      await draw();
      if (lost) inform("The server is back.");
      lost = false;
    } catch (error) {
      if (!lost) complain(error);
      lost = true;
    }
  }
}

/** Send a file, with what is sent of it on a bar; fetch cannot tell that. @param {File} file @param {HTMLElement} box */
function send(file, box) {
  const bar = /** @type {HTMLProgressElement} */ (box.querySelector("progress"));
  bar.hidden = false;
  bar.value = 0;
  return new Promise((done, fail) => {
    const sending = new XMLHttpRequest();
    sending.open("PUT", `/api/course/submissions?name=${encodeURIComponent(file.name)}`);
    sending.responseType = "json";
    sending.upload.onprogress = ({ loaded, total }) => { bar.max = total; bar.value = loaded; };
    sending.onload = () => (sending.status < 300 ? done(sending.response) : fail(new Error(sending.response?.error ?? sending.statusText)));
    sending.onerror = () => fail(new Error("The upload broke off. Try again."));
    sending.send(file);
  }).finally(() => { bar.hidden = true; });
}

/** @param {FileList | null | undefined} files @param {HTMLElement} box */
async function upload(files, box) {
  const [file] = files ?? [];
  if (!file) throw new Error("Choose a file first.");
  if ((files ?? []).length > 1) throw new Error("One file at a time: put several into a zip file.");
  const most = Number(box.dataset.most);
  // Said here as well, because a browser that is refused in the middle of a body does not show why.
  if (file.size > most) throw new Error(`${file.name} is too large: at most ${box.dataset.mostText}.`);
  const { told } = await send(file, box);
  say(told);
  inform(told);
  await draw();
}

/** What a button of the teacher's orders; some are asked about twice. @param {HTMLElement} button */
async function ordered({ dataset: { order: path = "", sure, reason, copy: text } }) {
  if (text) return copy(text);
  /** @type {Record<string, string>} */
  const body = {};
  if (reason) {
    const given = prompt(reason);
    if (given === null) return;
    body.reason = given;
  } else if (sure && !confirm(sure)) return;
  const { told, link, code } = await order(path, body);
  if (link) reveal(link, code, told);
  else inform(told);
  tag = "";
  await draw();
}

/** Show a link that is shown once. @param {string} link @param {string} code @param {string} told */
function reveal(link, code, told) {
  const address = new URL(link, location.href).href;
  const field = html("input", { readOnly: true, value: address, ariaLabel: "Personal link" });
  const picture = html("div", { className: "code", role: "img", ariaLabel: "The link as a QR code", innerHTML: code ?? "" });
  const dialog = html("dialog", { ariaLabel: told, className: "link" },
    html("form", { method: "dialog" }, html("p", {}, told), field, picture,
      html("div", { className: "buttons" }, html("button", { type: "button", className: "primary", onclick: () => copy(address) }, "Copy link"), html("button", {}, "Close"))));
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}

/** Save a text as a file. @param {string} name @param {string} text */
function save(name, text) {
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);  // some browsers begin late
}

/** Add the students of a list; their links are written to a file, because the server keeps none. @param {HTMLFormElement} form */
async function add(form) {
  const data = new FormData(form), file = /** @type {File} */ (data.get("file"));
  const text = file?.size ? await file.text() : String(data.get("list"));
  const { told, links } = await order("students", { list: text });
  form.reset();
  if (links) save("links.csv", links);
  inform(told);
  await draw();
}

main.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.classList.contains("upload")) attempt(() => upload(form.file.files, form).then(() => form.reset()));
  else attempt(() => add(form));
});
main.addEventListener("change", ({ target }) => {
  const form = /** @type {HTMLInputElement} */ (target).form;
  if (form?.classList.contains("upload")) form.requestSubmit();
});
main.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest("button[data-order], button[data-copy]");
  if (button instanceof HTMLElement) attempt(() => ordered(button));
});
for (const event of ["dragenter", "dragover", "dragleave", "drop"]) {
  addEventListener(event, (dragged) => {
    dragged.preventDefault();  // a browser would open the file instead of the page
    const box = /** @type {HTMLElement | null} */ (main.querySelector(".upload"));
    box?.classList.toggle("over", event === "dragenter" || event === "dragover");
    if (event === "drop" && box) attempt(() => upload(/** @type {DragEvent} */ (dragged).dataTransfer?.files, box));
  });
}
addEventListener("hashchange", () => attempt(() => enter().then(() => { tag = ""; return draw(); })));
document.addEventListener("visibilitychange", () => document.hidden || attempt(draw));
/** @type {HTMLElement} */ (document.querySelector(".theme")).onclick = changeTheme;

try {
  await enter().catch(complain);
  await draw();
  follow();
} catch (error) {
  main.ariaBusy = "false";
  main.replaceChildren(html("h1", {}, "Not here"), html("p", {}, String(Object(error).message ?? error)), html("p", {}, html("a", { href: "/course" }, "To the standings")));
}
