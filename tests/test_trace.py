"""Traces: the nodes against the rules and the algorithms, the page against what a page must be.

How the page behaves in a browser is not tested here: a browser may be absent.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import mossa
from mossa import (
    GameError,
    InvalidPlayerError,
    Limits,
    Position,
    Search,
    SearchTrace,
    Side,
    trace_search,
)
from mossa._core import INFINITY, Trace
from mossa.trace import _number

PLAIN = "deepen=off,table=off,pvs=off,killers=off,history=off"

SEARCHES = [
    ("tictactoe", "b2 a1", "alphabeta:depth=3"),
    ("tictactoe", "b2 b1 a1", f"alphabeta:depth=6,{PLAIN}"),
    ("tictactoe", "", "minimax:depth=3"),
    ("connect4", "4453", "alphabeta:depth=4"),
    ("connect4", "44333", f"alphabeta:depth=4,{PLAIN}"),
    ("mnk:3x4x3", "", "alphabeta:depth=3,aspiration=5"),
    ("kalah", "", f"alphabeta:depth=4,{PLAIN}"),
    ("kalah", "36", "alphabeta:depth=5"),
    ("kalah:3x2", "", "alphabeta:depth=12"),
    ("kalah:2x3,swap=yes", "1", "minimax:depth=4"),
    ("bantumi", "", "minimax:hands=1"),
]
PLAYOUTS = [
    ("tictactoe", "", "mcts:iterations=300"),
    ("connect4", "4453", "mcts:iterations=500,c=0.7"),
    ("kalah:3x2", "", "mcts:iterations=200"),
]


def traced(name: str, moves: str, spec: str, **how: Any) -> SearchTrace:
    return trace_search(mossa.game(name).position(moves), spec, **how)


def test_a_game_of_moving_pieces_is_traced() -> None:
    found = traced("breakthrough:4x3", "a2b3", "minimax:depth=2")
    roots = {at for at, node in enumerate(found.nodes) if node["parent"] is None}
    tried = {node["move"] for node in found.nodes if node["parent"] in roots}
    assert tried == {str(move) for move in mossa.game("breakthrough:4x3").position("a2b3").moves}


def number(value: int | str | None) -> float:
    """What the page makes of a value, so that it can be compared and negated."""
    assert value is not None
    if not isinstance(value, str):
        return value
    if value.endswith("inf"):
        return float(value)
    word, ply = value.split()
    return 1e9 - int(ply) if word == "win" else int(ply) - 1e9


def children(trace: SearchTrace) -> list[list[dict[str, Any]]]:
    below: list[list[dict[str, Any]]] = [[] for _ in trace.nodes]
    for node in trace.nodes:
        if node["parent"] is not None:
            below[node["parent"]].append(node)
    return below


def positions(trace: SearchTrace) -> list[Position]:
    """The position at each node, by playing the moves."""
    root = mossa.game(trace.game).position(trace.moves)
    found: list[Position] = []
    for node in trace.nodes:
        parent = node["parent"]
        found.append(root if parent is None else found[parent].play(node["move"]))
    return found


def seen(child: dict[str, Any], parent: dict[str, Any]) -> float:
    """A child's value for the side that moves at its parent."""
    value = number(child["value"])
    return value if child["side"] == parent["side"] else -value


# ---------------------------------------------------------------- what is drawn


@pytest.mark.parametrize(
    ("name", "moves", "spec"), [*SEARCHES, ("connect4", "4453", "gametree:depth=3"), *PLAYOUTS]
)
def test_the_changes_of_a_node_make_its_board(name: str, moves: str, spec: str) -> None:
    trace = traced(name, moves, spec)
    boards: list[list[list[int]]] = []
    for node, position in zip(trace.nodes, positions(trace), strict=True):
        if node["parent"] is None:
            cells = [list(row) for row in node["cells"]]
        else:
            cells = [list(row) for row in boards[node["parent"]]]
            for row, col, value in node["changes"]:
                assert cells[row][col] != value
                cells[row][col] = value
        boards.append(cells)
        assert tuple(map(tuple, cells)) == position.cells
        assert node["side"] == position.side.name
        assert node["last"] == position.last_cell
        assert node["legal"] == len(position.moves)
        assert node.get("winning", []) == position.winning_cells


def test_sides_columns_and_styles_of_the_boards() -> None:
    connect = traced("connect4", "", "minimax:depth=1").board
    assert (connect["look"], connect["plan"]["rows"], connect["columns"][6]) == ("discs", 6, "7")
    assert traced("tictactoe", "", "minimax:depth=1").board["look"] == "letters"
    assert traced("gomoku", "", "minimax:depth=1").board["look"] == "stones"
    assert traced("breakthrough:5x4", "", "minimax:depth=1").board["look"] == "pieces"
    kalah = traced("kalah", "", "minimax:depth=1").board
    assert kalah["sides"] == {"first": "South", "second": "North"}
    assert [len(hollows) for hollows in kalah["plan"]["hollows"]] == [7, 7]


def test_a_piece_that_moves_has_a_source() -> None:
    trace = traced("breakthrough:5x4", "", "minimax:depth=1")
    root, node = trace.nodes[0], trace.nodes[1]
    position = mossa.game("breakthrough:5x4").start()
    move = mossa.Move(node["move"])
    assert (node["source"], node["last"]) == (position.source(move), position.target(move))
    assert {(row, col) for row, col, _ in node["changes"]} == {node["source"], node["last"]}
    assert "source" not in root
    assert "source" not in traced("tictactoe", "", "minimax:depth=1").nodes[1]


# ---------------------------------------------------------------- searches with a value


@pytest.mark.parametrize(("name", "moves", "spec"), SEARCHES)
def test_nodes_obey_the_algorithm(name: str, moves: str, spec: str) -> None:
    trace = traced(name, moves, spec)
    assert not trace.truncated
    for node, below in zip(trace.nodes, children(trace), strict=True):
        if node["end"] in ("over", "horizon"):
            assert (node["alpha"], node["beta"], below) == (None, None, [])
            continue
        value = number(node["value"])
        if node["end"] == "table":
            assert below == []
            continue
        # The last search of a move counts.
        results = {child["move"]: seen(child, node) for child in below}
        assert value == max(results.values())
        tried = len(results)
        if spec.startswith("minimax"):
            assert node["alpha"] is node["beta"] is None
            assert tried == node["legal"]
            continue
        alpha, beta = number(node["alpha"]), number(node["beta"])
        assert alpha < beta
        assert node["scout"] == (beta - alpha == 1)
        assert (node["end"] == "cut") == (value >= beta)
        if node["end"] == "cut":
            assert tried + node["skipped"] == node["legal"]
            # Only the last move was good enough.
            assert all(result < beta for result in list(results.values())[:-1])
        else:
            assert node["skipped"] == 0


@pytest.mark.parametrize(("name", "moves", "spec"), SEARCHES)
def test_a_window_is_handed_down(name: str, moves: str, spec: str) -> None:
    """Turned round when the turn passes, and never wider than what the parent knew on entering."""
    trace = traced(name, moves, spec)
    for node in trace.nodes:
        if node["parent"] is None or node["alpha"] is None:
            continue
        parent = trace.nodes[node["parent"]]
        low, high = number(node["alpha"]), number(node["beta"])
        if node["side"] != parent["side"]:
            low, high = -high, -low
        assert number(parent["alpha"]) <= low < high <= number(parent["beta"])


@pytest.mark.parametrize(("name", "moves", "spec"), SEARCHES)
def test_the_last_root_has_the_value_that_was_found(name: str, moves: str, spec: str) -> None:
    trace = traced(name, moves, spec)
    roots = [node for node in trace.nodes if node["parent"] is None]
    value, score = roots[-1]["value"], trace.info["score"]
    if isinstance(value, str):
        assert value == f"{'win' if score['value'] > 0 else 'loss'} {score['distance']}"
    else:
        assert value == score["value"]
    assert trace.info["move"] in {
        node["move"] for node in trace.nodes if node["parent"] == trace.nodes.index(roots[-1])
    }


def test_an_extra_move_keeps_the_sign() -> None:
    trace = traced("kalah", "", f"alphabeta:depth=3,{PLAIN}")
    again = [
        node
        for node in trace.nodes
        if node["parent"] is not None and node["side"] == trace.nodes[node["parent"]]["side"]
    ]
    assert any(node["alpha"] is not None for node in again)


def test_a_search_that_deepens_has_a_root_for_each_depth() -> None:
    trace = traced("connect4", "", "alphabeta:depth=4")
    roots = [node for node in trace.nodes if node["parent"] is None]
    assert [root["depth"] for root in roots] == [1, 2, 3, 4]
    assert (roots[0]["alpha"], roots[0]["beta"]) == ("-inf", "+inf")
    assert all("cells" in root for root in roots)


def test_a_move_that_is_searched_again_is_marked() -> None:
    trace = traced("connect4", "4453", "alphabeta:depth=5")
    met: Counter[tuple[int, str]] = Counter()
    for node in trace.nodes:
        if node["parent"] is None:
            assert node["again"] is False
            continue
        key = node["parent"], node["move"]
        assert node["again"] == (met[key] > 0)
        if node["again"]:
            assert not node["scout"] or met[key]
        met[key] += 1
    assert max(met.values()) == 2


def test_values_that_are_no_plain_numbers() -> None:
    assert [_number(value) for value in (None, 0, -35, 900_000_000)] == [None, 0, -35, 900_000_000]
    assert [_number(2**31 - 1), _number(-(2**31) + 1)] == ["+inf", "-inf"]
    assert [_number(10**9 - 7), _number(4 - 10**9)] == ["win 7", "loss 4"]


def test_the_constants_are_those_of_the_core() -> None:
    """A win in 1 and an open window, as the core writes them today."""
    trace = traced("connect4", "121212", "alphabeta:depth=2")
    assert trace.nodes[0]["value"] == "win 1"
    assert (trace.nodes[0]["alpha"], trace.nodes[0]["beta"]) == ("-inf", "+inf")


def core_nodes(name: str, moves: str, algorithm: str, depth: int, **options: str) -> list[Any]:
    """The nodes as the core has recorded them."""
    position = mossa.game(name).position(moves)
    record = Trace(100_000)
    Search(position.game, algorithm, options).run(position, Limits(depth=depth), trace=record)
    return list(record.nodes)


PLAIN_OPTIONS = dict(part.split("=") for part in PLAIN.split(","))


@pytest.mark.parametrize(("name", "depth"), [("connect4", 3), ("kalah", 4)])
def test_a_leaf_has_the_window_of_its_own_side(name: str, depth: int) -> None:
    nodes = core_nodes(name, "", "alphabeta", depth, **PLAIN_OPTIONS)
    leaves = [node for node in nodes if node.end in ("over", "horizon")]
    narrow = 0
    for leaf in leaves:
        parent = nodes[leaf.parent]
        low, high = leaf.alpha, leaf.beta
        if leaf.side is not parent.side:
            low, high = -high, -low
        assert parent.alpha <= low < high == parent.beta
        narrow += low > -INFINITY
    assert narrow > 10


def test_a_value_equal_to_the_bound_is_no_cut_when_strict() -> None:
    nodes = core_nodes("bantumi", "", "alphabeta", 5, **PLAIN_OPTIONS, strict="on")
    inner = [node for node in nodes if node.end in ("", "cut")]
    assert any(node.value == node.beta for node in inner)
    for node in inner:
        assert (node.end == "cut") == (node.value > node.beta)


def test_an_early_end_is_marked() -> None:
    trace = traced("connect4", "4455", f"alphabeta:depth=4,{PLAIN},order=none,early=on")
    early = [node for node in trace.nodes if node["end"] == "early"]
    assert early
    for node in early:
        assert node["value"].startswith("win")
        assert node["skipped"] > 0


def test_the_root_of_a_kept_tree_has_an_open_window() -> None:
    root = core_nodes("connect4", "", "gametree", 3)[0]
    assert (root.alpha, root.beta) == (-INFINITY, INFINITY)


def test_a_full_trace_says_so() -> None:
    trace = traced("connect4", "", "alphabeta:depth=8", nodes=300)
    assert trace.truncated
    assert len(trace.nodes) == 300
    incomplete = [i for i, node in enumerate(trace.nodes) if node["incomplete"]]
    assert incomplete[-1] == 299
    assert trace.nodes[incomplete[0]]["parent"] is None
    for child, parent in zip(incomplete[1:], incomplete, strict=False):
        assert trace.nodes[child]["parent"] == parent
    for i in incomplete:
        assert trace.nodes[i]["skipped"] == 0
    whole = traced("connect4", "", "alphabeta:depth=3")
    assert not whole.truncated
    assert not any(node["incomplete"] for node in whole.nodes)


def test_without_limits_the_search_ends_with_the_trace() -> None:
    trace = traced("connect4", "", "alphabeta", nodes=500)
    assert trace.info["nodes"] <= 500
    assert len(trace.nodes) <= 500


def test_limits_of_the_caller_hold_too() -> None:
    start = mossa.game("connect4").start()
    assert trace_search(start, "alphabeta:depth=5", Limits(depth=2)).info["depth"] == 2
    assert trace_search(start, "alphabeta:depth=2", Limits(depth=5)).info["depth"] == 2


def test_a_trace_does_not_change_the_search() -> None:
    position = mossa.game("connect4").position("4453")
    info = Search(position.game, "alphabeta", {"killers": "off"}).run(position, Limits(depth=5))
    found = trace_search(position, "alphabeta:depth=5,killers=off", nodes=10).info
    assert (found["nodes"], found["move"]) == (info.nodes, str(info.move))


# ---------------------------------------------------------------- searches by play-outs


@pytest.mark.parametrize(("name", "moves", "spec"), PLAYOUTS)
def test_visits_means_and_bounds(name: str, moves: str, spec: str) -> None:
    trace = traced(name, moves, spec)
    exploration = 0.7 if "c=0.7" in spec else 1.4
    root, *others = trace.nodes
    assert root["parent"] is None
    assert root["visits"] == trace.info["iterations"]
    assert root["move"] is None
    for node in others:
        parent = trace.nodes[node["parent"]]
        assert 0 < node["visits"] <= parent["visits"]
        assert 0 <= node["mean"] <= 1
        explore = exploration * math.sqrt(math.log(parent["visits"]) / node["visits"])
        assert node["explore"] == pytest.approx(explore, abs=1e-4)
        assert node["uct"] == pytest.approx(node["mean"] + explore, abs=2e-4)
    for node, below in zip(trace.nodes, children(trace), strict=True):
        assert sum(child["visits"] for child in below) <= node["visits"]
        if below:
            assert len(below) + node["unvisited"] == node["legal"]
        assert [child["visits"] for child in below] == sorted(
            (child["visits"] for child in below), reverse=True
        )


@pytest.mark.parametrize(("name", "moves", "spec"), PLAYOUTS)
def test_the_growth_of_the_tree_is_recorded(name: str, moves: str, spec: str) -> None:
    trace = traced(name, moves, spec)
    assert list(trace.grown[:50]) == list(range(1, 51))
    assert trace.grown[-1] == trace.info["iterations"]
    assert list(trace.grown) == sorted(set(trace.grown))
    for node in trace.nodes:
        times, visits = ([count[at] for count in node["counts"]] for at in (0, 1))
        assert set(times) <= set(trace.grown)
        assert visits == sorted(set(visits))
        assert node["counts"][-1][1:] == [node["visits"], node["mean"], node["proven"]]
    # A play-out goes down one line, and every node on it has one visit more.
    for count in range(2, 51):
        met = [node for node in trace.nodes if count in [one[0] for one in node["counts"]]]
        assert trace.nodes[0] in met
        lines = {node["parent"] for node in met if node["parent"] is not None}
        assert len(lines) == len(met) - 1


@pytest.mark.parametrize(("name", "moves", "spec"), PLAYOUTS)
def test_the_steps_of_a_search_by_play_outs_are_one_search(
    name: str, moves: str, spec: str
) -> None:
    """What is noted after so many play-outs is what a search of so many finds."""
    trace = traced(name, moves, f"{spec},reuse=off")
    for iterations in (7, 50, trace.info["iterations"]):
        options = {"c": str(trace.exploration)}
        position, record = mossa.game(name).position(moves), Trace(100_000)
        info = Search(position.game, "mcts", options).run(
            position, Limits(iterations=iterations), trace=record
        )
        noted = [
            found[-1][1]
            for node in trace.nodes
            if (found := [one for one in node["counts"] if one[0] <= iterations])
        ]
        visits = [node.visits for node in record.nodes]
        assert sorted(noted) == sorted(visits)
    assert trace.info["move"] == str(info.move)
    assert trace.info["nodes"] == info.nodes


def test_the_growth_keeps_to_the_limits() -> None:
    """It was searched anew for every step, without a limit: 20 times as long as allowed."""
    with patch.object(Search, "run", autospec=True, side_effect=Search.run) as run:
        trace = traced("gomoku", "", "mcts:time=0.5,playout=tactical")
    limits = [call.args[2] for call in run.call_args_list]
    assert all(limit.time is not None and limit.time <= 0.5 for limit in limits)
    assert [limit.time for limit in limits] == sorted((each.time for each in limits), reverse=True)
    assert len(limits) <= len(trace.grown) + 1
    assert trace.info["iterations"] == trace.grown[-1]
    # Steps of one play-out each, not searches from the start.
    assert all(limit.iterations == 1 for limit in limits[:10])


def test_a_search_without_limits_ends_by_itself() -> None:
    with patch.object(Search, "run", autospec=True, side_effect=Search.run) as run:
        traced("connect4", "", "alphabeta")
    (only,) = run.call_args_list
    limits = only.args[2]
    assert (limits.nodes, limits.time) == (2000, pytest.approx(5, abs=1))


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "kalah:3x2"])
def test_the_core_writes_the_most_visited_nodes_first(name: str) -> None:
    start = mossa.game(name).start()
    record = Trace(200)
    Search(start.game, "mcts").run(start, Limits(iterations=1000), trace=record)
    root, *others = record.nodes
    assert (root.parent, root.move) == (None, None)
    assert all(node.move is not None and node.visits > 0 for node in others)
    assert all(node.parent in range(i) for i, node in enumerate(others, 1))
    visits = [node.visits for node in record.nodes]
    assert visits == sorted(visits, reverse=True)
    for node in record.nodes:
        assert (node.end == "proven") == (node.value in (-1, 0, 1))


def outcome_of(position: Position) -> str:
    """Who wins with best play, by trying everything."""
    if position.outcome is not None:
        winner = position.outcome.winner
        return "draw" if winner is None else winner.name
    results = {outcome_of(position.play(move)) for move in position.moves}
    if position.side.name in results:
        return position.side.name
    return "draw" if "draw" in results else ({side.name for side in Side} & results).pop()


@pytest.mark.parametrize(
    ("name", "moves"), [("tictactoe", "b2 b1"), ("tictactoe", "a1 b2 c3"), ("kalah:2x2", "")]
)
def test_what_is_proven_is_true(name: str, moves: str) -> None:
    trace = traced(name, moves, "mcts:iterations=2000")
    found = zip(trace.nodes, positions(trace), strict=True)
    proven = [(node["proven"], position) for node, position in found if node["proven"]]
    assert len(proven) > 3
    for result, position in proven:
        assert result == outcome_of(position)


def test_the_most_visited_nodes_are_kept() -> None:
    whole = traced("connect4", "", "mcts:iterations=400", nodes=100_000)
    part = traced("connect4", "", "mcts:iterations=400", nodes=50)
    assert (whole.truncated, part.truncated) == (False, True)
    assert len(part.nodes) == 50
    visits = sorted((node["visits"] for node in whole.nodes), reverse=True)
    assert [node["visits"] for node in part.nodes] == visits[:50]
    assert all(node["parent"] < i for i, node in enumerate(part.nodes) if i)


# ---------------------------------------------------------------- JSON and the page


@pytest.mark.parametrize(("name", "moves", "spec"), [SEARCHES[0], SEARCHES[7], PLAYOUTS[0]])
def test_json(name: str, moves: str, spec: str) -> None:
    trace = traced(name, moves, spec)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    data = json.loads(trace.to_json(), parse_constant=refuse)
    assert (data["format"], data["version"]) == ("mossa-trace", 1)
    assert data["game"] == mossa.game(name).name
    assert data["player"] == spec
    assert mossa.game(name).from_text(data["text"]) == mossa.game(name).position(moves)
    assert len(data["nodes"]) == len(trace.nodes)
    assert {"move", "score", "line", "depth", "nodes", "iterations"} <= set(data["info"])


class Page(HTMLParser):
    """The parts of a page: scripts, ids, and everything that would be fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: dict[str, str] = {}
        self.ids: list[str] = []
        self.fetched: list[str] = []
        self.title = ""
        self.inside = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag not in ("meta", "input", "link", "img", "br"):
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"] or "")
        self.fetched += [found[name] or "" for name in ("src", "href") if name in found]
        if tag in ("link", "iframe", "img"):
            self.fetched.append(tag)
        self.inside = found.get("id") or tag if tag in ("script", "style", "title") else ""
        if tag == "script":
            self.scripts[self.inside] = ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in self.scripts:
            self.scripts[self.inside] += data
        elif self.inside == "title":
            self.title += data


@pytest.fixture(scope="module")
def page() -> str:
    return traced("connect4", "4453", "alphabeta:depth=4").to_html()


def test_the_page_holds_the_trace(page: str) -> None:
    trace = traced("connect4", "4453", "alphabeta:depth=4")
    parsed = Page(page)
    assert parsed.open == []
    assert list(parsed.scripts) == ["data", "program"]
    data = json.loads(parsed.scripts["data"])
    expected = json.loads(trace.to_json())
    for each in (data, expected):
        each["info"].pop("seconds")
    assert data == expected
    assert parsed.title == "mossa trace: connect:6x7x4, alphabeta:depth=4"


def test_the_page_needs_nothing_else(page: str) -> None:
    parsed = Page(page)
    assert parsed.fetched == []
    # Types in comments name modules, SVG has a name that looks like an address.
    page = re.sub(r"/\*\*.*?\*/", "", page, flags=re.DOTALL).replace(
        "http://www.w3.org/2000/svg", ""
    )
    for text in ("http:", "https:", "@import", "fetch(", "XMLHttpRequest", "import(", "//cdn"):
        assert text not in page
    assert re.findall(r"^(?:import|export) ", page, re.MULTILINE) == []
    assert all(place.startswith("#") for place in re.findall(r"url\(([^)]*)\)", page))


def test_the_page_has_what_its_program_looks_for(page: str) -> None:
    parsed = Page(page)
    assert len(parsed.ids) == len(set(parsed.ids))
    program = parsed.scripts["program"]
    wanted = set(re.findall(r'\$\("([\w-]+)"\)', program))
    wanted |= set(re.findall(r'getElementById\("([\w-]+)"\)', program))
    wanted -= {"said", "toast"}  # of the board in the browser; the helpers do without
    assert wanted <= set(parsed.ids)
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", '" ": '):
        assert key in program
    assert "color-scheme: light dark" in page


def test_no_text_of_a_user_ends_the_script() -> None:
    """The spec is the only text that a user writes; the page must survive anything in it."""
    trace = traced("tictactoe", "", "alphabeta:depth=1")
    evil = "x</script><script>alert(1)</script><!-- & \u2028"
    page = SearchTrace(**{**vars(trace), "player": evil}).to_html()
    parsed = Page(page)
    assert list(parsed.scripts) == ["data", "program"]
    assert json.loads(parsed.scripts["data"])["player"] == evil
    assert evil in parsed.title
    assert page.count("<script") == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_program_is_valid(page: str, tmp_path: Path) -> None:
    script = tmp_path / "program.js"
    script.write_text(Page(page).scripts["program"], encoding="utf-8")
    done = subprocess.run(["node", "--check", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_two_thousand_nodes_make_a_page_of_moderate_size() -> None:
    for name in ("connect4", "gomoku", "mnk:60x60x5"):
        trace = traced(name, "", "alphabeta")
        assert len(trace.to_html()) < 1_000_000


# ---------------------------------------------------------------- errors


def test_errors() -> None:
    start = mossa.game("connect4").start()
    over = mossa.game("connect4").position("1212121")
    with pytest.raises(GameError, match="nothing to search in connect:6x7x4: first wins"):
        trace_search(over, "alphabeta:depth=1")
    for spec in ("random", "human", "tris"):
        with pytest.raises(InvalidPlayerError, match=f"no trace of player '{spec}': only search"):
            trace_search(start, spec)
    with pytest.raises(InvalidPlayerError, match="did you mean 'alphabeta'"):
        trace_search(start, "alphabet")
    with pytest.raises(InvalidPlayerError, match="invalid value '0' of 'depth'"):
        trace_search(start, "alphabeta:depth=0")
    info = Search(start.game, "minimax").run(start, Limits(depth=1))
    with (
        patch.object(Search, "run", lambda *_, **__: info),
        pytest.raises(InvalidPlayerError, match="no trace of player 'minimax': minimax keeps none"),
    ):
        trace_search(start, "minimax")
    for nodes in (0, -1, 10**6):
        with pytest.raises(GameError, match=f"invalid number of nodes {nodes}: a whole number"):
            trace_search(start, "alphabeta:depth=1", nodes=nodes)
