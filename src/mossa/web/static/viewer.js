// <mossa-trace>: a recorded search to step through; its markup is viewer.html. It draws what the trace holds and
// knows no rules. All that is shown follows from the step alone, so going back is as easy as going on.
import "./board.js";
import { html, onKeys, svg } from "./dom.js";
import { lineOf, Words } from "./explain.js";
import { DECIDED, seen, show, Tree } from "./tree.js";

const ROW = 32, COL = 184, WIDTH = 158, HEIGHT = 26, PAD = 14;

class TraceViewer extends HTMLElement {
  #root = 0;
  #playing = false;
  #due = 0;
  #later = 0;
  /** A node to look at that is not the step's own. */ #chosen = null;
  /** @type {Tree} */ tree;
  /** @type {Words} */ words;

  /** @returns {any} */
  $(id) { return this.querySelector(`#${id}`); }

  get #here() { return this.tree.roots[this.#root]; }

  get #now() { return this.#chosen ?? this.tree.current(this.#here); }

  get #atEnd() { return this.#root === this.tree.roots.length - 1 && this.tree.step === this.#here.events.length - 1; }

  set trace(trace) {
    const tree = this.tree = new Tree(trace), { info } = trace;
    this.words = new Words(tree);
    this.classList.toggle("mcts", tree.playouts);
    this.classList.toggle("uncut", !tree.roots.some((one) => one.cuts.length));
    this.$("found").textContent = `plays ${info.move} · score ${info.score.text} · nodes: ${info.nodes}${trace.truncated ? ` (${trace.nodes.length} shown)` : ""}`;
    this.$("iteration").replaceChildren(...tree.roots.map((one, at) => html("option", { value: at }, `depth ${one.depth}${one.depth === tree.roots[at - 1]?.depth ? ", again" : ""}`)));
    this.$("iteration-label").hidden = !tree.roots[1];
    this.$("view").options[1].textContent = `${this.words.name(tree.roots[0].side)}, at the root`;
    const [, root, step] = location.hash.match(/^#(\d+)\.(\d+)$/) ?? [1, 1, 1];
    this.go(Number(step) - 1, Number(root) - 1);
  }

  go(step, root = this.#root, chosen = null) {
    const within = (at, all) => Math.max(0, Math.min(all.length - 1, at));
    this.#root = within(root, this.tree.roots);
    this.tree.step = within(step, this.#here.events);
    this.#chosen = chosen;
    this.#draw(true);
    this.#drawNode();
    this.#drawControls();
  }

  advance(by) {
    const step = this.tree.step + by;
    if (step < 0 && this.#root > 0) this.go(Infinity, this.#root - 1);
    else if (step >= this.#here.events.length && this.tree.roots[this.#root + 1]) this.go(0, this.#root + 1);
    else this.go(step);
  }

  #visit(node) {
    if (this.tree.playouts) this.go(this.tree.step, this.#root, node);
    else if (node) this.go(node === this.#now && this.tree.step === node.leave ? node.enter : node.leave);
  }

  #toCut(direction) {
    const cuts = this.tree.roots.flatMap((root, at) => root.cuts.map((cut) => [cut, at]));
    const fits = ([cut, at]) => (at - this.#root || cut - this.tree.step) * direction > 0;
    const found = direction > 0 ? cuts.find(fits) : cuts.findLast(fits);
    if (found) this.go(...found);
  }

  /** Rows go down, columns go right; a parent stands beside its first child, so nothing moves when one is added. */
  #layout() {
    const { tree } = this, path = new Set(), whole = this.$("whole").ariaPressed === "true";
    for (let node = this.#now; node; node = node.up) path.add(node);
    const placed = [];
    let row = 0, cols = 0;
    const place = (node, col) => {
      const at = { node, x: PAD + col * COL, y: PAD + row * ROW, below: /** @type {any[]} */ ([]) };
      placed.push(at);
      cols = Math.max(cols, col + 1);
      if (whole || path.has(node)) {
        at.below = node.children.filter((child) => (whole && !tree.playouts) || tree.entered(child)).map((child) => place(child, col + 1));
        if (node.skipped && tree.left(node)) at.below.push({ y: PAD + row++ * ROW });
      }
      if (!at.below.length) row++;
      return at;
    };
    place(this.#here, 0);
    return { placed, path, width: PAD + cols * COL, height: PAD * 2 + row * ROW };
  }

  /** Draw the tree; only its visible part is in the document. @param {boolean} reveal whether the current node must be in sight */
  #draw(reveal = false) {
    const { placed, path, width, height } = this.#layout(), box = this.$("tree");
    const z = Math.max(0.75, Math.min(1.2, box.clientWidth / (2 * PAD + (this.#here.deepest + 1) * COL)));  // so that the deepest line fits
    Object.assign(this.$("sheet").style, { width: `${width}px`, height: `${height}px`, zoom: z });
    const here = placed.find((at) => at.node === this.#now);
    if (reveal && here) {
      const right = (here.x + COL * (here.below[0] ? 2 : 1)) * z, y = here.y * z;
      if (right > box.scrollLeft + box.clientWidth || here.x * z < box.scrollLeft) box.scrollLeft = right - box.clientWidth;
      if (y < box.scrollTop + 20 || y + 60 > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 3;
    }
    this.#fill(placed, path, box.scrollTop / z - 200, (box.scrollTop + box.clientHeight) / z + 200);
  }

  #fill(placed, path, top, bottom) {
    const drawn = [], lines = { "": "", best: "", way: "" };
    for (const { node, x, y, below } of placed) {
      for (const child of below) {
        if (child.y < top || y > bottom) continue;
        lines[path.has(child.node) ? "way" : child.node && this.#isBest(child.node) ? "best" : ""] += `M${x + WIDTH} ${y + HEIGHT / 2}H${x + COL - 13}V${child.y + HEIGHT / 2}H${x + COL}`;
        if (!child.node) drawn.push(html("div", { className: "stub", style: `left:${x + COL}px;top:${child.y}px` }, `✂ ${node.skipped} move${node.skipped > 1 ? "s" : ""} skipped`));
      }
      if (y > top && y < bottom) drawn.push(this.#box(node, path, x, y));
    }
    this.$("sheet").replaceChildren(svg("svg", { id: "edges" }, ...Object.entries(lines).map(([kind, d]) => svg("path", { class: kind, d }))), ...drawn);
  }

  #isBest(node) { return !this.tree.playouts && node.up && this.tree.left(node.up) && this.tree.best(node.up) === node; }

  #box(node, path, x, y) {
    const { tree } = this, entered = tree.entered(node), own = node.side === node.root.side, visits = (one) => tree.count(one)[1];
    const kinds = ["node", !entered ? "pending" : tree.left(node) && node.end, path.has(node) && "path", this.#isBest(node) && "best", node === this.#now && "now"];
    return html("button", { type: "button", className: kinds.filter(Boolean).join(" "), tabIndex: -1, style: `left:${x}px;top:${y}px`, title: lineOf(node), onclick: () => this.#visit(node) },
      tree.playouts && node.up ? html("span", { className: "share", style: `width:${(100 * visits(node)) / visits(node.up)}%` }) : "",
      html("span", { className: own ? "shape" : "shape low" }, own ? "▲" : "▼"), html("b", {}, (node.move ?? "root") + (node.again ? " ↻" : "")),
      html("span", { className: "text" }, entered ? this.words.label(node) : ""),
      node.children.length && !path.has(node) && entered ? html("small", {}, "›") : "");
  }

  #drawNode() {
    const { tree, words } = this, node = this.#now, { board, game } = tree.trace;
    const worth = (one) => (tree.playouts ? tree.count(one)[1] : seen(one));
    const tried = tree.known(node).filter((one) => one.last).sort((one, two) => worth(two) - worth(one));
    const best = tree.playouts ? null : tree.best(node);
    const scores = tried.map((one) => ({ move: one.move, score: { short: tree.playouts ? `${worth(one)}` : words.text(node, worth(one)) }, look: one === best ? "best" : "" }));
    const shown = this.$("board");
    shown.show({ ...board, game, ply: node.ply, side: node.side, cells: tree.cells(node), last: [node.source, node.last].filter(Boolean), winning: node.winning ?? [], legal: tried.map(({ move, source, last }) => ({ move, source, target: last })) }, { animate: false });
    shown.marks = { scores };
    this.$("state").textContent = node.status;
    this.$("where").textContent = node.up ? `after ${lineOf(node)}` : "the root position";
    if (!tree.playouts) this.#numberLine(node, best);
    const [said, gaps] = words.told(node);
    this.$("words").replaceChildren(...said.map((name) => {
      const text = this.$("texts").querySelector(`[data-say="${name}"]`).cloneNode(true);
      text.innerHTML = text.innerHTML.replace(/{(\w+)}/g, (_, gap) => gaps[gap]);
      return text;
    }));
    this.$("children").hidden = !tree.playouts || !tried.length;
    if (tree.playouts) this.#drawChildren(node);
  }

  /** Alpha, beta and the value on a line; infinite ones go at its ends. */
  #numberLine(node, best) {
    const { tree, words } = this, left = tree.left(node), value = left ? node.value : best && seen(best), window = tree.window(node);
    const near = [node, ...node.children].flatMap((one) => [one.value, one.alpha, one.beta]).map(Math.abs).filter((size) => size <= DECIDED);
    const marks = window ? words.window(node, window).map((at, end) => ["αβ"[end], at]) : [];
    if (value !== null) marks.push(["", words.turned(node) ? -value : value]);
    this.$("line").replaceChildren(...marks.map(([name, at]) =>
      html("span", { className: name ? "" : `value ${left ? node.end : ""}`, style: `left:${50 + 42 * Math.max(-1, Math.min(1, at / Math.max(4, ...near)))}%` }, name && `${name} ${show(at)}`)));
  }

  #drawChildren(node) {
    const { tree } = this, rows = node.children.filter((one) => tree.entered(one)).map((one) => ({ one, uct: tree.uct(one) }));
    const next = rows.length === node.legal ? Math.max(...rows.map(({ uct }) => uct[2])) : NaN;
    this.$("children").tBodies[0].replaceChildren(...rows.map(({ one, uct }) => html("tr", { className: `${uct[2] === next ? "next" : ""} ${!node.up && one.move === tree.trace.info.move ? "played" : ""}` },
      ...[one.move, tree.count(one)[1], ...uct.map((part) => part.toFixed(3))].map((text) => html("td", {}, text)))));
  }

  #drawControls() {
    const { events, cuts } = this.#here, { step } = this.tree;
    Object.assign(this.$("slider"), { max: events.length - 1, value: step });
    this.$("iteration").value = this.#root;
    this.$("count").textContent = `step ${step + 1} of ${events.length} · ${this.words.counts(this.#here)}`;
    this.$("play").textContent = this.#playing ? "‖ Pause" : "▶ Play";
    this.$("ticks").setAttribute("viewBox", `0 0 ${events.length} 8`);
    this.$("ticks").firstElementChild.setAttribute("d", cuts.map((cut) => `M${cut + 0.5} 0v8`).join(""));
    // The address names the step, so people can bookmark it. Browsers limit rapid changes.
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.isConnected && history.replaceState(null, "", `#${this.#root + 1}.${step + 1}`), 300);
  }

  get #rate() { return Math.round(10 ** (this.$("speed").value / 50 - 0.4) * 10) / 10; }

  #tick = (now) => {
    const steps = Math.floor(((now - this.#due) * this.#rate) / 1000);
    if (!this.#playing || !this.isConnected) return;
    if (steps > 0) {
      this.#due = now;
      this.advance(steps);
    }
    if (this.#atEnd) this.#play();
    else requestAnimationFrame(this.#tick);
  };

  #play() {
    this.#playing = !this.#playing;
    if (this.#playing && this.#atEnd) this.go(0, 0);
    this.#due = performance.now();
    this.#drawControls();
    if (this.#playing) requestAnimationFrame(this.#tick);
  }

  /** Do what a key stands for, if anything. @param {string} key */
  #press(key) {
    const { step, playouts } = this.tree, node = this.#now;
    const act = {
      " ": () => this.#play(), "?": () => this.$("about").showModal(), ArrowRight: () => this.advance(1), ArrowLeft: () => this.advance(-1), ArrowUp: () => this.#visit(node.up),
      ArrowDown: () => (playouts ? this.advance(10) : step < node.leave ? this.go(node.leave) : this.#visit(node.up)),
      Home: () => this.go(0), End: () => this.go(Infinity), "[": () => this.go(0, this.#root - 1), "]": () => this.go(0, this.#root + 1), c: () => this.#toCut(1), C: () => this.#toCut(-1),
    }[key];
    if (key !== " ") this.#playing = false;
    act?.();
    return Boolean(act);
  }

  connectedCallback() {
    this.onclick = ({ target }) => { if (target instanceof HTMLElement && target.dataset.key) this.#press(target.dataset.key); };
    this.$("whole").onclick = ({ target }) => { target.ariaPressed = String(target.ariaPressed !== "true"); this.#draw(true); };
    this.$("slider").oninput = ({ target }) => { this.#playing = false; this.go(Number(target.value)); };
    this.$("iteration").onchange = ({ target }) => this.go(0, Number(target.value));
    this.$("view").onchange = ({ target }) => { this.words.forRoot = target.value === "root"; this.go(this.tree.step, this.#root, this.#chosen); };
    (this.$("speed").oninput = () => { this.$("rate").value = `${this.#rate}/s`; })();
    onresize = this.$("tree").onscroll = () => this.isConnected && this.tree && this.#draw();
    onKeys(this, (key) => this.tree && !this.$("about").open && this.#press(key));
  }
}

customElements.define("mossa-trace", TraceViewer);
