"""The final tournament: all current versions, everybody against everybody, by the arena's rules.

It is a tournament file of its own with fixed seeds. So it can be stopped and resumed, and whoever
has the players gets the same pairings and openings again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from mossa.arena.driver import Outcome, drive, first_pairings
from mossa.arena.plan import Entrant, Plan
from mossa.arena.report import Report, make_report
from mossa.arena.store import Finished, Store
from mossa.course.course import Course
from mossa.course.folder import FINAL, VERSIONS
from mossa.course.plan import CourseError
from mossa.course.workshop import PLAYER, Seat
from mossa.players import Player
from mossa.players.clocks import Conditions

SEED = 1
"""Of the openings, unless the teacher wants another one."""

Progress = Callable[[Store, Finished | None], object]


@dataclass(frozen=True)
class Finalist:
    """Who takes part."""

    name: str
    seat: Seat


def finalists(course: Course) -> list[Finalist]:
    """Return all current versions, each under a name of its own."""
    people = {each.id: each for each in course.store.students()}
    found: list[Finalist] = []
    for version in course.store.current():
        name = wanted = people[version.student].name
        number = 1
        while any(each.name == name for each in found):
            number += 1
            name = f"{wanted} ({number})"
        found.append(Finalist(name, seat_of(course, version.folder, version.spec, name)))
    return found


def seat_of(course: Course, folder: str, spec: str, name: str) -> Seat:
    """Return who plays for a version."""
    place = course.folder / VERSIONS / folder / PLAYER if folder else None
    return Seat(name, spec, place)


def play_final(
    course: Course,
    *,
    sandbox: bool = True,
    count: int | None = None,
    seed: int = SEED,
    progress: Progress | None = None,
    stop: Event | None = None,
) -> Outcome:
    """Play the final tournament, or what is left of it."""
    path = course.folder / FINAL
    players = finalists(course)
    conditions = course.plan.conditions(sandbox=sandbox)
    # Programs of students are objects to the arena: a text could not say where they are started.
    objects: dict[str, Player] = {
        each.name: each.seat.player(conditions) for each in players if each.seat.folder is not None
    }
    if path.exists():
        store = Store.resume(path)
    else:
        plan = _plan(course, players, objects, conditions, seed)
        store = Store.create(path, plan, first_pairings(plan))
    with store:
        known = {each.name for each in players}
        missing = [name for name in store.plan.names if name not in known]
        if missing:
            raise CourseError(
                f"the final tournament cannot go on without {', '.join(missing)}: "
                f"move {FINAL} away to begin a new one"
            )
        wanted = {name: each for name, each in objects.items() if name in store.plan.names}
        return drive(store, objects=wanted, count=count, progress=progress, stop=stop)


def _plan(
    course: Course,
    players: list[Finalist],
    objects: dict[str, Player],
    conditions: Conditions,
    seed: int,
) -> Plan:
    if len(players) < 2:
        raise CourseError("a final tournament needs two players, and there are fewer")
    plan = Plan(
        entrants=tuple(Entrant(each.name, each.seat.spec) for each in players),
        games=course.plan.boards,
        rounds=course.plan.rounds,
        conditions=conditions,
        seed=seed,
        scoring=course.plan.scoring,
    )
    plan.check(objects)
    return plan


def final_report(folder: Path) -> Report | None:
    """Return how the final tournament stands; None if there is none."""
    path = folder / FINAL
    if not path.is_file():
        return None
    with Store.look(path) as store:
        return make_report(store, with_moves=False)
