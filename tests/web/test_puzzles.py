"""The page of puzzles: what the server grades, and the page in a browser, by keys alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from accessibility import check_accessible
from browsing import WAIT, Open, Server, needs_chromium
from command import posix
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

import mossa
from mossa.puzzles.file import PuzzleFile
from mossa.puzzles.puzzle import Kind, Puzzle


def shipped(name: str, turns: int = 1, kind: Kind | None = None) -> Puzzle:
    """A puzzle of a game with at least so many moves to find."""
    file = PuzzleFile.find(mossa.game(name))
    assert file is not None
    found = (each for each in file.puzzles if kind in (None, each.kind))
    return next(puzzle for puzzle in found if puzzle.turns >= turns)


def wrong_move(puzzle: Puzzle) -> str:
    right = puzzle.right(0)
    return next(str(move) for move in puzzle.position.moves if str(move) not in right)


# ---------------------------------------------------------------- requests


def test_games_with_puzzles_are_listed(client: TestClient) -> None:
    listed = {each["game"]: each for each in client.get("/api/puzzles").json()}
    assert set(listed) == {"connect:6x7x4", "kalah:6x4", "mnk:7x7x4", "mnk:15x15x5"}
    assert listed["connect:6x7x4"]["title"] == "Connect 4"
    assert all(each["count"] > 0 for each in listed.values())


def test_a_puzzle_is_as_hard_and_as_long_as_wanted(client: TestClient) -> None:
    wanted = {"game": "connect:6x7x4", "rating": 400, "turns": 1}
    easy = client.post("/api/puzzles", json=wanted).json()
    hard = client.post("/api/puzzles", json={**wanted, "rating": 3000}).json()
    assert easy["position"]["game"] == hard["position"]["game"] == "connect:6x7x4"
    assert easy["turns"] == hard["turns"] == 1
    assert easy["rating"] < hard["rating"]
    # What the answer is, is not sent before it is asked for.
    assert not {"line", "steps", "solution"} & set(easy)


def test_a_puzzle_comes_again_only_when_all_are_done(client: TestClient) -> None:
    file = PuzzleFile.find(mossa.game("connect4"))
    assert file is not None
    *most, last = [puzzle.name for puzzle in file.puzzles]
    wanted = {"game": "connect:6x7x4", "done": most}
    found = client.post("/api/puzzles", json=wanted).json()
    assert (found["name"], found["left"]) == (last, 1)
    again = client.post("/api/puzzles", json={**wanted, "done": [*most, last]}).json()
    assert again["left"] == len(file.puzzles)


@pytest.mark.parametrize("name", ["connect4", "kalah:6x4", "mnk:7x7x4", "mnk:15x15x5"])
def test_a_line_is_played_through(client: TestClient, name: str) -> None:
    puzzle = shipped(name)
    for at, step in enumerate(puzzle.steps):
        tried = {"step": at, "move": step.move}
        answer = client.post(f"/api/puzzles/{puzzle.name}/answers", json=tried).json()
        assert answer["right"], answer
        assert answer["done"] is (at == puzzle.turns - 1)
        assert len(answer["positions"]) == 1 + len(step.replies)
    solution = client.get(f"/api/puzzles/{puzzle.name}/solution").json()
    assert [each["move"] for each in solution["line"]] == puzzle.line
    assert solution["line"][-1]["position"]["history"] == answer["positions"][-1]["history"]


def test_a_wrong_move_shows_nothing(client: TestClient) -> None:
    puzzle = shipped("connect4")
    tried = {"step": 0, "move": wrong_move(puzzle)}
    answer = client.post(f"/api/puzzles/{puzzle.name}/answers", json=tried).json()
    assert (answer["right"], answer["done"], answer["positions"]) == (False, False, [])
    assert answer["told"].endswith(("loses.", "only draws.", "wins too, but takes longer."))


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("", {"game": "chess"}, 404, "there is no such puzzle; choose another game or length"),
        ("", {"rating": -1}, 422, "rating should be greater than or equal to 0"),
        ("", {"turns": 5}, 422, "turns should be less than or equal to 4"),
        ("", {"done": ["a" * 9]}, 422, "done.0"),
        ("", {"done": ["a"] * 5001}, 422, "done"),
        ("", {"cheat": 1}, 422, "there is no field 'cheat'"),
        ("/nonsense/answers", {"step": 0, "move": "4"}, 404, "there is no puzzle 'nonsense'"),
        ("/{name}/answers", {"step": 99, "move": "4"}, 400, "invalid step '99'"),
        ("/{name}/answers", {"step": 0, "move": "9"}, 400, "illegal move '9'"),
        ("/{name}/answers", {"step": 0, "move": ""}, 400, "play one move, not 0"),
        ("/{name}/answers", {"step": -1, "move": "4"}, 422, "step"),
    ],
)
def test_bad_requests_are_refused(
    client: TestClient, path: str, body: dict[str, Any], status: int, reason: str
) -> None:
    path = path.replace("{name}", shipped("connect4").name)
    answer = client.post(f"/api/puzzles{path}", json=body)
    assert answer.status_code == status
    assert reason in answer.json()["error"]


def test_a_damaged_file_of_ones_own_is_named_without_its_folder(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.puzzles").write_text("{}")
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    answer = client.get("/api/puzzles")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("mine.puzzles is not a file of puzzles")
    assert str(tmp_path) not in answer.text


# ---------------------------------------------------------------- in a browser


def told(page: Page) -> Any:
    return expect(page.locator(".lesson"))


def play(page: Page, puzzle: Puzzle, at: int, move: str) -> None:
    """Play a move by keys alone: walk to its cell, and press Enter."""
    position = puzzle.before(at)
    found = next(each for each in position.moves if str(each) == move)
    cell = position.target(found) or position.source(found)
    assert cell is not None
    expect(page.locator("mossa-board.active")).to_be_visible()
    # Where stones fall, a column is one place.
    place = f'$=",{cell[1]}"' if puzzle.game.traits.falls else f'="{cell[0]},{cell[1]}"'
    page.locator(f".hit[data-cell{place}]").focus()
    page.keyboard.press("Enter")


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('mossa-puzzles')"))
    return found


@posix
@needs_chromium
def test_a_puzzle_is_solved_by_keys(opened: Open) -> None:
    puzzle = shipped("connect:6x7x4", turns=2, kind=Kind.win_in)
    page = opened(f"puzzles?puzzle={puzzle.name}")
    asked = f"Win in {puzzle.turns}: only one move wins; then take the fastest way."
    expect(page.locator("[data-name=task]")).to_have_text(asked)
    for at, step in enumerate(puzzle.steps):
        expect(page.locator(".status")).to_contain_text(f"move {at + 1} of {puzzle.turns}")
        play(page, puzzle, at, step.move)
    told(page).to_contain_text("That wins the game.")
    expect(page.locator(".told-line li")).to_have_count(len(puzzle.line))
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    you = kept(page)
    assert (you["streak"], you["solved"], you["tried"]) == (1, 1, 1)
    assert you["rating"] > 1200
    assert you["done"] == [puzzle.name]
    page.keyboard.press("Home")  # walk along the answer
    expect(page.locator("mossa-board")).to_have_attribute("data-ply", str(puzzle.position.ply))
    page.keyboard.press("ArrowRight")
    expect(page.locator("mossa-board")).to_have_attribute("data-ply", str(puzzle.position.ply + 1))
    page.get_by_role("button", name="Next puzzle").press("Enter")
    told(page).to_contain_text("to find")
    expect(page.locator("[data-name=rating]")).to_contain_text(str(round(you["rating"])))
    page.reload()
    expect(page.locator("[data-name=streak]")).to_have_text("1")


@posix
@needs_chromium
def test_a_wrong_move_may_be_tried_again_but_counts(opened: Open) -> None:
    puzzle = shipped("connect4")
    page = opened(f"puzzles?puzzle={puzzle.name}")
    play(page, puzzle, 0, wrong_move(puzzle))
    told(page).to_contain_text("Try again.")
    expect(page.locator("mossa-board")).to_have_attribute("data-ply", str(puzzle.position.ply))
    for at, step in enumerate(puzzle.steps):
        play(page, puzzle, at, step.move)
        told(page).to_contain_text("Right" if at < puzzle.turns - 1 else "That ")
    you = kept(page)
    assert (you["streak"], you["solved"], you["tried"]) == (0, 0, 1)
    assert you["rating"] < 1200


@posix
@needs_chromium
def test_the_answer_is_played_through_with_words(opened: Open, axe: str) -> None:
    puzzle = shipped("kalah:6x4")
    page = opened(f"puzzles?puzzle={puzzle.name}", width=390, height=844)
    page.locator("mossa-board.active").wait_for(timeout=WAIT)
    page.get_by_role("button", name="Show the answer").press("Enter")
    told(page).to_contain_text(f"The answer is {puzzle.steps[0].move}.")
    last = puzzle.position.ply + len(puzzle.line)
    expect(page.locator("mossa-board")).to_have_attribute("data-ply", str(last))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_accessible(page, axe)
    assert kept(page)["rating"] < 1200


@posix
@needs_chromium
def test_the_choice_of_puzzles_is_kept(opened: Open) -> None:
    page = opened("puzzles")
    page.get_by_label("Game").select_option("kalah:6x4")
    expect(page.locator("[data-name=about]")).to_contain_text("Kalah")
    page.get_by_label("Moves to find").select_option("1")
    expect(page.locator(".status")).to_contain_text("move 1 of 1")
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_label("Game")).to_have_value("kalah:6x4")
    expect(page.get_by_label("Moves to find")).to_have_value("1")


@posix
@needs_chromium
def test_nonsense_in_the_browsers_memory_does_no_harm(opened: Open, server: Server) -> None:
    page = opened("puzzles")
    page.locator("mossa-board.active").wait_for(timeout=WAIT)
    nonsense: dict[str, object] = {
        "rating": "much",
        "streak": None,
        "done": 7,
        "game": {},
        "length": "many",
    }
    page.evaluate("text => localStorage.setItem('mossa-puzzles', text)", json.dumps(nonsense))
    page.goto(f"{server.address}puzzles")
    page.locator("mossa-board.active").wait_for(timeout=WAIT)
    expect(page.locator("[data-name=rating]")).to_have_text("1200")
    expect(page.locator("[data-name=solved]")).to_have_text("0/0")
