"""A naive second opinion on wins by threats: whoever claims one must win against every defence.

Nothing here knows patterns. The rows are counted stone by stone, and a defender tries every legal
reply. Only the attacker's moves come from the search that made the claim.
"""

from __future__ import annotations

from collections.abc import Callable

from mossa import Exact, Info, Position, Side

Attacker = Callable[[Position], Info]
"""What the search says of a position in which the attacker is to move."""


def winning_moves(position: Position, side: Side, *added: str) -> set[str]:
    """The empty cells on which a side would have k in a row, or exactly k where that is the rule.

    The side may have stones added, as if the other side had passed.
    """
    sizes, exact = position.game.sizes, "exact=yes" in position.game.name
    cells = {(r, c): cell for r, row in enumerate(position.cells) for c, cell in enumerate(row)}
    stones = {place for place, cell in cells.items() if cell == side.value + 1}
    stones |= {place for place in cells if name(place) in added} if added else set()
    # Only next to a stone of its own a side can complete a row of two or more.
    near = {(r + up, c + right) for r, c in stones for up in (-1, 0, 1) for right in (-1, 0, 1)}
    return {
        name(place)
        for place in near - stones
        if cells.get(place) == 0 and _completes(stones, place, sizes["k"], exact=exact)
    }


def _completes(stones: set[tuple[int, int]], cell: tuple[int, int], k: int, *, exact: bool) -> bool:
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            row, col = cell[0] + sign * up, cell[1] + sign * right
            while (row, col) in stones:
                length, row, col = length + 1, row + sign * up, col + sign * right
        if length == k or (length > k and not exact):
            return True
    return False


def name(cell: tuple[int, int]) -> str:
    """The text of a move to a cell of the first 26 columns."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


class Verifier:
    """Plays a claimed win against every defence."""

    def __init__(self, attacker: Attacker, most: int) -> None:
        """Look at `most` positions at most."""
        self.attacker = attacker
        self.left = most
        self.proven: set[int] = set()

    def check(self, position: Position, plies: int | None = None) -> bool:
        """Tell whether the attacker, who is to move, wins whatever the defender does, in time.

        False if it ran out of positions, or the search was too short to find a win again. A claim
        that does not hold is an AssertionError.
        """
        if position.key in self.proven:
            return True
        info = self.attacker(position)
        where = f"{position.game} {position.history_text}"
        if not isinstance(info.score, Exact):
            return False
        assert info.score.value == 1, f"{where}: {info.score}"
        assert info.score.distance is not None
        assert plies is None or info.score.distance <= plies, f"{where}: later than was claimed"
        after = position.play(info.move)
        if after.outcome is None:
            assert not winning_moves(after, after.side), f"{where}: {info.move} allows a win"
            threatened = winning_moves(after, position.side)
            # Whoever does not stop a win at once has lost; two at once cannot be stopped.
            replies = [str(move) for move in after.moves] if not threatened else list(threatened)
            for reply in replies if len(threatened) < 2 else []:
                self.left -= 1
                if self.left < 0:
                    return False
                answer = after.play(reply)
                assert answer.outcome is None, f"{where}: {info.move} {reply} ends it"
                if not self.check(answer):
                    return False
        else:
            assert after.outcome.winner is position.side
        self.proven.add(position.key)
        return True
