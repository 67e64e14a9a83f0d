// What a position looks like, and what its sides and cells are called.

/** What a game looks like; mnk has two looks, by its size. */
export const look = (position) => (position.kind === "mnk" ? (position.letters ? "letters" : "stones") : position.kind);

/** What a side is called, says the server. */
export const sideName = (position, side) => position.sides[side];

export const cellName = (position, [row, col]) =>
  position.kind === "mnk" ? `${position.columns[col]}${row + 1}` : `column ${position.columns[col]}`;
