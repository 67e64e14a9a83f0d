"""The page for users: its session, its files and its error are real."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from mossa.records import InvalidRecordError, parse_records

PAGE = Path(__file__).parents[2] / "docs" / "records.md"


def examples(heading: str) -> str:
    """The first block below a heading."""
    section = re.split(rf"^##? {heading}$", PAGE.read_text("utf-8"), flags=re.M | re.I)[1]
    block = re.search(r"^```\w+\n(.*?)^```$", section, re.M | re.S)
    assert block
    return block[1]


def test_the_session_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(
        examples("Game records"), {}, "records.md", None, 0
    )
    assert doctest.DocTestRunner().run(session).failed == 0
    assert len(session.examples) == 8


@pytest.mark.parametrize(("form", "count"), [("text", 4), ("jsonl", 3), ("sgf", 1), ("psq", 1)])
def test_the_files_of_the_page_can_be_read(form: str, count: int) -> None:
    assert len(parse_records(examples(form), form)) == count


def test_the_error_of_the_page_is_real() -> None:
    with pytest.raises(InvalidRecordError) as caught:
        parse_records("# full\n\nmossa connect4\n4444444", source="games.mossa")
    assert str(caught.value) == examples("Errors").strip()
