"""starter, a game in Python: take one, two or three stones from a heap; the last one wins.

mossa match alphabeta:depth=6 random starter.py:Starter
"""


class Starter:
    """A position, which never changes: ``play`` returns the next one."""

    def __init__(self, heap: int = 21, side: int = 0) -> None:
        """Begin with the whole heap, and side 0 to move."""
        self.heap = heap
        self.side = side

    @property
    def moves(self) -> list[int]:
        """The legal moves: how many stones to take."""
        return list(range(1, min(3, self.heap) + 1))

    def play(self, move: int) -> "Starter":
        """Return the position after a move; the other side is to move there."""
        return Starter(self.heap - move, 1 - self.side)

    @property
    def outcome(self) -> int | None:
        """What side 0 got: 1 is a win, -1 a loss, 0 a draw; None while the game goes on."""
        if self.heap > 0:
            return None
        return 1 if self.side == 1 else -1  # whoever moved last

    @property
    def key(self) -> tuple[int, int]:
        """Equal for equal positions: the searches remember what they know under it."""
        return self.heap, self.side

    def evaluate(self) -> int:
        """Return a guess for the side to move, where a search looks no further; may be left out."""
        return 1 if self.heap % 4 else -1

    def __str__(self) -> str:
        """Draw the position."""
        return f"{'|' * self.heap} ({self.heap})"
