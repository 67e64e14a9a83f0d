"""What is done to a version in a worker: built, checked, graded. Everything of it in a sandbox.

A job is plain data, so that it can be sent anywhere; the files lie in the folder of the course.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from mossa.arena.grade import Suite, grade, new_oracle, to_data
from mossa.arena.oracle import Oracle
from mossa.arena.referee import play, seated
from mossa.arena.store import Finished, finished
from mossa.arena.students import BuildError, Handed, handed_in
from mossa.course import uploads
from mossa.course.uploads import Limits
from mossa.errors import GameError, InvalidPlayerError, PlayerFailedError, raised, shorten
from mossa.games import game as game_named
from mossa.players import Player, is_foreign
from mossa.players.clocks import Conditions
from mossa.protocols import check_player
from mossa.protocols.bologna.frameworks import FRAMEWORKS
from mossa.protocols.external import is_program
from mossa.quantities import counted

UPLOAD = "upload"
"""The file that was handed in, as it came."""
FILES = "files"
"""What was handed in, as it was unpacked."""
PLAYER = "player"
"""A copy of that which has been built, and plays."""

REQUIRED = (
    "handshake",
    "first move",
    "reply",
    "legal moves",
    "whole game",
    "second game",
    "deadlines",
)
"""The checks that a player must pass; the others are remarks."""

_LOOSE = 0.5  # seconds that a check may be late, at least: games are played besides
_WORDS = {
    "handshake": "it does not start",
    "first move": "it fails to make the first move of a game",
    "reply": "it fails to answer a move",
    "legal moves": "it does not always make legal moves",
    "whole game": "it does not play a game to its end",
    "second game": "it does not begin a second game",
    "deadlines": "it takes longer than it may",
}
_JAVA = [each.name for each in FRAMEWORKS]
"""Kinds of players whose specs name a place."""
_CUT = 30  # characters of a path by which it is known
_PLACE = re.compile(r"(; )?what it printed is in \S+")


@dataclass(frozen=True)
class Job:
    """A version to test."""

    version: int
    folder: Path
    """Of this version."""
    boards: tuple[str, ...]
    conditions: Conditions
    languages: tuple[str, ...]
    suite: Suite | None
    needed: float
    file: str
    """What the student called the file."""
    limits: Limits


@dataclass(frozen=True)
class Tested:
    """What came of it."""

    version: int
    passed: bool
    told: str
    """In a sentence."""
    spec: str = ""
    log: str = ""
    checks: list[dict[str, Any]] = field(default_factory=list)
    grade: dict[str, Any] | None = None


class _RejectedError(Exception):
    """Why a version does not play."""


def test_version(job: Job) -> Tested:
    """Build, check and grade a version; runs in a worker."""
    done: dict[str, Any] = {}
    passed = False
    try:
        told = _tested(job, done)
        passed = True
    except (_RejectedError, GameError) as why:
        told = _sentence(str(why), job)
    except OSError as error:
        reason = f"the server could not test it: {error.strerror or raised(error)}"
        told = _sentence(reason, job)
    finally:
        if not passed:  # a build may have left as much as a disk holds
            discard(job.folder)
    return Tested(job.version, passed, told, **done)


def discard(folder: Path) -> None:
    """Remove what was built of the version in a folder."""
    with suppress(OSError):
        uploads.remove(folder / PLAYER)


def _tested(job: Job, done: dict[str, Any]) -> str:
    """Do all the work; what is found goes into ``done`` as it is found."""
    place = _laid_out(job)
    handed = handed_in(place)
    done["spec"] = seen_from(handed.spec, place)
    language = language_of(handed)
    if language not in job.languages:
        allowed = ", ".join(job.languages)
        raise _RejectedError(f"it is written in {language}, and this course accepts {allowed}")
    _build(handed, job, done)
    uploads.open_to_all(place)
    player = seated(handed.built(), job.conditions)
    done["checks"] = checks = list(_checked(player, job))
    failed = _failed(checks)
    if [each["name"] for each in failed] == ["deadlines"]:
        # Perhaps it was the machine that was busy: games are played besides.
        done["checks"] = checks = list(_checked(player, job))
        failed = _failed(checks)
    if failed:
        name = failed[0]["name"]
        raise _RejectedError(f"{_WORDS.get(name, f'it fails {name}')}: {failed[0]['detail']}")
    if job.suite is None:
        return "It passed all checks and is on the ladder."
    done["grade"] = _graded(handed, job, job.suite)
    points, possible = done["grade"]["points"], done["grade"]["possible"]
    share = f"{points:g} of {counted_points(possible)}"
    if possible and points / possible < job.needed:
        raise _RejectedError(
            f"it got {share}, and {job.needed:.0%} of them are needed to join the ladder"
        )
    return f"It passed all checks, got {share}, and is on the ladder."


def _laid_out(job: Job) -> Path:
    """Return a fresh copy of what was handed in, to be built."""
    place, files = job.folder / PLAYER, job.folder / FILES
    uploads.remove(place)
    if files.is_dir():
        shutil.copytree(files, place)
    else:  # it was tested before, and `clear` has made room
        uploads.unpack(job.folder / UPLOAD, job.file, place, job.limits)
    return place


def clear(folder: Path) -> None:
    """Delete what a version that does not play can do without: all but the file handed in."""
    doomed = folder / "doomed"
    for name in (FILES, PLAYER):
        with suppress(OSError):
            uploads.remove(doomed)
            # Renamed first: whoever is killed on the way must not leave half of the files.
            (folder / name).rename(doomed)
    with suppress(OSError):
        uploads.remove(doomed)


def _failed(checks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in checks if each["required"] and not each["passed"]]


def counted_points(points: float) -> str:
    """Return ``3 points``."""
    return counted(int(points), "point") if points == int(points) else f"{points:g} points"


def language_of(handed: Handed) -> str:
    """Return what a player is written in, by what is started: other files in the folder are bait.

    What ``player.toml`` builds and starts is a program, whatever it was made of.
    """
    if is_foreign(handed.spec):
        return "python"
    if handed.spec.partition(":")[0] in _JAVA:
        return "java"
    return handed.compiled_from or "program"


def seen_from(spec: str, place: Path) -> str:
    """Return a spec without the place of its folder, which is nobody's business and may change."""
    kind, colon, rest = spec.partition(":")
    if kind not in _JAVA:
        return spec
    return f"{kind}{colon}{Path(rest).relative_to(place)}"


def seen_at(spec: str, place: Path) -> str:
    """Return what `seen_from` was given."""
    kind, colon, rest = spec.partition(":")
    return f"{kind}{colon}{place / rest}" if kind in _JAVA else spec


def _build(handed: Handed, job: Job, done: dict[str, Any]) -> None:
    try:
        done["log"] = handed.compile(sandbox=job.conditions.sandbox is not None)
    except BuildError as error:
        done["log"] = error.output
        raise _RejectedError(f"it could not be built: {error}") from None


def _checked(player: Player, job: Job) -> Iterator[dict[str, Any]]:
    """Yield what came of the checks on the first board, and of a move on each of the others."""
    assert is_program(player)
    first, *others = (game_named(name) for name in job.boards)
    player.check_game(first)
    margin = max(job.conditions.margin, _LOOSE)
    for check in check_player(player, first, margin=margin):
        found = asdict(check)
        found["detail"] = plain(check.detail, job.folder / PLAYER)
        yield found | {"required": check.name in REQUIRED}
        if check.name == "handshake" and not check.passed:
            return
    for game in others:
        begin = perf_counter()
        try:
            player.check_game(game)
            record = play(player, player, game.start(), job.conditions, plies=1)
            forfeit = record.extra.get("forfeit")
            if isinstance(forfeit, dict):
                raise PlayerFailedError(forfeit["kind"], forfeit["reason"])
            detail, passed = f"plays {record.moves[-1]}", True
        except (PlayerFailedError, InvalidPlayerError) as error:
            said = getattr(error, "reason", str(error))
            detail, passed = plain(said, job.folder / PLAYER), False
        yield {
            "name": f"a move at {game}",
            "passed": passed,
            "detail": detail,
            "seconds": perf_counter() - begin,
            "required": True,
        }


_oracles: dict[str, Oracle] = {}


def _graded(handed: Handed, job: Job, suite: Suite) -> dict[str, Any]:
    """Grade a version under the limits of the suite, in the sandbox of the course."""
    limits = job.conditions
    conditions = replace(
        suite.conditions, memory=limits.memory, margin=limits.margin, sandbox=limits.sandbox
    )
    suite = replace(suite, conditions=conditions)
    oracle = _oracles.setdefault(suite.name, new_oracle())  # one for all that this worker does
    graded = [
        replace(each, detail=plain(each.detail, handed.folder))
        for each in grade(handed.built(), suite, oracle)
    ]
    return to_data(seen_from(handed.spec, handed.folder), suite, graded)


def plain(text: str, *places: Path) -> str:
    """Return what was said of a player on one line, and without places on the server."""
    clean = _PLACE.sub("", text)
    for place in places:
        clean = clean.replace(f"{place}{os.sep}", "")
        # A long path may have been cut short.
        clean = re.sub(re.escape(str(place)[:_CUT]) + r"[^\s'\";,)]*", "the folder", clean)
    return "".join(each if each.isprintable() else "?" for each in " ".join(clean.split()))[:500]


def _sentence(text: str, job: Job) -> str:
    text = plain(text, job.folder / PLAYER).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


# ---------------------------------------------------------------- games


@dataclass(frozen=True)
class Seat:
    """Who plays: a version in its folder, or a player of ours."""

    name: str
    spec: str
    folder: Path | None
    """None: a player of ours."""

    def player(self, conditions: Conditions) -> Player:
        """Return the player, ready for a game; raise InvalidPlayerError if it is no more."""
        if self.folder is None:
            return seated(self.spec, conditions)
        # What the tests have found, and not what a build may have left in the folder since.
        return seated(Handed(seen_at(self.spec, self.folder), self.folder).built(), conditions)


@dataclass(frozen=True)
class GameJob:
    """A game to play."""

    id: int
    game: str
    opening: str
    seats: tuple[Seat, Seat]
    conditions: Conditions


def play_game(job: GameJob) -> Finished:
    """Play a game of the ladder; runs in a worker."""
    begin = perf_counter()
    position = game_named(job.game).position(job.opening)
    with _players(job) as (first, second):
        names = (job.seats[0].name, job.seats[1].name)
        record = play(first, second, position, job.conditions, names=names)
    places = [seat.folder for seat in job.seats if seat.folder is not None]
    extra = {**record.extra, "end": plain(str(record.extra.get("end", "")), *places)}
    if isinstance(forfeit := extra.get("forfeit"), dict):
        extra["forfeit"] = {**forfeit, "reason": plain(str(forfeit["reason"]), *places)}
    return finished(job.id, replace(record, extra=extra), perf_counter() - begin)


@contextmanager
def _players(job: GameJob) -> Iterator[list[Player]]:
    players: list[Player] = []
    try:
        for seat in job.seats:
            try:
                players.append(seat.player(job.conditions))
            except InvalidPlayerError as error:
                # It has passed its tests, so it is the machine that has changed.
                raise InvalidPlayerError(f"{shorten(seat.name)}: {error}") from None
        yield players
    finally:
        for player in players:
            player.close()
