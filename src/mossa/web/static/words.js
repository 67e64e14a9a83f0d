// How positions and players are called.

/** What a game looks like; mnk has two looks, by its size. */
export const look = (position) => (position.kind === "mnk" ? (position.letters ? "letters" : "stones") : position.kind);

const SIDES = {
  connect: { first: "Yellow", second: "Red" }, letters: { first: "X", second: "O" },
  stones: { first: "Black", second: "White" }, kalah: { first: "Bottom", second: "Top" },
};

export const sideName = (position, side) => SIDES[look(position)][side];

export const cellName = (position, [row, col]) =>
  position.kind === "mnk" ? `${position.columns[col]}${row + 1}` : `column ${position.columns[col]}`;

export const playerName = (name) => (name === "human" ? "Person" : name.replace(/^level:(\d+)$/, "Level $1"));

/** How a game ended, or who is next. @param {any} end */
export const standing = (position, end) => (end
  ? `${end.winner ? `${sideName(position, end.winner)} wins` : "Draw"}: ${end.reason}`
  : `${sideName(position, position.side)} to move`);
