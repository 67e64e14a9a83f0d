// A closer look at a large board: wheel, pinch and drag, buttons and keys.
import { button, html, onKeys } from "./dom.js";
import { noClick, TREMBLE } from "./drag.js";

const SMALLEST = 17;  // pixels of a cell that can still be hit
const COMFORTABLE = 24;
const LARGEST = 64;
const STEP = 1.5;
const EDGE = 22;  // pixels that coordinates need

export class Zoom {
  #fingers = new Map();
  #dragged = false;
  changed = () => {};

  constructor({ svg, plan, root }, large) {
    const { width, height, cell, edge } = plan;
    this.svg = svg;
    this.plan = plan;
    this.edge = edge;
    /** What is seen, with the coordinates: from left and top, and how far. */ this.view = { x: 0, y: 0, width, height };
    const look = (text, name, factor) => button(text, () => this.by(factor), { ariaLabel: name, title: name });
    root.append(html("div", { className: "zoom" }, look("+", "Zoom in", STEP), look("−", "Zoom out", 1 / STEP), look("□", "Whole board", 0)));
    svg.addEventListener("wheel", (event) => {
      if (!large && !event.ctrlKey) return;  // a small board leaves the wheel to the page
      event.preventDefault();
      this.by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event);
    }, { passive: false });
    svg.onpointerdown = (event) => {
      this.#dragged &&= this.#fingers.size > 0;
      this.#fingers.set(event.pointerId, event);
    };
    svg.onpointermove = (event) => this.#move(event);
    svg.onpointerup = svg.onpointercancel = svg.onpointerleave = (event) => this.#fingers.delete(event.pointerId);
    noClick(svg, () => this.#dragged);
    onKeys(svg, (key) => {
      const factor = { "+": STEP, "=": STEP, "-": 1 / STEP, 0: 0 }[key];
      if (factor !== undefined) this.by(factor);
    });
    const seen = new ResizeObserver(() => {
      if (!svg.clientWidth) return;
      seen.disconnect();
      const pixels = cell * this.#scale;
      if (pixels < SMALLEST) this.by(COMFORTABLE / pixels);
    });
    seen.observe(svg);
  }

  get #z() { return this.plan.width / this.view.width; }

  /** Pixels per unit of the drawing. */
  get #scale() { return this.svg.getScreenCTM()?.a || 1; }

  point({ clientX, clientY }) { return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM()?.inverse()); }

  /** Zoom around a place on the screen, or the middle; a factor of 0 shows everything. @param {any} [event] */
  by(factor, event) {
    const { view } = this, old = this.#z;
    const { x, y } = event ? this.point(event) : { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    const z = Math.min(Math.max(old * factor, 1), Math.max(1, (LARGEST * old) / (this.plan.cell * this.#scale)));
    this.#to(x - ((x - view.x) * old) / z, y - ((y - view.y) * old) / z, z);
  }

  #to(x, y, z = this.#z) {
    const { plan } = this, width = plan.width / z, height = plan.height / z, pixels = (this.#scale * z) / this.#z;
    // Coordinates run along the left and lower edge of the view, large enough to read; they cover no cell permanently.
    this.edge = z > 1 ? Math.max(plan.edge, EDGE / pixels) : plan.edge;
    const more = this.edge - plan.edge, left = Math.min(Math.max(x, -more), plan.width - width), top = Math.min(Math.max(y, 0), plan.height - height + more);
    this.view = { x: left, y: top, width, height };
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.svg.style.touchAction = z > 1 ? "none" : "pan-y";
    this.changed();
  }

  /** Whether a place in the drawing is in view. */
  sees({ x, y }) {
    const { edge, view } = this;
    return x > view.x + edge && x < view.x + view.width && y > view.y && y < view.y + view.height - edge;
  }

  /** Bring a place into view with the least movement. */
  reveal({ x, y }) {
    const { plan: { cell }, edge, view } = this;
    const shift = (at, from, size) => Math.min(at - cell - from, Math.max(at + cell - from - size, 0));
    if (this.#z > 1) this.#to(view.x + shift(x, view.x + edge, view.width - edge), view.y + shift(y, view.y, view.height - edge));
  }

  #move(event) {
    const old = this.#fingers.get(event.pointerId);
    if (!old) return;
    const other = [...this.#fingers.values()].find((each) => each.pointerId !== event.pointerId);
    const far = (one, two) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    if (!other && !this.#dragged && (this.#z === 1 || far(old, event) < TREMBLE)) return;
    this.#dragged = true;
    this.#fingers.set(event.pointerId, event);
    const scale = this.#scale * (other ? 2 : 1);
    this.#to(this.view.x - (event.clientX - old.clientX) / scale, this.view.y - (event.clientY - old.clientY) / scale);
    if (other) this.by(far(event, other) / Math.max(far(old, other), 1), { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
  }
}
