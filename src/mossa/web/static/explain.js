// Explains what happens at a node of a search: picks texts from viewer.html and fills their gaps.
import { seen, show } from "./tree.js";

/** The moves that lead to a node. @returns {string} */
export const lineOf = (node) => (node.up ? `${lineOf(node.up)} ${node.move}`.trim() : "");

export class Words {
  /** Whether all values are for the root's side (max and min), or else for the side to move. */
  forRoot = false;

  /** @param {import("./tree.js").Tree} tree */
  constructor(tree) { this.tree = tree; }

  name(side) { return this.tree.trace.board.sides[side]; }

  turned(node) { return this.forRoot && node.side !== node.root.side; }

  text(node, value) { return show(value === null ? null : this.turned(node) ? 0 - value : value); }

  /** Low and high as they are shown. */
  window(node, [low, high]) { return this.turned(node) ? [0 - high, 0 - low] : [low, high]; }

  /** The text in a node's box. */
  label(node) {
    const { tree } = this;
    if (tree.playouts) {
      const [, visits, mean, proven] = tree.count(node);
      return !node.up ? visits : `${visits} · ${!proven ? mean.toFixed(2) : proven === "draw" ? proven : proven === node.up.side ? "won" : "lost"}`;
    }
    if (tree.left(node)) return this.text(node, node.value) + ({ cut: " ✂", table: " T", over: " ■" }[node.end] ?? "");
    const window = tree.window(node), best = tree.best(node);
    return window ? `[${this.window(node, window).map(show).join(", ")}]` : best ? `${this.text(node, seen(best))} …` : "…";
  }

  /** The texts for a node, and what fills their gaps. @returns {[string[], Record<string, any>]} */
  told(node) {
    const { tree } = this, { side, up, alpha, beta, value } = node, best = tree.playouts ? null : tree.best(node);
    const gaps = {
      ...node, me: this.name(side), you: this.name(side === "first" ? "second" : "first"), mover: up && this.name(up.side), last: node.move, move: best?.move ?? "A move", best: best && this.text(node, seen(best)),
      aim: this.forRoot ? (this.turned(node) ? ", minimises" : ", maximises") : "", tried: new Set(node.children.filter((one) => tree.entered(one)).map((one) => one.move)).size,
      bound: this.turned(node) ? "at least" : "at most", value: this.text(node, value), alpha: this.text(node, alpha), beta: this.text(node, beta),
    };
    if (tree.playouts) return this.#playout(node, gaps);
    const facts = ["facts", ...(best ? ["found"] : [])];
    if (!tree.left(node)) {
      const wide = alpha === -Infinity && beta === Infinity, plain = !node.scout && alpha !== null && !wide;
      const said = { again: side === up?.side, twice: node.again, scout: node.scout, all: alpha === null, open: wide, low: plain && alpha !== -Infinity, high: plain && beta !== Infinity };
      return [[...Object.keys(said).filter((key) => said[key]), ...facts], gaps];
    }
    if (value === null) return [["stopped"], gaps];
    const said = [node.incomplete ? "incomplete" : node.end || (alpha !== null && value <= alpha ? "fails" : "exact")];
    if (up) {
      // What the parent makes of the value just returned.
      const before = tree.best(up, node.enter - 1), worth = seen(node), sure = Math.max(before ? seen(before) : -Infinity, up.alpha ?? -Infinity);
      Object.assign(gaps, { worth: this.text(up, worth), sure: this.text(up, sure) });
      said.push(up.beta !== null && worth >= up.beta ? "back-cut" : worth <= sure ? "back-worse" : node.scout && !up.scout ? "back-scout" : "back-best");
    }
    return [[...said, ...facts], gaps];
  }

  /** @returns {[string[], Record<string, any>]} */
  #playout(node, gaps) {
    const [number, visits, mean, proven] = this.tree.count(node), all = node.up && this.tree.count(node.up)[1];
    if (node.up) [gaps.mean, gaps.bonus, gaps.uct] = this.tree.uct(node).map((part) => part.toFixed(3));
    Object.assign(gaps, { number, visits, all, share: Math.round((100 * visits) / all), score: Math.round(100 * mean), result: mean === 1 ? "won" : mean === 0 ? "lost" : "drew", winner: proven === "draw" ? "a draw" : `${this.name(proven)} wins` });
    return [node.up ? [...(visits === 1 ? ["new"] : []), "chosen", "uct", ...(proven ? ["proven"] : [])] : ["games"], gaps];
  }

  /** How far a search has got. */
  counts({ events }) {
    const { step, playouts, trace } = this.tree, done = events.slice(0, step + 1);
    if (playouts) return `play-outs: ${events[step]}`;
    const ended = (end) => done.filter((node, at) => node.leave === at && node.end === end).length;
    return `nodes: ${done.filter((node, at) => node.enter === at).length} · evaluated: ${ended("horizon")} · cut off: ${ended("cut")}${trace.info.table_hits ? ` · from the table: ${ended("table")}` : ""}`;
  }
}
