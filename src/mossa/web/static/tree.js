// A recorded search as a tree, and how it stands at a step. A step is an event: a node is entered, or left with its
// value; in mcts, some play-outs more.

const WIN = 1e9;
export const DECIDED = WIN - 1e5;

/** Texts such as "+inf" and "win 7" as numbers that compare and negate as they should. */
function read(value) {
  if (typeof value !== "string") return value ?? null;
  if (value.endsWith("inf")) return Number(`${value[0]}Infinity`);
  const [word, ply] = value.split(" ");
  return word === "win" ? WIN - Number(ply) : Number(ply) - WIN;
}

export function show(value) {
  if (value === null) return "–";
  const size = Math.abs(value), sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return size === Infinity ? `${sign}∞` : size > DECIDED ? `${value > 0 ? "win" : "loss"}@${WIN - size}` : sign + size;
}

/** What a child's value is worth to the side that moves at its parent. */
export const seen = (child) => (child.side === child.up?.side ? child.value : 0 - child.value);

export class Tree {
  step = 0;
  roots = [];

  constructor(trace) {
    this.trace = trace;
    this.playouts = trace.info.iterations > 0;
    /** @type {any[]} */
    const nodes = trace.nodes.map((node) => ({ ...node, children: [], alpha: read(node.alpha), beta: read(node.beta), value: read(node.value) }));
    for (const node of nodes) {
      node.up = nodes[node.parent] ?? null;
      node.root = node.up?.root ?? Object.assign(node, { deepest: 0, ply: 0, events: this.playouts ? trace.grown : [] });
      node.ply = node.up ? node.up.ply + 1 : 0;
      node.root.deepest = Math.max(node.root.deepest, node.ply);
      (node.up?.children ?? this.roots).push(node);
    }
    if (!this.playouts) for (const root of this.roots) this.#walk(root, root.events);
    for (const root of this.roots) root.cuts = [...root.events.keys()].filter((at) => root.events[at].leave === at && root.events[at].end === "cut");
  }

  #walk(node, events) {
    node.enter = events.push(node) - 1;
    for (const child of node.children) this.#walk(child, events);
    node.leave = node.children.length ? events.push(node) - 1 : node.enter;
  }

  /** The node that a step is about: in mcts, where the last play-out left the tree. */
  current({ events }) {
    if (!this.playouts) return events[this.step];
    let node = this.roots[0];
    if (events[this.step] - (events[this.step - 1] ?? 0) > 1) return node;
    for (let next = node; next; next = node.children.find((child) => this.count(child)?.[0] === events[this.step])) node = next;
    return node;
  }

  /** Iteration, visits, mean and proof as last noted by now. @returns {any[]} */
  count(node) { return node.counts.findLast((one) => one[0] <= node.root.events[this.step]); }

  entered(node) { return this.playouts ? Boolean(this.count(node)) : node.enter <= this.step; }

  left(node) { return this.playouts ? this.entered(node) : node.leave <= this.step; }

  /** The children known by now; for those searched again, the second result counts. */
  known(node, step = this.step) {
    const done = (one) => (this.playouts ? this.entered(one) : one.leave <= step && one.value !== null);
    return [...new Map(node.children.filter(done).map((one) => [one.move, one])).values()];
  }

  /** The best child by now. */
  best(node, step = this.step) { return this.known(node, step).reduce((best, one) => (best && seen(best) >= seen(one) ? best : one), null); }

  /** The window by now: what has been found raises alpha. @returns {[number, number] | null} */
  window(node) {
    const best = this.left(node) ? null : this.best(node);
    return node.alpha === null ? null : [best ? Math.max(seen(best), node.alpha) : node.alpha, node.beta];
  }

  /** Mean and bonus of a move in mcts, and their sum: its UCT value. */
  uct(node) {
    const [, visits, mean] = this.count(node), bonus = this.trace.exploration * Math.sqrt(Math.log(this.count(node.up)[1]) / visits);
    return [mean, bonus, mean + bonus];
  }

  cells(node) {
    const cells = node.up ? this.cells(node.up) : node.cells.map((row) => [...row]);
    for (const [row, col, value] of node.changes ?? []) cells[row][col] = value;
    return cells;
  }
}
