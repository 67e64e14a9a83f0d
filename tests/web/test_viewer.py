"""The search viewer, on its page and in the file that ``mossa trace`` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import WAIT, Open, Server, needs_chromium
from command import posix
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

import mossa

PLAIN = "deepen=off,table=off,pvs=off,killers=off,history=off"


def asked(client: TestClient, **wanted: Any) -> Any:
    return client.post("/api/trace", json={"game": "connect4", **wanted})


def test_the_trace_is_that_of_the_library(client: TestClient) -> None:
    spec = f"alphabeta:depth=3,{PLAIN}"
    found = asked(client, moves="4453", player=spec).json()
    trace = mossa.trace_search(mossa.game("connect4").position("4453"), spec).to_dict()
    assert len(found["nodes"]) == len(trace["nodes"])
    for one, other in zip(found["nodes"], trace["nodes"], strict=True):
        assert (one["move"], one["value"], one["end"]) == (
            other["move"],
            other["value"],
            other["end"],
        )


def test_a_trace_is_limited(client: TestClient) -> None:
    endless = asked(client, player="alphabeta:depth=40", nodes=100)
    assert (len(endless.json()["nodes"]), endless.json()["truncated"]) == (100, True)
    large = asked(client, game="mnk:50x50x5", player="alphabeta:depth=3", nodes=3000)
    assert len(large.json()["nodes"]) == 240
    free = asked(client, player="alphabeta", nodes=200).json()
    assert free["info"]["nodes"] <= 200


@pytest.mark.parametrize(
    ("wanted", "status", "part"),
    [
        ({"player": "random"}, 400, "only searches have one"),
        ({"player": "alphabeta:depth=x"}, 400, "invalid value 'x'"),
        ({"player": "alphabeta:threads=8"}, 400, "threads=1"),
        ({"player": "bot.py:Bot"}, 400, "is a program, which this server does not run"),
        ({"player": "minimax:depth=2", "moves": "8"}, 400, "1 to 7"),
        ({"player": "minimax:depth=2", "moves": "4141414"}, 400, "nothing to search"),
        ({"player": "minimax:depth=2", "nodes": 100_000}, 422, "nodes"),
        ({}, 422, "player"),
    ],
)
def test_a_trace_that_cannot_be(
    client: TestClient, wanted: dict[str, Any], status: int, part: str
) -> None:
    answer = asked(client, **wanted)
    assert (answer.status_code, part in answer.json()["error"]) == (status, True), answer.text


# --- in a browser ---------------------------------------------------------------------------------


def count(page: Page, text: str) -> None:
    expect(page.locator("#count")).to_contain_text(text, timeout=WAIT)


def walk_through(page: Page) -> None:
    """Step through alpha-beta on tic-tac-toe, as a teacher does."""
    count(page, "step 1 of")
    expect(page.locator("#words")).to_contain_text("The window is open: nothing is known yet.")
    page.keyboard.press("ArrowRight")
    count(page, "step 2 of")
    expect(page.locator("#tree .node.path")).to_have_count(2)
    assert page.locator("mossa-board .stone").count() == 3
    page.keyboard.press("ArrowLeft")
    assert page.locator("mossa-board .stone").count() == 2
    page.get_by_role("button", name="Next cut-off").click()
    expect(page.locator("#words .cut")).to_contain_text("will never allow this position")
    expect(page.locator(".stub").first).to_contain_text("skipped")
    page.get_by_role("button", name="Go to the end").click()
    expect(page.locator("#words .verdict")).to_contain_text("Every move has been searched.")
    page.get_by_role("button", name="Go to the start").click()
    page.get_by_label("Speed").fill("100")
    page.get_by_role("button", name="▶ Play").click()
    expect(page.locator("#play")).to_have_text("▶ Play", timeout=WAIT)  # it has come to the end
    page.get_by_role("button", name="Whole tree").click()
    assert page.locator("#tree .node.cut").count() > 3
    page.locator("#view").select_option("root")
    expect(page.locator("#words")).to_contain_text("maximises")


@posix
@needs_chromium
def test_alpha_beta_is_watched_on_the_page(opened: Open) -> None:
    page = opened(f"search?game=tictactoe&moves=b2+a1&player=alphabeta:depth=3,{PLAIN}")
    walk_through(page)
    page.locator("#lesson").select_option(label="Minimax")
    expect(page.locator("#found")).to_contain_text("nodes")
    expect(page.get_by_role("button", name="Next cut-off")).to_be_hidden()
    assert "player=minimax" in page.url


@posix
@needs_chromium
def test_a_search_that_cannot_be_is_explained(browser: Browser, server: Server) -> None:
    page = browser.new_page()
    page.goto(f"{server.address}search?player=minmax:depth=2")
    expect(page.locator("#toast")).to_contain_text("did you mean 'minimax'")
    page.locator("[name=player]").fill("minimax:depth=2")
    page.get_by_role("button", name="Search", exact=True).click()
    count(page, "step 1 of")
    page.close()


@posix
@needs_chromium
def test_play_outs_are_watched_one_by_one(opened: Open) -> None:
    page = opened("search?game=connect4&moves=4453&player=mcts:iterations=200")
    count(page, "play-outs: 1")
    for number in range(2, 6):
        page.keyboard.press("ArrowRight")
        count(page, f"step {number} of")
        expect(page.locator("#words")).to_contain_text(f"Play-out {number} reached this node")
    page.keyboard.press("End")
    count(page, "play-outs: 200")
    page.locator("#tree .node", has_text="root").click()
    trace = mossa.trace_search(mossa.game("connect4").position("4453"), "mcts:iterations=200")
    best = max(
        (node for node in trace.nodes if node["parent"] == 0), key=lambda node: node["visits"]
    )
    row = page.locator("#children tbody tr", has_text=f"{best['visits']}").first
    shown = row.locator("td").all_inner_texts()
    assert shown == [
        best["move"],
        str(best["visits"]),
        *(f"{best[name]:.3f}" for name in ("mean", "explore", "uct")),
    ]


@posix
@needs_chromium
def test_a_move_that_was_searched_again_shows_what_was_found_then(opened: Open) -> None:
    """The board showed the poorer of both values, and perhaps no best move."""
    page = opened("search?game=connect4&moves=44&nodes=2000&player=alphabeta:depth=5,table=off")
    count(page, "step 1 of")
    told = page.evaluate(
        """() => {
          const viewer = document.querySelector("mossa-trace"), { tree, words } = viewer;
          for (const [at, root] of tree.roots.entries()) {
            for (const node of root.events) {
              const values = new Map();
              let changed = false;
              for (const { move, value, side } of node.children) {
                const worth = side === node.side ? value : 0 - value;
                if (value === null) continue;
                changed ||= values.has(move) && values.get(move) !== worth;
                values.set(move, worth);
              }
              if (!changed) continue;
              viewer.go(node.leave, at);
              return [...values.values()].map((worth) => words.text(node, worth));
            }
          }
        }"""
    )
    assert told, "no move was searched again with another value: choose another search"
    pills = page.locator("#board .marks .pill")
    expect(pills).to_have_count(len(told))
    assert sorted(pills.locator("text").all_text_contents()) == sorted(told)
    expect(page.locator("#board .pill.best")).to_have_count(1)


@posix
@needs_chromium
def test_the_file_needs_no_server(browser: Browser, tmp_path: Path) -> None:
    position = mossa.game("tictactoe").position("b2 a1")
    path = tmp_path / "trace.html"
    path.write_text(mossa.trace_search(position, f"alphabeta:depth=3,{PLAIN}").to_html())
    page = browser.new_context(offline=True).new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    walk_through(page)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate("document.documentElement.style.colorScheme") == "dark"
    page.wait_for_function("() => location.hash.startsWith('#1.')")  # the address follows later
    assert complaints == []
    page.context.close()
