// Dragging a piece to another cell, instead of two clicks.
export const TREMBLE = 8;  // pixels that a click may move

/** The end of a drag does not count as a click. @param {() => boolean} dragged */
export const noClick = (svg, dragged) => svg.addEventListener("click", (event) => dragged() && event.stopImmediatePropagation(), true);

export function draggable(grid) {
  const { svg, board } = grid;
  let held = null;
  let dragged = false;

  function drop({ type, clientX, clientY }) {
    const { key } = held ?? {};
    held = null;
    if (!key || !dragged) return;
    const target = document.elementFromPoint(clientX, clientY) ?? svg, to = type === "pointerup" && grid.keyAt({ target, clientX, clientY });
    const move = to && grid.moveAt(to);
    grid.stones.get(key).style.translate = "";
    if (move) board.play(move, false);
    else if (to !== key) board.pick("");
  }

  svg.addEventListener("pointerdown", (event) => {
    const key = grid.keyAt(event);
    dragged = false;
    held = event.isPrimary && !event.button && board.targets(key).size ? { key, x: event.clientX, y: event.clientY } : null;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    event.stopImmediatePropagation();  // the board stays
    const right = event.clientX - held.x, down = event.clientY - held.y, stone = grid.stones.get(held.key), scale = svg.getScreenCTM().a;
    if (!dragged && Math.hypot(right, down) < TREMBLE) return;
    if (!dragged) {
      dragged = true;
      svg.setPointerCapture(event.pointerId);
      board.pick(held.key);
      stone.parentNode.append(stone);
    }
    stone.style.translate = `${right / scale}px ${down / scale}px`;
  });
  svg.addEventListener("pointerup", drop);
  svg.addEventListener("pointercancel", drop);
  noClick(svg, () => dragged);
}
