"""``mossa show``: positions as boards, pictures and data."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest
from command import call, good, run

import mossa
from mossa.render import to_rich

KALAH_START = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first"


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("connect4", ""),
        ("connect4", "4453"),
        ("connect4", "4 4 5 3"),
        ("tictactoe", "b2 a1"),
        ("gomoku", "h8h9i8"),
        ("kalah", "31"),
        ("kalah:12x12", ""),  # wider than a terminal, but never cut to pieces
        ("mnk:30x40x5", ""),
    ],
)
def test_show_draws_the_board(name: str, moves: str) -> None:
    drawn = good(call("show", name, moves))
    assert drawn.strip("\n") == to_rich(mossa.game(name).position(moves)).plain.strip("\n")


def test_show_as_a_command() -> None:
    assert good(run("show", "connect4", "4453")) == good(call("show", "connect4", "4453"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_show_on_an_output_that_has_no_box_characters(encoding: str) -> None:
    output = good(call("show", "connect4", "44", encoding=encoding))
    assert output.isascii()
    assert "x" in output
    assert "o" in output


@pytest.mark.parametrize(
    ("name", "moves"), [("connect4", "4453"), ("gomoku", "h8"), ("kalah", "3")]
)
def test_show_svg(name: str, moves: str) -> None:
    root = ET.fromstring(good(call("show", name, moves, "--svg")))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_show_json() -> None:
    assert json.loads(good(run("show", "connect4", "4453", "--json"))) == {
        "game": "connect:6x7x4",
        "moves": ["4", "4", "5", "3"],
        "text": "......./......./......./......./...o.../..oxx..",
        "side": "first",
        "legal": ["1", "2", "3", "4", "5", "6", "7"],
        "cells": [[0, 0, 2, 1, 1, 0, 0], [0, 0, 0, 2, 0, 0, 0], *[[0] * 7] * 4],
        "outcome": None,
    }


@pytest.mark.parametrize(
    ("name", "moves", "winner", "value"),
    [
        ("connect4", "4343434", "first", 1),
        ("tictactoe", "a1 b1 a2 b2 c1 b3", "second", -1),
        ("connect:1x2x2", "12", None, 0),
        ("kalah:1x3", "1", "first", 6),
    ],
)
def test_show_json_of_a_finished_game(
    name: str, moves: str, winner: str | None, value: int
) -> None:
    shown = json.loads(good(call("show", name, moves, "--json")))
    assert shown["legal"] == []
    assert (shown["outcome"]["winner"], shown["outcome"]["value"]) == (winner, value)
    assert shown["outcome"]["reason"]


@pytest.mark.parametrize(
    ("name", "moves", "board", "text"),
    [
        ("connect:3x3x3", "", "o../x../xox", "o../x../xox"),
        ("connect:3x3x3", "2 3", ".../.../xo.", ".../.x./xoo"),
        ("connect:3x3x3", "23", ".../.../xo.", ".../.x./xoo"),
        ("kalah", "3 1", KALAH_START, "0,5,1,6,6,5,1/4,4,4,4,4,4,0 second"),
        ("kalah", "31", KALAH_START, "0,5,1,6,6,5,1/4,4,4,4,4,4,0 second"),
    ],
)
def test_show_from_a_board(name: str, moves: str, board: str, text: str) -> None:
    shown = json.loads(good(call("show", name, moves, "--board", board, "--json")))
    assert shown["text"] == text
    assert shown["moves"] == list(moves.replace(" ", ""))
