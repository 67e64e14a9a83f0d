// Both clocks of a game. The server says what is left; in between the page counts down by itself.

export class Clocks {
  #clock;
  #since = 0;
  #timer = 0;

  /** @param {Record<string, HTMLElement>} faces @param {() => void} up called when the mover's time is up */
  constructor(faces, up) {
    this.faces = faces;
    this.up = up;
  }

  show(clock) {
    this.stop();
    this.#clock = clock;
    this.#since = performance.now();
    if (clock?.runs) this.#timer = setInterval(() => this.#draw(), 100);
    if (clock) this.#draw();
  }

  stop() { clearInterval(this.#timer); }

  #draw() {
    const { left, runs } = this.#clock;
    for (const [side, face] of Object.entries(this.faces)) {
      const rest = Math.max(0, left[side] - (side === runs ? (performance.now() - this.#since) / 1000 : 0));
      const pad = (value) => String(Math.floor(value)).padStart(2, "0");
      face.textContent = rest < 10 ? rest.toFixed(1) : `${rest < 3600 ? Math.floor(rest / 60) : `${Math.floor(rest / 3600)}:${pad((rest / 60) % 60)}`}:${pad(rest % 60)}`;
      face.className = `clock ${rest < 10 ? "low" : ""} ${side === runs ? "runs" : ""}`;
      if (rest || side !== runs) continue;
      this.stop();
      this.up();
    }
  }
}
