"""The reading order of the core: a file includes only what stands before it.

A new file needs a place in the list; a file that reaches for a later layer, or for a neighbour in
its own, is in the wrong place.
"""

from __future__ import annotations

import pathlib
import re

import pytest
from layers import assert_in_order, layer

from mossa import _core

CORE = pathlib.Path(__file__).parent.parent / "core"

CORE_LAYERS = {
    "types.hpp": "the words that every other file uses",
    "options.hpp": "options as texts: of games, of searches",
    "trace.hpp": "a search's tree, for people",
    "nth_bit.hpp": "bits of one word, for sets of cells and lanes of seeds",
    "bitboard.hpp": "sets of cells; knows no game",
    "game.hpp": "what a game must provide",
    "table.hpp": "what is remembered of positions of any game",
    "random.hpp": "random numbers",
    "busy.hpp": "what threads are busy with",
    "exclusive.hpp": "one thread at a time",
    "games/lines.hpp": "what mnk and connect share",
    "games/sowing_rules.hpp": "the rules that all games of sowing have",
    "games/sowing.hpp": "what kalah and oware share",
    "games/*_rules.hpp": "the rules of a game that can be chosen, for its solver too",
    "games/*.hpp": "the rules, one game a file",
    "games.hpp": "the list of games",
    "perft.hpp": "counting, for any game",
    "encoding.hpp": "positions and moves as numbers, for any game",
    "evaluate/evaluator.hpp": "what an evaluation must provide",
    "evaluate/lines.hpp": "what evaluations of line games share",
    "evaluate/priority.hpp": "which cells win, threaten or block; evaluations ask it too",
    "evaluate/*.hpp": "evaluations, one idea a file",
    "evaluate/parity.hpp": "an evaluation that adds to that of windows",
    "evaluate/pattern_weights.hpp": "what the patterns of mnk are worth",
    "evaluate/pattern_board.hpp": "a board with its patterns and their worth",
    "evaluate/gravity_board.hpp": "a board on which stones fall, for a search",
    "evaluate/gravity_board.cpp": "how it is set up",
    "evaluate/gravity_value.hpp": "what such a board is worth",
    "learn/line_views.hpp": "what a side sees along a line; knows no board",
    "learn/line_view_board.hpp": "what a side sees from every cell of a board",
    "learn/network.hpp": "what is learnt, as numbers; knows what is seen, but no search",
    "learn/network.cpp": "how it is read, and what it says",
    "learn/network_kernels.hpp": "what costs time in it",
    "learn/network_avx2.cpp": "the same for processors with AVX2",
    "learn/network_kernels.cpp": "the same for every processor, and the choice of one",
    "learn/line_network_board.hpp": "a board with what is learnt, for a search to follow",
    "learn/own_value.hpp": "what a board is worth without a network, for one that corrects it",
    "learn/own_value.cpp": "how",
    "learn/estimates.hpp": "what is seen and said of a single board, for callers",
    "learn/estimates.cpp": "how",
    "learn/network_evaluation.hpp": "what is learnt as an evaluation of any search",
    "evaluate/evaluations.hpp": "the list of evaluations",
    "evaluate/evaluations.cpp": "the list as an option",
    "evaluate/lines.cpp": "how lines are summed, and what they are worth",
    "evaluate/orders.hpp": "which moves come first: by an evaluation, or by their place",
    "evaluate/orders.cpp": "orders by name",
    "search/search.hpp": "what searches share",
    "search/deepening.hpp": "what searches share that go deeper and deeper, with threads",
    "search/deepening.cpp": "how they do",
    "search/tree.hpp": "what searches share that keep a tree",
    "search/threat_space.hpp": "wins by threats alone, on the patterns of mnk",
    "search/threat_search.hpp": "the search of mnk without the type of the board",
    "search/threat_worker.hpp": "one thread's search by threats",
    "search/threat_search.cpp": "how it works",
    "search/gravity_search.hpp": "the search of connect without the type of the board",
    "search/gravity_worker.hpp": "one thread's search of such a board",
    "search/gravity_search.cpp": "how it works",
    "search/*.hpp": "searches, one algorithm a file, for any game that they are for",
    "search/*.cpp": "what of them no game changes",
    "searches.hpp": "the list of searches",
    "handles.hpp": "games, positions and searches without their types",
    "handles_of.hpp": "the same with their types: where games meet searches",
    "handles.cpp": "a game by its name",
    "vector.hpp": "many games at once without the type of their rules",
    "vector_of.hpp": "the same with it",
    "vector.cpp": "many games by the name of one",
    "solve/bits.hpp": "boards in one or two machine words; knows no game",
    "solve/lanes.hpp": "several boards in one register; knows no game",
    "solve/zeroed_memory.hpp": "memory for large tables; knows no game",
    "solve/findings.hpp": "what one solver tells another, as bytes; knows no game",
    "solve/proof_table.hpp": "proven bounds by exact key; knows no game",
    "solve/connect_board.hpp": "what can be told of a connect board without search",
    "solve/solver.hpp": "exact solvers without their types; what they share",
    "solve/connect_position.hpp": "connect positions and scores, for the solver and its books",
    "solve/book.hpp": "opening books of connect; know positions, but no search",
    "solve/book.cpp": "the same without the width of a board, and how they are made",
    "solve/team.hpp": "threads that look for one answer together; knows no game",
    "solve/connect.hpp": "the solver of connect",
    "solve/connect_avx2.cpp": "the same for processors with AVX2",
    "solve/connect.cpp": "the same for every processor, and the choice of one",
    "solve/mnk_board.hpp": "lines and symmetries of an mnk board",
    "solve/mnk_lines.hpp": "the open lines of one side",
    "solve/mnk_pairs.hpp": "pairs of cells with which a side holds",
    "solve/mnk_state.hpp": "what is left of a position for one question",
    "solve/mnk_threats.hpp": "wins by threats alone",
    "solve/mnk_table.hpp": "proof numbers by exact key",
    "solve/mnk_search.hpp": "one question answered",
    "solve/mnk.hpp": "the solver of mnk",
    "solve/mnk.cpp": "the choice of one",
    "solve/pit_board.hpp": "boards of sowing games in one or two machine words, numbered",
    "solve/end_tables.hpp": "end-game tables of sowing games; know boards, but no rules",
    "solve/end_tables.cpp": "what all of them share",
    "solve/kalah_board.hpp": "moves on such a board of kalah",
    "solve/kalah_tables.hpp": "end-game tables of kalah; know boards, but no search",
    "solve/kalah_tables.cpp": "how they are made",
    "solve/kalah.hpp": "the solver of kalah",
    "solve/kalah.cpp": "the choice of one by the size",
    "solve/oware_board.hpp": "moves on such a board of oware, and back",
    "solve/oware_tables.hpp": "end-game tables of oware; know boards, but no search",
    "solve/oware_tables.cpp": "how they are made",
    "solve/oware.hpp": "the solver of oware",
    "solve/oware.cpp": "the choice of one by the size",
    "solve/solver.cpp": "how they share it; the solver of a game",
    "bench.hpp": "fixed work, declared",
    "bench.cpp": "fixed work, done through the engine",
    "python_game.hpp": "a game written in Python, for the searches",
    "bindings/bindings.hpp": "what the bindings share",
    "bindings/*.cpp": "the engine for Python, part by part",
    "bindings.cpp": "the module of Python: all parts",
}

SOURCES = {
    path.relative_to(CORE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(CORE.rglob("*"))
    if path.suffix in (".hpp", ".cpp")
}
HEADERS = [name for name in SOURCES if name.endswith(".hpp")]

_QUOTED = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
_ANGLED = re.compile(r"^\s*#\s*include\s+<([^>]+)>", re.MULTILINE)
_COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def included(name: str) -> set[str]:
    """The files of the core that one includes, by their names from its root."""
    here = (CORE / name).parent
    names = set()
    for text in _QUOTED.findall(SOURCES[name]):
        path = (here / text).resolve()
        assert path.is_file(), f"core/{name} includes {text!r}, which is not there"
        names.add(path.relative_to(CORE.resolve()).as_posix())
    return names


# One list each: the file, and how its entries begin.
LISTS = {
    "evaluations": ("evaluate/evaluations.hpp", r'NamedEvaluation\{\s*"([\w-]+)"'),
    "searches": ("searches.hpp", r'NamedSearch<\w+>\{\s*"([\w-]+)"'),
    "orders": ("evaluate/orders.cpp", r'NamedOrder\{\s*"([\w-]+)"'),
}


@pytest.mark.parametrize("what", LISTS)
def test_what_has_a_list_has_no_second_one(what: str) -> None:
    """Some names mean something else elsewhere; more than half of them are a list."""
    home, entry = LISTS[what]
    names = set(re.findall(entry, SOURCES[home]))
    assert len(names) >= 5
    for name, text in SOURCES.items():
        again = names & set(re.findall(r'"([\w-]+)"', text))
        assert name == home or 2 * len(again) <= len(names), (
            f"core/{name} lists {what} again: {sorted(again)}"
        )


def test_the_options_of_searches_come_from_the_lists() -> None:
    searches = {kind.name: kind for kind in _core.search_kinds()}
    for what, option, first in (("evaluations", "evaluate", ["default"]), ("orders", "order", [])):
        home, entry = LISTS[what]
        given = next(each for each in searches["alphabeta"].options if each.name == option)
        assert given.values == first + re.findall(entry, SOURCES[home])
    home, entry = LISTS["searches"]
    assert list(searches) == re.findall(entry, SOURCES[home])


def test_only_the_list_names_a_search() -> None:
    """Games of the core and games in Python take every search from the list."""
    entries = re.findall(r"NamedSearch<(\w+)>", SOURCES["searches.hpp"])
    classes = [each for each in entries if each != "Algorithm"]
    assert len(classes) >= 5
    for name, text in SOURCES.items():
        if name != "searches.hpp" and not name.startswith("search/"):
            code = set(re.findall(r"\w+", _COMMENT_OR_TEXT.sub("", text)))
            assert not code & set(classes), f"core/{name} names a search"


def test_only_a_game_names_its_solver() -> None:
    for name, text in SOURCES.items():
        if name == "solve/solver.cpp" or not name.startswith(("games/", "solve/")):
            assert not re.search(r"\bmake_\w+_solver\b", text), f"core/{name} names a solver"


def test_a_file_of_the_core_includes_only_what_stands_before_it() -> None:
    for name in SOURCES:
        assert_in_order(name, included(name), CORE_LAYERS)


def test_every_layer_of_the_core_is_there() -> None:
    assert {layer(name, CORE_LAYERS) for name in SOURCES} == set(range(len(CORE_LAYERS)))


def test_only_the_bindings_know_python() -> None:
    knowing = {
        name
        for name, text in SOURCES.items()
        if any(re.match(r"nanobind/|pybind11/|Python\.h", each) for each in _ANGLED.findall(text))
        or re.search(r"\bPy[A-Z_]\w*\s*\(|\bnanobind::|\bnb::", _COMMENT_OR_TEXT.sub("", text))
    }
    bindings = {name for name in SOURCES if name.startswith("bindings")}
    assert knowing == {*bindings, "python_game.hpp"}


@pytest.mark.parametrize(
    ("header", "users"),
    [
        # only lists know all games; the build compiles each of them with handles_of and vector_of
        ("games.hpp", {"handles.cpp", "vector.cpp"}),
        # everybody else asks the engine for a search by its name
        ("searches.hpp", {"handles.cpp", "handles_of.hpp", "python_game.hpp"}),
        ("handles_of.hpp", set()),
        ("vector_of.hpp", set()),
        ("games/mnk.hpp", {"games.hpp"}),
        ("games/connect.hpp", {"games.hpp"}),
        ("games/kalah.hpp", {"games.hpp"}),
        ("games/oware.hpp", {"games.hpp"}),
    ],
)
def test_templates_are_instantiated_in_one_place(header: str, users: set[str]) -> None:
    assert {name for name in SOURCES if header in included(name)} == users


def test_only_the_list_of_searches_includes_searches() -> None:
    for name in SOURCES:
        if any(other.startswith("search/") for other in included(name)):
            assert name == "searches.hpp" or name.startswith("search/")


PRINTING = re.compile(
    r"\b(?:printf|fprintf|puts|fputs|putchar|fwrite|println?)\s*\(|\bstd::c(?:out|err|log|in)\b"
    r"|\bstd::print|\b(?:stdout|stderr|stdin)\b"
)
STREAMS = {"iostream", "ostream", "istream", "fstream", "cstdio", "stdio.h", "print", "syncstream"}


def test_the_core_never_prints() -> None:
    for name, text in SOURCES.items():
        assert not STREAMS & set(_ANGLED.findall(text)), f"core/{name}"
        assert not PRINTING.search(_COMMENT_OR_TEXT.sub("", text)), f"core/{name}"


@pytest.mark.parametrize(
    "text", ['printf("x")', "std::cout << x;", "std::println(x)", "puts(text);", "fputs(t, stderr)"]
)
def test_no_form_of_printing_goes_unseen(text: str) -> None:
    assert PRINTING.search(_COMMENT_OR_TEXT.sub("", text))


def test_a_header_opens_with_what_it_is_about() -> None:
    for name in HEADERS:
        text = SOURCES[name]
        assert text.startswith("// "), f"core/{name} does not say what it is about"
        assert len(re.findall(r"^#pragma once$", text, re.MULTILINE)) == 1, f"core/{name}"
