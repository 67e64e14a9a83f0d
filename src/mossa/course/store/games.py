"""The games of the ladder: played once, counted once, reviewed once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from time import time
from typing import Any

from mossa.arena.store import Finished
from mossa.course.store.file import CourseFile
from mossa.course.store.rows import Duel, LadderGame

MOST_REVIEWS = 30
"""Reviews that may be waiting for one student; further wishes are not taken."""

_LOSER = (
    "(SELECT student FROM versions WHERE id = CASE {0}.result WHEN '1-0' "
    "THEN {0}.second ELSE {0}.first END)"
)
_HAS_ROOM = (  # a game whose loser does not wait for too many reviews
    f"(SELECT count(*) FROM games AS other WHERE other.wanted IS NOT NULL "
    f"AND other.review IS NULL AND {_LOSER.format('other')} = {_LOSER.format('games')}) "
    f"< {MOST_REVIEWS}"
)
_GAME = (
    "id, pair, game, opening, first, second, result, forfeit, plies, seconds, end, finished, review"
)


def _game(row: Sequence[Any]) -> LadderGame:
    values = [*row]
    values[12] = None if row[12] is None else json.loads(row[12])
    return LadderGame(*values)


class Games(CourseFile):
    """The tables of games and duels."""

    def add_pair(self, game: str, opening: str, a: int, b: int) -> list[LadderGame]:
        """Add both games of a pair; none if one of the two plays no more."""
        with self._change() as db:
            playing = db.execute(
                "SELECT count(*) FROM versions WHERE id IN (?, ?) AND state = 'current' AND "
                "student IN (SELECT id FROM students WHERE disqualified IS NULL)",
                [a, b],
            ).fetchone()[0]
            if playing < 2:
                return []
            # Numbers are never given twice, even if the last games were dropped.
            number = db.execute(
                "INSERT INTO settings VALUES ('games', '2') "
                "ON CONFLICT DO UPDATE SET value = CAST(value + 2 AS TEXT) RETURNING value"
            ).fetchone()[0]
            last = int(number)
            found = [
                LadderGame(last - 1, last // 2, game, opening, a, b),
                LadderGame(last, last // 2, game, opening, b, a),
            ]
            db.executemany(
                "INSERT INTO games (id, pair, game, opening, first, second) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [(g.id, g.pair, g.game, g.opening, g.first, g.second) for g in found],
            )
            return found

    def open_games(self) -> list[LadderGame]:
        """Return the games that are still to be played."""
        rows = self._rows(f"SELECT {_GAME} FROM games WHERE result IS NULL ORDER BY id")
        return [_game(row) for row in rows]

    def drop(self, number: int) -> None:
        """Forget a game that will not be played: one of its players has left."""
        with self._change() as db:
            db.execute("DELETE FROM games WHERE id = ? AND result IS NULL", [number])

    def finish(self, game: Finished) -> bool:
        """Commit a finished game; False if it has been finished before, or is wanted no more."""
        with self._change() as db:
            done = db.execute(
                "UPDATE games SET result = ?, forfeit = ?, plies = ?, seconds = ?, end = ?, "
                "record = ?, finished = ? WHERE id = ? AND result IS NULL "
                "RETURNING first, second, game",
                [
                    game.result,
                    game.forfeit,
                    game.plies,
                    game.seconds,
                    game.end,
                    game.record,
                    time(),
                    game.id,
                ],
            ).fetchone()
            if done is None:
                return False
            if (counts := _counts(game)) is not None:
                db.execute(
                    "INSERT INTO duels VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                    "wins = wins + excluded.wins, draws = draws + excluded.draws, "
                    "losses = losses + excluded.losses, given = given + excluded.given, "
                    "forfeited = forfeited + excluded.forfeited",
                    [*done, *counts],
                )
            db.execute(
                "INSERT INTO settings VALUES ('finished', '1') "
                "ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)"
            )
            self._touch(db)
            return True

    def game(self, number: int) -> LadderGame | None:
        """Return a game; None if there is none of this number."""
        row = self._one(f"SELECT {_GAME} FROM games WHERE id = ?", [number])
        return None if row is None else _game(row)

    def record(self, number: int) -> str | None:
        """Return a finished game as a line of JSON."""
        row = self._one("SELECT record FROM games WHERE id = ?", [number])
        return None if row is None or row[0] is None else str(row[0])

    def games_of(
        self, versions: Sequence[int], *, limit: int = 50, before: int | None = None
    ) -> list[tuple[LadderGame, str]]:
        """Return the last finished games of some versions with their records, newest first.

        ``before`` is the number of a game: only older ones.
        """
        found: dict[int, tuple[LadderGame, str]] = {}
        for column in ("first", "second"):
            for version in versions:  # by the index, however many games there are
                rows = self._rows(
                    f"SELECT {_GAME}, record FROM games WHERE {column} = ? AND id < ? "
                    "AND result IS NOT NULL ORDER BY id DESC LIMIT ?",
                    [version, (1 << 62) if before is None else before, limit],
                )
                found |= {row[0]: (_game(row[:-1]), str(row[-1])) for row in rows}
        return [found[number] for number in sorted(found, reverse=True)[:limit]]

    def count_finished(self) -> int:
        """Return how many games were finished."""
        return int(self.setting("finished", "0"))

    def duels(self, versions: Iterable[int] | None = None) -> list[Duel]:
        """Return the results of all couples, or of some versions against all."""
        if versions is None:
            return [Duel(*row) for row in self._rows("SELECT * FROM duels")]
        found: set[Duel] = set()
        for version in versions:
            for column in ("first", "second"):
                rows = self._rows(f"SELECT * FROM duels WHERE {column} = ?", [version])
                found |= {Duel(*row) for row in rows}
        return sorted(found, key=lambda duel: (duel.first, duel.second, duel.game))

    # -------------------------------------------------------------- reviews

    def want_reviews(self, games: Sequence[int]) -> None:
        """Ask for reviews of games that somebody lost, as long as not too many wait for him.

        Nothing is written if all were asked for already, or none is taken.
        """
        marks = ", ".join("?" * len(games))
        new = self._rows(
            f"SELECT id FROM games WHERE id IN ({marks}) AND wanted IS NULL AND review IS NULL "
            f"AND record IS NOT NULL AND {_HAS_ROOM}",
            games,
        )
        if not new:
            return
        now = time()
        with self._change() as db:
            db.executemany(
                f"UPDATE games SET wanted = ? WHERE id = ? AND wanted IS NULL AND {_HAS_ROOM}",
                [(now, number) for (number,) in new],
            )

    def wanted_reviews(self, limit: int) -> list[tuple[int, str]]:
        """Return the games that somebody wants a review of, longest waiting first."""
        return self._rows(
            "SELECT id, record FROM games WHERE wanted IS NOT NULL AND review IS NULL "
            "AND record IS NOT NULL ORDER BY wanted LIMIT ?",
            [limit],
        )

    def set_review(self, number: int, review: dict[str, Any]) -> None:
        """Keep the review of a game, and count its moves for both versions; once."""
        with self._change() as db:
            row = db.execute(
                "UPDATE games SET review = ? WHERE id = ? AND review IS NULL "
                "RETURNING first, second",
                [json.dumps(review), number],
            ).fetchone()
            if row is None:
                return
            for version, side in zip(row, ("first", "second"), strict=True):
                about = review.get(side) or {}
                db.execute(
                    "UPDATE versions SET judged = judged + ?, kept = kept + ?, lost = lost + ? "
                    "WHERE id = ?",
                    [about.get("judged", 0), about.get("kept", 0), about.get("lost", 0.0), version],
                )
            self._touch(db)


def _counts(game: Finished) -> tuple[int, int, int, int, int] | None:
    """Return what a game adds to a duel: wins, draws, losses, given, forfeited; None: nothing."""
    if game.result not in ("1-0", "1/2", "0-1"):
        return None
    won, lost = game.result == "1-0", game.result == "0-1"
    by_forfeit = game.forfeit is not None
    return won, game.result == "1/2", lost, won and by_forfeit, lost and by_forfeit
