// The moves of a game with branches: a tree, its text, and the list that shows it.
import { button, html } from "./dom.js";

/** A move in a list, to go there. */
export const listed = (ply, text, act, properties = {}) => html("li", {}, html("small", {}, String(ply)), " ", button(text, act, properties));

/** Mark the current move in a list. @param {HTMLElement} list @param {HTMLElement | null | undefined} at */
export function markMove(list, at) {
  for (const old of list.querySelectorAll("[aria-current]")) old.ariaCurrent = null;
  if (!at) return;
  at.ariaCurrent = "step";
  // Not scrollIntoView: that would scroll the page too.
  const top = at.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - at.offsetHeight) list.scrollTop = top - list.clientHeight / 2;
}

/** @typedef {{move: string, parent: Node | null, children: Node[], ply: number, value?: number, note?: any, button?: any}} Node */

/** @param {Node | null} parent @returns {Node} */
const node = (move, parent) => ({ move, parent, children: [], ply: parent ? parent.ply + 1 : 0 });

export class Moves {
  root = node("", null);
  here = this.root;

  /** Branches come in parentheses after the move they replace. @param {(node: Node) => void} pick */
  constructor(text, list, pick) {
    this.list = list;
    this.pick = pick;
    const left = [];
    for (const word of text.match(/[()]|[^\s()]+/g) ?? []) {
      if (word === "(") {
        left.push(this.here);
        this.here = /** @type {Node} */ (this.here.parent);
      } else if (word === ")") this.here = /** @type {Node} */ (left.pop());
      else this.add(word);
    }
    this.draw();
  }

  /** Follow a move; return whether it is new. */
  add(move) {
    const { children } = this.here;
    const old = children.find((each) => each.move === move);
    if (!old) children.push(node(move, this.here));
    this.here = old ?? children[children.length - 1];
    return !old;
  }

  /** The moves that lead to a node. @param {Node} to */
  path(to) { return this.#above(to).slice(1).map((each) => each.move).join(" "); }

  /** A node and all before it, from the root. @param {Node} to */
  #above(to) {
    const nodes = [to];
    while (nodes[0].parent) nodes.unshift(nodes[0].parent);
    return nodes;
  }

  /** All nodes of the line that goes through here. */
  get line() {
    const nodes = this.#above(this.here);
    for (let at = this.here; at.children.length; nodes.push(at)) at = at.children[0];
    return nodes;
  }

  /** Every node, in the order of the text. @param {Node} from @returns {Node[]} */
  all(from = this.root) {
    const [main, ...others] = from.children;
    return main ? [main, ...others.flatMap((each) => [each, ...this.all(each)]), ...this.all(main)] : [];
  }

  /** @param {Node} from @returns {string} */
  text(from = this.root) {
    const [main, ...others] = from.children;
    if (!main) return "";
    return [main.move, ...others.map((each) => `(${`${each.move} ${this.text(each)}`.trim()})`), this.text(main)].join(" ").trim();
  }

  /** Remove a move and everything after it from the tree. */
  remove() {
    const { parent } = this.here;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this.here), 1);
    this.here = parent;
    this.#changed();
  }

  /** Make the line up to here the main line. */
  promote() {
    for (const at of this.#above(this.here)) at.parent?.children.sort((one, two) => Number(two === at) - Number(one === at));
    this.#changed();
  }

  #changed() {
    this.draw();
    this.pick(this.here);
  }

  draw() {
    this.list.replaceChildren(...this.#items(this.root));
    this.mark();
  }

  /** Show where we are without redrawing the list. */
  mark() { markMove(this.list, this.here.button); }

  /** @param {Node} from @returns {HTMLElement[]} */
  #items(from) {
    const items = [];
    for (let [main, ...others] = from.children; main; [main, ...others] = main.children) {
      items.push(this.#item(main), ...others.map((each) => html("li", { className: "branch" }, html("ol", {}, this.#item(each), ...this.#items(each)))));
    }
    return items;
  }

  /** @param {Node} node */
  #item(node) {
    const { grade, mark = "", title = grade ?? "" } = node.note ?? {};
    const item = listed(node.ply, node.move + mark, () => this.pick(node), { className: grade ?? "", title });
    node.button = item.lastChild;
    return item;
  }
}
