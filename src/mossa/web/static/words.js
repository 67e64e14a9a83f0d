// How positions, sides and scores are called.

/** What a game looks like; mnk has two looks, by its size. */
export const look = (position) =>
  position.kind === "mnk" ? (position.letters ? "letters" : "stones") : position.kind;

/** @type {Record<string, {first: string, second: string}>} */
const SIDES = {
  connect: { first: "Yellow", second: "Red" },
  letters: { first: "X", second: "O" },
  stones: { first: "Black", second: "White" },
  kalah: { first: "Bottom", second: "Top" },
};

/** @param {string} side */
export const sideName = (position, side) => SIDES[look(position)][/** @type {"first"} */ (side)];

/** @param {number[]} cell */
export const cellName = (position, [row, col]) =>
  position.kind === "mnk" ? `${position.columns[col]}${row + 1}` : `column ${position.columns[col]}`;

/** @param {string} name */
export const playerName = (name) =>
  name === "human" ? "Person" : name.replace(/^level:(\d+)$/, "Level $1");

/**
 * A score in a few letters: W7 is a win in 7 plies, L a loss, = a draw; numbers are estimates, and
 * in kalah seeds.
 *
 */
export function shortScore(position, score) {
  const { value, distance, exact } = score;
  if (distance !== null && value !== 0) return `${Number(value) > 0 ? "W" : "L"}${distance}`;
  if (exact && value === 0) return "=";
  const number = typeof value === "number" ? Math.round(value) : value;
  const text = number > 0 ? `+${number}` : String(number).replace("-", "−");
  return exact && position.kind !== "kalah" ? text : exact ? `${text}!` : text;
}

/** The same in words. */
export function longScore(position, score) {
  const { value, distance, exact } = score;
  const sure = exact ? "" : " probably";
  if (position.kind === "kalah") return `${exact ? "exactly" : "about"} ${score.text.replace("~ ", "")} seeds`;
  if (distance !== null && value !== 0) return `${Number(value) > 0 ? "wins" : "loses"}${sure} in ${distance} plies`;
  return exact ? "draw" : `about ${score.text.replace("~ ", "")}`;
}

/** @param {number} count */
export const amount = (count) =>
  count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e3 ? `${(count / 1e3).toFixed(0)} k` : `${count}`;

/** What a search thinks, in one line. */
export function thought(position, info) {
  const line = info.line.map((step) => step.move).join(" ");
  const work = info.iterations ? `${amount(info.iterations)} play-outs` : `depth ${info.depth}`;
  return `${work} · ${amount(info.nodes)} nodes · ${info.score.text} · ${line}`;
}
