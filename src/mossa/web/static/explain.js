// What happens at a node of a search: which of the texts in viewer.html, and with what in their gaps.
import { seen, show } from "./tree.js";

/** @typedef {import("./tree.js").Visit} Visit */

/** The moves that lead to a node. @param {Visit} node @returns {string} */
export const lineOf = (node) => (node.up ? `${lineOf(node.up)} ${node.move}`.trim() : "");

/** Texts about the nodes of a tree. */
export class Words {
  /** Whether all values are for the root's side, which makes them max and min; else for the side to move. */
  forRoot = false;

  /** @param {import("./tree.js").Tree} tree */
  constructor(tree) { this.tree = tree; }

  /** @param {string} side */
  name(side) { return this.tree.trace.board.sides[side]; }

  /** @param {Visit} node */
  turned(node) { return this.forRoot && node.side !== node.root.side; }

  /** @param {Visit} node @param {number | null} value */
  text(node, value) { return show(value === null ? null : this.turned(node) ? 0 - value : value); }

  /** Low and high as they are shown. @param {Visit} node @param {number[]} window */
  window(node, [low, high]) { return this.turned(node) ? [0 - high, 0 - low] : [low, high]; }

  /** What stands in a node's box. @param {Visit} node */
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

  /** The texts for a node, and what is in their gaps. @param {Visit} node @returns {[string[], Record<string, any>]} */
  told(node) {
    const { tree } = this, { side, up } = node, best = tree.playouts ? null : tree.best(node), sides = ["first", "second"];
    const gaps = {
      me: this.name(side), you: this.name(sides[1 - sides.indexOf(side)]), mover: up && this.name(up.side), last: node.move, move: best?.move ?? "A move",
      status: node.status, skipped: node.skipped, bound: this.turned(node) ? "at least" : "at most",
      value: this.text(node, node.value), alpha: this.text(node, node.alpha), beta: this.text(node, node.beta),
    };
    if (tree.playouts) return this.#playout(node, gaps);
    if (!tree.left(node)) {
      const wide = node.alpha === -Infinity && node.beta === Infinity, plain = !node.scout && node.alpha !== null && !wide;
      const said = { again: side === up?.side, twice: node.again, scout: node.scout, all: node.alpha === null, open: wide, low: plain && node.alpha !== -Infinity, high: plain && node.beta !== Infinity };
      return [Object.keys(said).filter((key) => said[key]), gaps];
    }
    if (node.value === null) return [["stopped"], gaps];
    const said = [node.incomplete ? "incomplete" : node.end || (node.alpha !== null && node.value <= node.alpha ? "fails" : "exact")];
    if (up) said.push(this.#back(node, up, gaps));
    return [said, gaps];
  }

  /** What the parent makes of a value that has just come back. @param {Visit} node @param {Visit} up */
  #back(node, up, gaps) {
    const best = this.tree.best(up, node.enter - 1), worth = seen(node), sure = Math.max(best ? seen(best) : -Infinity, up.alpha ?? -Infinity);
    Object.assign(gaps, { worth: this.text(up, worth), sure: this.text(up, sure) });
    if (up.beta !== null && worth >= up.beta) return "back-cut";
    return worth <= sure ? "back-worse" : node.scout && !up.scout ? "back-scout" : "back-best";
  }

  /** @param {Visit} node @returns {[string[], Record<string, any>]} */
  #playout(node, gaps) {
    const [number, visits, mean, proven] = this.tree.count(node), all = node.up && this.tree.count(node.up)[1];
    Object.assign(gaps, { number, visits, all, share: Math.round((100 * visits) / all), score: Math.round(100 * mean), result: mean === 1 ? "won" : mean === 0 ? "lost" : "drew", winner: proven === "draw" ? "a draw" : `${this.name(proven)} wins` });
    return [node.up ? [...(visits === 1 ? ["new"] : []), "chosen", ...(proven ? ["proven"] : [])] : ["games"], gaps];
  }

  /** Names and values. @param {Visit} node @returns {string[][]} */
  facts(node) {
    const { tree } = this, facts = [["to move", this.name(node.side) + (this.forRoot ? (this.turned(node) ? ", minimises" : ", maximises") : "")]];
    if (tree.playouts) {
      if (!node.up) return facts;
      const [mean, bonus] = tree.uct(node);
      return [...facts, ["UCT value", `${mean.toFixed(3)} + ${bonus.toFixed(3)} = ${(mean + bonus).toFixed(3)}`]];
    }
    const best = tree.best(node), tried = new Set(node.children.filter((one) => tree.entered(one)).map((one) => one.move)).size;
    if (node.alpha !== null) facts.push(["window in", this.window(node, [node.alpha, node.beta]).map(show).join(" to ")]);
    if (best) facts.push([tree.left(node) ? "best move" : "best so far", `${best.move}, worth ${this.text(node, seen(best))}`]);
    if (tried) facts.push(["moves tried", `${tried} of ${node.legal}`]);
    return [...facts, ["depth left", node.depth]];
  }

  /** How far a search is. @param {Visit} root */
  counts({ events }) {
    const { step, playouts } = this.tree;
    if (playouts) return `${events[step]} play-outs`;
    const count = (fits) => events.filter((node, at) => at <= step && fits(node, at)).length, ended = (end) => count((node, at) => node.leave === at && node.end === end);
    return `${count((node, at) => node.enter === at)} nodes · ${ended("horizon")} evaluated · ${ended("cut")} cut${this.tree.trace.info.table_hits ? ` · ${ended("table")} from the table` : ""}`;
  }
}
