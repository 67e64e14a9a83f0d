"""Traces: a search recorded node by node, as JSON and as a web page to step through.

The page is one self-contained file: no network, no server, no build. It knows no rules
either. Every node brings the cells that differ from its parent's, taken from the core's positions,
and the page only draws them. The viewer and the boards are those of the board in the browser
(``web/static``); ``trace.html`` beside this file is the frame around them.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from math import log, sqrt
from time import perf_counter
from typing import Any

from mossa._core import (
    INFINITY,
    LEAST_DECIDED,
    WIN_VALUE,
    Limits,
    Move,
    Position,
    Side,
    StopToken,
    Trace,
    TraceNode,
)
from mossa.analysis import score_data, spec_options
from mossa.errors import GameError, InvalidPlayerError, expect_position, shorten, shorten_end
from mossa.players import LIMITS, limits_from, player, stricter
from mossa.quantities import counted
from mossa.render import board_data, drawings, side_name, status
from mossa.search import SEARCHES, Info, Search

NODES = 2000
"""How many nodes a trace keeps by default: more than anybody steps through."""
MAX_NODES = 100_000
SECONDS = 5.0
"""Seconds after which a search without limits ends, unless the trace is full before."""

SINGLE_PLAYOUTS = 50
"""This many play-outs show one by one; after that, a step covers more and more of them."""
GROWTH = 1000
"""After this many play-outs a tree changes too little to show before the end."""

_TITLE = "mossa trace"
_STATIC = files("mossa").joinpath("web", "static")
_IMPORT = re.compile(r'^import (?:\{ (.*?) \} from )?"\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)


@dataclass(frozen=True)
class SearchTrace:
    """A recorded search, as plain data."""

    game: str
    moves: str
    """That led to the position."""
    text: str
    """The position, as ``Game.from_text`` reads it."""
    side: str
    player: str
    algorithm: str
    board: dict[str, Any]
    """How to draw the cells."""
    info: dict[str, Any]
    """What the search found."""
    truncated: bool
    """Whether the search had more nodes than this trace keeps."""
    nodes: list[dict[str, Any]]
    """In the order they were entered; with play-outs, most visited first."""
    exploration: float | None = None
    """With play-outs: the weight of the bonus for rarely tried moves."""
    grown: Sequence[int] = ()
    """With play-outs: after how many of them the nodes' ``counts`` were noted."""

    def __repr__(self) -> str:
        """Return one line: which player searched what, and how much of it is kept."""
        after = f" after {self.moves}" if self.moves else ""
        kept = f"{'the first ' if self.truncated else ''}{counted(len(self.nodes), 'node')}"
        return f"<SearchTrace of {self.game}{shorten_end(after)} by {self.player}: {kept}>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "format": "mossa-trace",
            "version": 1,
            **vars(self),
            "moves": self.moves.split(),
        }

    def to_json(self) -> str:
        """Return one JSON document."""
        return json.dumps(self.to_dict(), separators=(",", ":"), allow_nan=False)

    def to_html(self) -> str:
        """Return a self-contained web page."""
        title = html.escape(f"{_TITLE}: {self.game}, {self.player}")
        parts = {
            "<title></title>": f"<title>{title}</title>",
            "/*STYLE*/": _asset("style.css") + _asset("viewer.css"),
            "<!--VIEWER-->": drawings() + _asset("viewer.html"),
            # Inside a script element nothing is escaped, but the data must not seem to end it.
            "/*TRACE*/null": self.to_json().replace("<", "\\u003c"),
            "/*PROGRAM*/": "".join(_modules("viewer", set())),
        }
        page = files("mossa").joinpath("trace.html").read_text(encoding="utf-8")
        for place in re.findall("|".join(map(re.escape, parts)), page):
            page = page.replace(place, parts[place], 1)
        return page


def _asset(name: str) -> str:
    return _STATIC.joinpath(name).read_text(encoding="utf-8")


def _modules(name: str, done: set[str]) -> Iterator[str]:
    """Yield a module of the pages and before it what it imports, each as a plain script.

    A page without a server cannot import. So a module becomes a function that is called at once,
    and what it exports the fields of a constant.
    """
    done.add(name)
    text = _asset(f"{name}.js")
    for _, other in _IMPORT.findall(text):
        if other not in done:
            yield from _modules(other, done)
    text = _IMPORT.sub(lambda found: f"const {{ {found[1] or ''} }} = {found[2]}_js;", text)
    names = ", ".join(_EXPORT.findall(text))
    yield f"const {name}_js = (() => {{\n{_EXPORT.sub('', text)}return {{ {names} }};\n}})();\n"


def trace_search(
    position: Position,
    spec: str,
    limits: Limits | None = None,
    *,
    nodes: int = NODES,
    stop: StopToken | None = None,
) -> SearchTrace:
    """Search a position the way the player ``spec`` does, and record the first ``nodes`` nodes.

    Your limits apply as well as the spec's; without any, the search ends when the trace is full, or
    after five seconds. For a search by play-outs the trace also records how the tree grew.

    >>> import mossa
    >>> trace = mossa.trace_search(mossa.game("tictactoe").start(), "alphabeta:depth=2")
    >>> [node["depth"] for node in trace.nodes if node["parent"] is None]
    [1, 2]
    """
    expect_position(position, "trace_search()", compiled=True)
    if position.outcome is not None:
        raise GameError(f"nothing to search in {position.game}: {position.outcome}")
    if not 1 <= nodes <= MAX_NODES:
        raise GameError(f"invalid number of nodes {nodes}: a whole number, 1 to {MAX_NODES:,}")
    algorithm, options, own = _read_spec(spec)
    limits = stricter(own, limits or Limits())
    if limits == Limits() and "hands" not in options:
        limits = Limits(nodes=nodes, time=SECONDS)
    watched = _watched(position, algorithm, options, limits, nodes, stop)
    record, info = watched.record, watched.info
    if not record.nodes:
        raise InvalidPlayerError(f"no trace of player {shorten(spec)}: {algorithm} keeps none")
    exploration = None
    truncated = record.truncated or len(record.nodes) > nodes
    if watched.growth:
        exploration = float(options.get("c") or _default(algorithm, "c"))
        kept = _visited_nodes(position, record.nodes[:nodes], exploration)
        _add_counts(kept, watched.growth)
    else:
        kept = _window_nodes(position, record)
    return SearchTrace(
        game=position.game.name,
        moves=position.history_text,
        text=position.text,
        side=position.side.name,
        player=spec.strip(),
        algorithm=algorithm,
        board=board_data(position),
        info=_info_data(info),
        truncated=truncated,
        nodes=kept,
        exploration=exploration,
        grown=list(watched.growth),
    )


def _read_spec(spec: str) -> tuple[str, dict[str, str], Limits]:
    """Return algorithm, options and limits of a spec that names a search of the core."""
    player(spec)  # objects to what is no spec
    algorithm = spec.strip().partition(":")[0]
    if algorithm not in SEARCHES:
        raise InvalidPlayerError(
            f"no trace of player {shorten(spec)}: only searches have one: {', '.join(SEARCHES)}"
        )
    options = spec_options(spec)
    search_options = {
        name: value for name, value in options.items() if name not in {*LIMITS, "ponder"}
    }
    return algorithm, search_options, limits_from(options)


def _default(algorithm: str, name: str) -> str:
    return next(option.default for option in SEARCHES[algorithm].options if option.name == name)


def _info_data(info: Info) -> dict[str, Any]:
    return {
        "move": str(info.move),
        "score": score_data(info.score),
        "line": [str(move) for move in info.line],
        "depth": info.depth,
        "nodes": info.nodes,
        "evaluations": info.evaluations,
        "cutoffs": info.cutoffs,
        "table_hits": info.table_hits,
        "iterations": info.iterations,
        "seconds": round(info.time, 6),
    }


# ---------------------------------------------------------------- what the page draws


def _drawing(position: Position, parent: Position | None) -> dict[str, Any]:
    """Return what to draw at a node: all cells at a root, the changes at any other node."""
    drawing: dict[str, Any] = {
        "last": position.last_cell,
        "status": status(position, side_name),
        "legal": len(position.moves),
    }
    if position.winning_cells:
        drawing["winning"] = position.winning_cells
    if parent is None:
        return {"cells": position.cells, **drawing}
    if position.last_move is not None and parent.target(position.last_move) is not None:
        source = parent.source(position.last_move)
        drawing |= {"source": source} if source else {}
    rows = enumerate(zip(parent.cells, position.cells, strict=True))
    drawing["changes"] = [
        (row, col, now)
        for row, (old_row, new_row) in rows
        if old_row != new_row
        for col, (old, now) in enumerate(zip(old_row, new_row, strict=True))
        if old != now
    ]
    return drawing


def _positions(root: Position, nodes: Sequence[TraceNode]) -> list[Position]:
    """The position at every node; parents come before their children."""
    positions: list[Position] = []
    for node in nodes:
        if node.parent is None:
            positions.append(root)
        else:
            positions.append(positions[node.parent].play(_move(node)))
    return positions


def _move(node: TraceNode) -> Move:
    assert node.move is not None  # only a root has none
    return node.move


def _common(node: TraceNode) -> dict[str, Any]:
    move = None if node.move is None else str(node.move)
    return {"parent": node.parent, "move": move, "side": node.side.name}


# ---------------------------------------------------------------- searches with a value


def _window_nodes(root: Position, record: Trace) -> list[dict[str, Any]]:
    """Nodes of minimax and alpha-beta, all values for the side to move there."""
    nodes = record.nodes
    positions = _positions(root, nodes)
    tried = _moves_tried(nodes)
    incomplete = _open_at_the_end(nodes) if record.truncated else set()
    seen: set[tuple[int, str]] = set()
    data = []
    for i, node in enumerate(nodes):
        parent = node.parent
        before = None if parent is None else positions[parent]
        # Nothing is searched at a leaf, so it has no window.
        leaf = node.end in ("over", "horizon")
        alpha, beta = (None, None) if leaf else (node.alpha, node.beta)
        again = parent is not None and (parent, str(node.move)) in seen
        if parent is not None:
            seen.add((parent, str(node.move)))
        data.append(
            {
                **_common(node),
                "depth": node.depth,
                "alpha": _number(alpha),
                "beta": _number(beta),
                "value": _number(node.value),
                "end": node.end,
                # A window of width one only asks whether a move is better than another.
                "scout": alpha is not None and beta is not None and beta - alpha == 1,
                "again": again,
                "incomplete": i in incomplete,
                "skipped": len(positions[i].moves) - len(tried[i])
                if node.end in ("cut", "early") and i not in incomplete
                else 0,
                **_drawing(positions[i], before),
            }
        )
    return data


def _open_at_the_end(nodes: list[TraceNode]) -> set[int]:
    """The nodes that were being searched when the trace was full: children may be missing."""
    path = set()
    at: int | None = len(nodes) - 1
    while at is not None:
        path.add(at)
        at = nodes[at].parent
    return path


def _moves_tried(nodes: list[TraceNode]) -> list[set[str]]:
    """The moves that were searched at every node."""
    moves: list[set[str]] = [set() for _ in nodes]
    for node in nodes:
        if node.parent is not None:
            moves[node.parent].add(str(node.move))
    return moves


def _number(value: int | None) -> int | str | None:
    """A value for JSON: a number, ``"+inf"``, or ``"win 7"`` for a win 7 plies from the root."""
    if value is None or abs(value) <= LEAST_DECIDED:
        return value
    if abs(value) >= INFINITY:
        return "+inf" if value > 0 else "-inf"
    return f"{'win' if value > 0 else 'loss'} {WIN_VALUE - abs(value)}"


# ---------------------------------------------------------------- searches by play-outs


@dataclass
class _Watched:
    """A search, and what its tree was like on the way if it is one by play-outs."""

    info: Info
    record: Trace
    growth: dict[int, dict[str, TraceNode]]
    """By play-outs: the nodes by the moves that lead there."""


def _watched(
    position: Position,
    algorithm: str,
    options: dict[str, str],
    limits: Limits,
    nodes: int,
    stop: StopToken | None,
) -> _Watched:
    """Search step by step, a few play-outs each; a search without play-outs takes one step.

    A search keeps its tree, so the steps together are the same search, within the same limits.
    """
    if "reuse" in options:
        options = {**options, "reuse": "on"}
    search, begin = Search(position.game, algorithm, options), perf_counter()
    watched: _Watched | None = None
    done = 0
    for goal in _goals(limits.iterations):
        spent = perf_counter() - begin
        left = None if limits.time is None else max(0.0, limits.time - spent)
        # On the way all nodes are noted, for those that are kept in the end may be among the last.
        on_the_way = watched is not None and goal is not None and goal <= GROWTH
        record = Trace(MAX_NODES if on_the_way else nodes)
        step = None if goal is None else goal - done
        info = search.run(
            position,
            Limits(time=left, nodes=limits.nodes, iterations=step, depth=limits.depth),
            stop=stop,
            trace=record,
        )
        if watched is not None and not info.iterations:
            break
        done += info.iterations
        growth = {} if watched is None else watched.growth
        if info.iterations:
            growth[done] = _by_line(record)
        whole = replace(info, iterations=done, evaluations=done) if done else info
        watched = _Watched(replace(whole, time=perf_counter() - begin), record, growth)
        full = limits.nodes is not None and info.nodes >= limits.nodes
        late = limits.time is not None and perf_counter() - begin >= limits.time
        if info.iterations != step or full or late or (stop is not None and stop.stopped):
            break
    assert watched is not None
    return watched


def _goals(most: int | None) -> Iterator[int | None]:
    """Yield after how many play-outs a tree is looked at; the last is its end, None without one."""
    goal = 1
    while goal < (GROWTH if most is None else min(most, GROWTH)):
        yield goal
        goal = goal + 1 if goal < SINGLE_PLAYOUTS else round(goal * 1.15)
    yield most


def _visited_nodes(
    root: Position, nodes: list[TraceNode], exploration: float
) -> list[dict[str, Any]]:
    """Nodes of the tree that mcts has grown, the most visited first."""
    positions = _positions(root, nodes)
    data = []
    for node, position in zip(nodes, positions, strict=True):
        parent = node.parent
        before = None if parent is None else positions[parent]
        explore = None
        if parent is not None:
            explore = exploration * sqrt(log(max(nodes[parent].visits, 1)) / node.visits)
        data.append(
            {
                **_common(node),
                "visits": node.visits,
                "mean": round(node.mean, 4),
                "explore": None if explore is None else round(explore, 4),
                "uct": None if explore is None else round(node.mean + explore, 4),
                "proven": _winner(node),
                "unvisited": node.unvisited,
                **_drawing(position, before),
            }
        )
    return data


def _by_line(record: Trace) -> dict[str, TraceNode]:
    """The nodes of a tree by the moves that lead there."""
    nodes = record.nodes
    return dict(zip(_lines([(node.parent, str(node.move)) for node in nodes]), nodes, strict=True))


def _lines(nodes: Sequence[tuple[int | None, str]]) -> list[str]:
    """The moves that lead to every node; parents come before their children."""
    lines: list[str] = []
    for parent, move in nodes:
        lines.append("" if parent is None else f"{lines[parent]} {move}")
    return lines


def _add_counts(kept: list[dict[str, Any]], growth: dict[int, dict[str, TraceNode]]) -> None:
    """Note where visits have changed: ``[play-outs, visits, mean, proven]``."""
    lines = _lines([(node["parent"], node["move"]) for node in kept])
    counts: dict[str, list[Any]] = {line: [] for line in lines}
    for iterations, tree in growth.items():
        for line, node in tree.items():
            known = counts.get(line)
            if known is not None and (not known or known[-1][1] != node.visits):
                known.append([iterations, node.visits, round(node.mean, 4), _winner(node)])
    for line, data in zip(lines, kept, strict=True):
        data["counts"] = counts[line]


def _winner(node: TraceNode) -> str | None:
    """Who wins for certain: a side, "draw", or None if that is not known."""
    if node.value is None:
        return None
    if node.value == 0:
        return "draw"
    other = Side.second if node.side is Side.first else Side.first
    return (node.side if node.value > 0 else other).name
