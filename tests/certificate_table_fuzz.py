"""False proofs of connect and kalah: tables with damage, twisted claims, and tables made up.

What is accepted must be true by brute force, which plays by the core; what is not must be refused
by a CertificateError and nothing else.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from brute_force import BruteForce
from certificate_fuzz import damaged, damaged_bytes
from reference.kalah import CHOICES

import mossa
from mossa import Position, Scoring, Side, Solver
from mossa.solving.certificate import certificate
from mossa.solving.certificate_check import CertificateError, check
from mossa.solving.certificates import connect_writer, kalah_writer, reading
from mossa.solving.certificates.reading import parse

_BOARDS = "1x1x1 1x4x2 2x2x2 2x3x2 3x2x3 2x4x3 3x3x3 3x3x2 4x3x3 3x4x3 4x2x3 4x2x2"
_PITS = "1x1 1x2 1x3 2x1 2x2 3x1 2x3 1x6 4x1"
CONNECT = [f"connect:{sizes}" for sizes in _BOARDS.split()]
KALAH = [f"kalah:{sizes}" for sizes in _PITS.split()]
"""Few cells and seeds: brute force is quick, and chance finds a false proof if there is one."""

_TRUTH = BruteForce()


def random_position(chosen: random.Random, names: list[str]) -> Position:
    """A position that is not over; the options of sowing games are random too, unless given."""
    name = chosen.choice(names)
    if name in KALAH and chosen.random() < 0.7:
        options = [f"{option}={chosen.choice(values)}" for option, values in CHOICES.items()]
        name = ",".join([name, *options])
    game = mossa.game(name)
    position = game.start()
    for _ in range(chosen.choice([0, 0, 1, 1, 2, 3, 4, 5, 6])):
        after = position.play(chosen.choice(position.moves))
        if after.outcome is None:
            position = after
    return position


def claim_is_true(proven: dict[str, Any]) -> bool:
    """Whether what the checker says is proven is so."""
    position = mossa.game(proven["game"]).from_text(proven["board"])
    if position.outcome is not None:
        return False
    first = proven["side"] in ("x", "first")
    score = _TRUTH.score(position)
    return (position.side is Side.first) == first and (proven["value"], proven.get("distance")) == (
        score.value,
        score.distance,
    )


def true_certificates(chosen: random.Random, count: int, names: list[str]) -> list[str]:
    """Certificates of random positions, as JSON; the checker is left alone hardly anywhere."""
    found = []
    for _ in range(count):
        position = random_position(chosen, names)
        alone = chosen.choice([1, 3, 10])
        with (
            patch.object(connect_writer, "ALONE", alone),
            patch.object(kalah_writer, "ALONE", alone),
        ):
            (data,), _ = certificate(Solver(position.game, memory=1), position)
        found.append(json.dumps(data))
    return found


def entry(position: Position) -> str:
    """The name of a position in a table."""
    if position.game.traits.scoring is Scoring.margin:
        rows = position.cells if position.side is Side.first else position.cells[::-1]
        with_stores = position.game.options["majority"] == "yes"
        sides = [row if with_stores else row[:-1] for row in rows]
        offered = ",swap" if position.text.endswith(",swap") else ""
        return "/".join(",".join(map(str, side)) for side in sides) + offered
    rows_of_text = position.text.split("/")[::-1]
    columns = ["".join(column).rstrip(".") for column in zip(*rows_of_text, strict=True)]
    return min("/".join(columns), "/".join(columns[::-1]))


def invented(chosen: random.Random, names: list[str]) -> dict[str, Any]:
    """A claim near the truth, with moves of random games in the tables."""
    position = random_position(chosen, names)
    margin = position.game.traits.scoring is Scoring.margin
    sides = ("first", "second") if margin else ("x", "o")
    tables: dict[str, dict[str, Any]] = {side: {} for side in sides}
    for _ in range(chosen.choice([0, 1, 3, 10])):
        at = position if chosen.random() < 0.9 else position.game.start()
        while at.outcome is None:
            move = chosen.choice(at.moves)
            side = sides[0 if at.side is Side.first else 1]
            if chosen.random() < 0.02:  # in the table of the other side
                side = chosen.choice(sides)
            tables[side][entry(at)] = int(str(move)) if str(move) != "swap" else "swap"
            at = at.play(move)
    score = _TRUTH.score(position)
    data: dict[str, Any] = {
        "format": reading.FORMAT,
        "game": position.game.name,
        "board": position.text,
        "value": score.value,
        "moves": tables,
    }
    if not margin:
        data["side"] = sides[0 if position.side is Side.first else 1]
        data["distance"] = score.distance
    return twisted(chosen, data) if chosen.random() < 0.8 else data


def twisted(chosen: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """Another claim, another board or other rules, or the moves of somebody else."""
    act = chosen.randrange(8)
    if act <= 2:
        data["value"] += chosen.choice([-2, -1, 1, 2])
        if "distance" in data and chosen.random() < 0.5:
            data["value"] = chosen.choice([-1, 0, 1])
            data["distance"] = chosen.randint(0, 10)
    elif act == 3:
        data["value"] = -data["value"]
    elif act == 4:
        key = "distance" if "distance" in data else "value"
        data[key] += chosen.choice([-4, -2, -1, 1, 2, 4])
    elif act == 5:
        one, two = data["moves"]
        data["moves"] = {one: data["moves"][two], two: data["moves"][one]}
    elif act == 6:
        _change_entries(chosen, data["moves"])
    else:
        _change_board(chosen, data)
    return data


def _change_entries(chosen: random.Random, tables: dict[str, dict[str, Any]]) -> None:
    for table in tables.values():
        for text in [each for each in table if chosen.random() < 0.3]:
            move = table.pop(text)
            image = "/".join(text.split("/")[::-1])
            new = chosen.choice([text, image, image])
            table[new] = chosen.choice([move, move, chosen.randint(-1, 5), "swap", float(1), True])


def _change_board(chosen: random.Random, data: dict[str, Any]) -> None:
    """The same claim and tables for a neighbour of the position, or under other rules."""
    try:
        position = mossa.game(data["game"]).from_text(data["board"])
        if position.moves and chosen.random() < 0.5:
            after = position.play(chosen.choice(position.moves))
            data["board"] = after.text
            if "side" in data and chosen.random() < 0.8:
                data["side"] = "x" if after.side is Side.first else "o"
            return
    except ValueError:
        pass
    name = data["game"].partition(",")[0]
    option = chosen.choice(list(CHOICES))
    data["game"] = f"{name},{option}={chosen.choice(CHOICES[option])}"


@dataclass
class TableFuzzer:
    """Cases in a row that depend on the seed alone."""

    seed: int
    names: list[str]
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def run(self, cases: int, known: int = 100) -> None:
        """Raise AssertionError for the first case that is wrongly accepted or refused."""
        chosen = random.Random(self.seed)
        texts = true_certificates(chosen, known, self.names)
        with patch.object(reading, "MOST_LOOKS", 20_000):
            for _ in range(cases):
                self._case(chosen, texts)

    def _case(self, chosen: random.Random, known: list[str]) -> None:
        act = chosen.random()
        if act >= 0.6 or not known:
            self._judge("invented", invented(chosen, self.names))
            return
        data = json.loads(chosen.choice(known))
        if act < 0.05:
            self._judge("bytes", damaged_bytes(chosen, chosen.choice(known).encode()) or b"{}")
        elif act < 0.3:
            for _ in range(chosen.choice([1, 1, 2, 3])):
                data = damaged(chosen, data, json.loads(chosen.choice(known)))
            self._judge("damaged", data)
        else:
            for _ in range(chosen.choice([1, 1, 2])):
                data = twisted(chosen, data)
            self._judge("twisted", data)

    def _judge(self, how: str, data: Any) -> None:
        try:
            proven = check([parse(data) if how == "bytes" else data])
        except CertificateError as error:
            words = str(error).encode("ascii")
            self.refused[how] += 1
        else:
            words = b""
            self.accepted[how] += 1
            assert claim_is_true(proven), data
        assert b"\n" not in words
