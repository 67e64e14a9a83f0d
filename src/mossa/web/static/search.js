// The search viewer: choose a position and a search, then watch it step by step.
import { ask, fragment } from "./api.js";
import { attempt } from "./dom.js";
import "./viewer.js";

export function searchPage(main) {
  document.title = "mossa: watch a search";
  return { ready: build(main), leave: () => main.replaceChildren() };
}

async function build(main) {
  main.innerHTML = await fragment("search");
  const form = main.querySelector("form"), viewer = main.querySelector("mossa-trace");
  const lesson = form.querySelector("#lesson"), { player } = form.elements;

  async function search() {
    const data = new FormData(form);
    lesson.value = player.value;
    if (lesson.selectedIndex < 0) lesson.value = "";
    const trace = await ask("trace", { ...Object.fromEntries(data), nodes: Number(data.get("nodes")) });
    viewer.hidden = false;
    viewer.trace = trace;
  }

  for (const [name, value] of new URLSearchParams(location.search)) if (form.elements[name]) form.elements[name].value = value;
  lesson.onchange = () => { if (lesson.value) player.value = lesson.value; form.requestSubmit(); };
  form.onsubmit = (event) => {
    event.preventDefault();
    history.replaceState(null, "", `?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`);
    attempt(search);
  };
  await attempt(search);
}
