"""The documentation as a site: it builds without a warning, is complete and needs no network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import mossa

ROOT = Path(__file__).parents[1]
READ_PAGES = ROOT / "build" / "site-tested"
"""The pages as Sphinx has read them, without a warning: only those that change are read again."""
# Attributes by which a page loads a file, without a click. A link that has a `rel` may load too.
LOADING = {"src", "srcset", "data", "poster", "background", "action"}
FAR = re.compile(r"^\s*(?:(?!data:)\w+:)?//|^\s*https?:", re.IGNORECASE)
FAR_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"';]*", re.IGNORECASE)


class Loads(HTMLParser):
    """Collects what a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in LOADING or (tag == "link" and name == "href"):
                self.found.append(value or "")


def loaded(page: str) -> list[str]:
    parser = Loads()
    parser.feed(page)
    return parser.found


def loaded_from_elsewhere(site: Path) -> Iterator[str]:
    """What pages and styles of a site take from another host."""
    for path in site.rglob("*"):
        if path.suffix == ".html":
            text = path.read_text(encoding="utf-8")
            yield from (link for link in loaded(text) if FAR.match(link))
            yield from FAR_STYLE.findall(text)
        elif path.suffix == ".css":
            yield from FAR_STYLE.findall(path.read_text(encoding="utf-8"))


def missing_pictures(site: Path) -> Iterator[str]:
    """Files that pages load and that are not there."""
    for page in site.rglob("*.html"):
        for link in loaded(page.read_text(encoding="utf-8")):
            if not link.startswith("data:") and not FAR.match(link):
                target = page.parent / re.split(r"[?#]", link)[0]
                if not target.exists():
                    yield f"{page.relative_to(site)} loads {link}"


def test_the_site_builds_is_complete_and_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the group docs is not installed")
    pytest.importorskip("furo", reason="the group docs is not installed")
    site = tmp_path / "site"
    options = ["-q", "-W", "--keep-going", "-c", "docs/site", "-d", str(READ_PAGES)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, ".", str(site)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode or done.stderr:  # a page that was read is not warned of again
        shutil.rmtree(READ_PAGES, ignore_errors=True)
    assert (done.returncode, done.stderr) == (0, "")

    reference = (site / "docs" / "api.html").read_text(encoding="utf-8")
    assert [name for name in mossa.__all__ if f'id="mossa.{name}"' not in reference] == []
    assert list(loaded_from_elsewhere(site)) == []
    assert list(missing_pictures(site)) == []
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert '"docs/solving"' in index and "certif" in index  # words are searched by their stems


def test_what_comes_from_elsewhere_is_seen(tmp_path: Path) -> None:
    """The check itself: what loads is found, links to click on are not."""
    (tmp_path / "page.html").write_text(
        '<a href="https://a.example/">a</a><img src="https://b.example/b.png">'
        '<link rel="stylesheet" href="//c.example/c.css"><script src="own.js"></script>'
    )
    (tmp_path / "style.css").write_text("@font-face { src: url('https://d.example/d.woff') }")
    assert sorted(loaded_from_elsewhere(tmp_path)) == [
        "//c.example/c.css",
        "https://b.example/b.png",
        "url('https://d.example/d.woff",
    ]
    assert list(missing_pictures(tmp_path)) == ["page.html loads own.js"]
