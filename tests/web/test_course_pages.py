"""The pages of a course in a browser: a student's journey, the teacher's page, looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from accessibility import check_accessible
from browsing import WAIT, needs_chromium
from command import posix
from course_data import BOT, School, found, lively
from course_server import CourseServer
from playwright.sync_api import Browser, Page, expect

from mossa.sandbox import missing

pytestmark = [posix, needs_chromium]
ADA, BLAISE = "Ada Lovelace", "Blaise Pascal"
Visit = Callable[..., Page]
LONG = 90_000
"""Milliseconds for what a driver does on a machine that is busy."""


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    school = lively(tmp_path_factory.mktemp("school") / "course")
    yield school
    school.course.close()


@pytest.fixture(scope="module")
def server(school: School) -> Iterator[CourseServer]:
    server = CourseServer(school.course.folder, driver=False)
    yield server
    server.stop()


@pytest.fixture
def visit(browser: Browser, server: CourseServer) -> Iterator[Visit]:
    """Open a page; whatever it complains about on its console fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_page(path: str, *, width: int = 1100, scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda said: complaints.append(said.text) if said.type == "error" else None
        )
        page.goto(server.address + path)
        page.locator(".sheet").wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def addresses(school: School) -> dict[str, str]:
    ada = school.students[ADA].id
    return {
        "standings": "course",
        "student": f"course/me#{school.secrets[ADA]}",
        "refused": f"course/me#{school.secrets[BLAISE]}",
        "teacher": f"course/teacher#{school.teacher}",
        "seen by the teacher": f"course/teacher/{ada}#{school.teacher}",
    }


PAGES = ["standings", "student", "refused", "teacher", "seen by the teacher"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible(
    visit: Visit, school: School, axe: str, name: str, scheme: str
) -> None:
    check_accessible(visit(addresses(school)[name], scheme=scheme), axe)


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_shows_every_page(visit: Visit, school: School, axe: str, name: str) -> None:
    page = visit(addresses(school)[name], width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for box in page.locator(".wide").all():
        cut = box.evaluate("(each) => each.scrollWidth - each.clientWidth")
        assert cut <= 0, box.inner_text()
    check_accessible(page, axe)


def test_the_secret_leaves_the_address(visit: Visit, school: School) -> None:
    page = visit("course")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.headers}"))
    secret = school.secrets[ADA]
    page.goto(f"{page.url}/me#{secret}")
    expect(page.locator("h1")).to_have_text(ADA)
    assert page.url.endswith("/course/me")
    assert page.evaluate("document.cookie") == ""
    page.reload()
    expect(page.locator("h1")).to_have_text(ADA)
    assert asked
    assert not [each for each in asked if secret in each]


def test_a_wrong_link_says_so(browser: Browser, server: CourseServer) -> None:
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"{server.address}course/me#nobody-has-this-secret")
    expect(page.locator("#toast")).to_contain_text("this link is not valid")
    expect(page.locator("main")).to_contain_text("open your personal link")
    page.get_by_role("link", name="To the standings").click()
    expect(page.locator("h1")).to_have_text("Adversarial search 2027")
    page.context.close()


def test_pages_follow_what_happens_and_do_not_flicker(visit: Visit, school: School) -> None:
    page = visit(addresses(school)["student"])
    page.locator("details summary").first.click()
    page.evaluate("window.before = document.querySelector('details')")
    school.course.pause()
    try:
        expect(page.locator(".badge", has_text="paused")).to_be_visible(timeout=WAIT)
        assert page.evaluate("document.querySelector('details') === window.before")
        assert page.evaluate("window.before.open")
    finally:
        school.course.resume()
    expect(page.locator(".badge", has_text="paused")).to_be_hidden(timeout=WAIT)


def test_a_lost_game_is_shown_at_its_mistake(visit: Visit, school: School) -> None:
    page = visit(addresses(school)["student"])
    page.get_by_role("link", name=re.compile("Your first mistake was move 5")).click()
    expect(page.locator('mossa-board[data-ply="4"]')).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Course").click()
    expect(page.locator("h1")).to_have_text("Adversarial search 2027")


def test_the_teacher_runs_the_course(visit: Visit, school: School, tmp_path: Path) -> None:
    page = visit(addresses(school)["teacher"])
    page.on("dialog", lambda dialog: dialog.accept("asleep in class"))
    page.get_by_role("button", name="Pause the ladder").click()
    page.get_by_role("button", name="Resume the ladder").click()
    expect(page.get_by_role("button", name="Pause the ladder")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_label("or the lines themselves").fill("Daniel Bernoulli,dan@example.org")
        page.get_by_role("button", name="Add", exact=True).click()
    links = Path(download.value.path()).read_text("utf-8")
    assert "Daniel Bernoulli,dan@example.org,http://127.0.0.1" in links
    expect(page.get_by_role("link", name="Daniel Bernoulli")).to_be_visible()
    page.get_by_role("button", name="Disqualify Daniel Bernoulli").click()
    page.get_by_role("button", name="Readmit Daniel Bernoulli").click()
    expect(page.get_by_role("button", name="Disqualify Daniel Bernoulli")).to_be_visible()
    page.get_by_role("button", name="New link for Daniel Bernoulli").click()
    link = page.get_by_label("Personal link")
    expect(link).to_have_value(re.compile("/course/me#"))
    page.get_by_role("button", name="Close").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Grades (CSV)").click()
    assert ADA in Path(download.value.path()).read_text("utf-8")
    listed = tmp_path / "list.csv"
    listed.write_text("Emmy Noether\n", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(listed)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("link", name="Emmy Noether").click()
    expect(page.locator("h1")).to_have_text("Emmy Noether")
    expect(page.locator("main")).to_contain_text("has not handed in anything yet")


def test_a_file_that_is_too_large_is_refused_at_once(
    visit: Visit, school: School, tmp_path: Path
) -> None:
    page = visit(addresses(school)["student"])
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(11 << 20)
    page.locator("input[type=file]").set_input_files(large)
    expect(page.locator("#toast")).to_have_text("large.zip is too large: at most 10 MB.")


def test_a_dropped_file_is_handed_in(visit: Visit, school: School) -> None:
    page = visit(f"course/me#{school.secrets['Carl Gauss']}")
    page.evaluate(
        """(text) => {
          const dropped = new DataTransfer();
          dropped.items.add(new File([text], "dropped.py"));
          const event = { dataTransfer: dropped, bubbles: true, cancelable: true };
          document.querySelector(".upload").dispatchEvent(new DragEvent("drop", event));
        }""",
        BOT.decode(),
    )
    expect(page.locator("#version h2")).to_have_text("Version 2")
    expect(page.locator(".badge", has_text="waiting")).to_have_count(2)


@pytest.mark.slow
@pytest.mark.skipif(missing() is not None, reason=f"NO SANDBOX: {missing()}")
def test_a_student_hands_in_a_player_and_sees_it_play(browser: Browser, tmp_path: Path) -> None:
    """The whole way, with a driver: a player that fails, one that plays, the standings."""
    plan = 'boards = ["tictactoe"]\nsuite = ""\ntime = 0.2\nrivals = ["random"]\nworkers = 1'
    school = found(tmp_path / "course", plan=plan)
    server = CourseServer(tmp_path / "course")
    try:
        page = browser.new_page()
        page.set_default_timeout(WAIT)
        page.goto(f"{server.address}course/me#{school.secrets[ADA]}")
        wrong = tmp_path / "wrong.py"
        wrong.write_text("def choose(position):\n    return 'z99'\n", encoding="utf-8")
        page.locator("input[type=file]").set_input_files(wrong)
        expect(page.locator("#version .badge")).to_have_text("not accepted", timeout=LONG)
        expect(page.locator("#version .checklist .missed").first).to_be_visible()
        right = tmp_path / "right.py"
        right.write_bytes(BOT)
        page.locator("input[type=file]").set_input_files(right)
        expect(page.locator("#version .badge")).to_have_text("on the ladder", timeout=LONG)
        expect(page.locator(".results li").first).to_be_visible(timeout=LONG)
        page.get_by_role("link", name="Standings").click()
        expect(page.locator("tr.me")).to_contain_text("Ada Lovelace (you)", timeout=LONG)
        page.context.close()
    finally:
        server.stop()
        school.course.close()
