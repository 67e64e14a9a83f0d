// Who stood better, move by move: a curve between won for first (above) and won for second.
import { svg } from "./dom.js";

export function plot(graph, line, here) {
  const last = Math.max(1, line.length - 1);
  const known = line.filter((each) => each.value !== undefined);
  const at = (each) => `${each.ply} ${1 - each.value}`;
  const parts = [];
  const path = (look, d) => parts.push(svg("path", { class: look, d }));
  if (known.length > 1) {
    // Unknown values belong to neither side.
    const curve = known.map(at).join("L");
    path("area first", `M${known[0].ply} 2.1L${curve}V2.1z`);
    path("area second", `M${known[0].ply}-.1L${curve}V-.1z`);
    path("curve", `M${curve}`);
  }
  path("even", `M0 1H${last}`);
  path("now", `M${here.ply}-.05V2.05`);
  for (const each of known) if (/mistake|blunder/.test(each.note?.grade)) path(`dot ${each.note.grade}`, `M${at(each)}h0`);
  graph.replaceChildren(...parts);
  graph.setAttribute("viewBox", `0 -.05 ${last} 2.1`);
  graph.ariaValueMax = line.length - 1;
  graph.ariaValueNow = here.ply;
  graph.ariaValueText = `move ${here.ply}${here.value === undefined ? "" : `, advantage ${here.value}`}`;
}

/** The clicked place on the line. */
export function picked(graph, line, event) {
  const { left, width } = graph.getBoundingClientRect();
  return line[Math.round(((event.clientX - left) / width) * (line.length - 1))];
}
