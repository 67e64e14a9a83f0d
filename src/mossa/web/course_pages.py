"""The pages of a course as HTML: standings for everybody, a student's own page, the teacher's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from mossa.course import Opponent, Overview, Played, RatingPoint, Row, Student, Version
from mossa.games import PRESETS
from mossa.quantities import counted
from mossa.web.course_plots import curve, error_bar, spark
from mossa.web.states import analysis_query

_STATES = {
    "open": ("good", "open"),
    "paused": ("doubt", "paused"),
    "closed": ("", "closed"),
    "final": ("busy", "final tournament"),
    "finished": ("", "finished"),
}
_BADGES = {
    "waiting": ("busy", "waiting"),
    "testing": ("busy", "being tested"),
    "current": ("good", "on the ladder"),
    "failed": ("bad", "not accepted"),
    "replaced": ("", "replaced"),
    "skipped": ("", "skipped"),
}
_MEGABYTE = 1 << 20
_SPARK = 40
"""Points of the history in a row of the standings."""
_USUAL = {spec: name for name, spec in PRESETS.items()}
"""Boards by the names that people use."""


@dataclass(frozen=True)
class Person:
    """Whom a page is for."""

    student: Student | None = None
    teacher: bool = False


@dataclass(frozen=True)
class Work:
    """What a student's page shows."""

    student: Student
    row: Row | None
    """On the ladder, if there."""
    versions: Sequence[Version]
    """Newest first."""
    chosen: Version | None
    """The one that is shown in full."""
    history: Sequence[RatingPoint]
    games: Sequence[Played]
    opponents: Sequence[Opponent]
    older: int | None
    """Of these games the oldest, if there are more."""


def _sheet(title: str, person: Person, parts: Iterable[str]) -> str:
    return (
        f'<div class="sheet" data-title="{escape(title)}" data-links="{escape(_links(person))}">'
        f"{''.join(parts)}</div>"
    )


def _links(person: Person) -> str:
    """Return which pages there are for somebody."""
    pages = [("/course", "Standings")]
    if person.teacher:
        pages.append(("/course/teacher", "Teacher"))
    if person.student is not None or not person.teacher:
        pages.append(("/course/me", "My player"))
    if person.student is not None or person.teacher:
        pages.append(("/", "Board"))
    return "".join(f'<a href="{path}">{text}</a>' for path, text in pages)


def _badge(look: tuple[str, str]) -> str:
    return f'<span class="badge {look[0]}">{escape(look[1])}</span>'


def _time(when: float) -> str:
    """Return a moment: in UTC, until the page says it as the clock of its reader has it."""
    moment = datetime.fromtimestamp(when, UTC)
    return f'<time datetime="{moment:%Y-%m-%dT%H:%M:%SZ}">{moment:%Y-%m-%d %H:%M} UTC</time>'


def _tiles(tiles: Iterable[tuple[str, str]]) -> str:
    found = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles)
    return f'<dl class="tiles">{found}</dl>'


def _rating(row: Row) -> str:
    return f"{row.elo:.0f} <small>± {row.error:.0f}</small>".replace("-", "−")  # noqa: RUF001


def _results(row: Row | Opponent) -> str:
    return f"+{row.wins} ={row.draws} −{row.losses}"  # noqa: RUF001


def _headline(overview: Overview, title: str) -> str:
    closes = ""
    if overview.closes is not None:
        word = "Closed" if overview.state in ("closed", "finished") else "Closes"
        closes = f"<p><b>{word} {_time(overview.closes)}</b></p>"
    # That all is as usual need not be said beside a name.
    quiet = overview.state == "open" and title != overview.title
    boards = ", ".join(_USUAL.get(name, name) for name in overview.boards)
    return (
        f'<div class="headline"><h1>{escape(title)}</h1>'
        f"{'' if quiet else _badge(_STATES[overview.state])}"
        f"<p>{escape(boards)} · {escape(overview.conditions)}</p>{closes}</div>"
    )


# ---------------------------------------------------------------- standings


def standings_page(overview: Overview, rows: Sequence[Row], final: Sequence[Any]) -> str:
    """Return how everybody stands; `for_person` makes it the page of one of them."""
    played = f"{counted(overview.games, 'game')} played"
    waits = f", {counted(overview.waiting, 'version')} to be tested" if overview.waiting else ""
    parts = [
        _headline(overview, overview.title),
        _final(final),
        '<section class="box wide" tabindex="0" aria-label="Standings"><h2>Standings</h2>',
        _ladder(rows) if rows else "<p>Nobody is on the ladder yet.</p>",
        f'<p class="muted">{played}{waits}. The rating is in points of Elo; with its error it '
        "holds the true strength in 95 of 100 cases. This page keeps itself up to date.</p>",
        "</section>",
    ]
    return _sheet(f"standings of {overview.title}", Person(), parts)


def for_person(page: str, person: Person) -> str:
    """Return the standings as somebody sees them: made once, and changed for each."""
    page = page.replace(escape(_links(Person())), escape(_links(person)), 1)
    if person.student is not None:
        me = f'<tr id="s{person.student.id}" class="'
        page = page.replace(me, f"{me}me ", 1)
        page = page.replace(_you(person.student.id), " (you)", 1)
    return page


def _you(student: int) -> str:
    """Return where a page says that this is its reader."""
    return f"<!--{student}-->"


def _ladder(rows: Sequence[Row]) -> str:
    ends = min(row.elo - row.error for row in rows), max(row.elo + row.error for row in rows)
    body = "".join(_ladder_row(row, ends) for row in rows)
    return (
        '<table class="ladder"><thead><tr><th scope="col" class="place">#</th>'
        '<th scope="col" class="name">Player</th><th scope="col">Rating</th>'
        '<th scope="col" class="range wide-only">95 %</th><th scope="col">Games</th>'
        '<th scope="col" class="wide-only">Won, drawn, lost</th><th scope="col">History</th></tr>'
        f"</thead><tbody>{body}</tbody></table>"
    )


def _ladder_row(row: Row, ends: tuple[float, float]) -> str:
    note = "one of ours" if row.is_rival else f"version {row.version}"
    step = 1 + len(row.history) // _SPARK
    return (
        f'<tr id="s{row.student}" class="{"ours" if row.is_rival else ""}">'
        f'<td class="place">{row.rank}</td><th scope="row" class="name">{escape(row.name)}'
        f"{_you(row.student)} <small>{note}</small></th>"
        f'<td class="rating">{_rating(row)}</td><td class="range wide-only">'
        f"{error_bar(row.elo, row.elo - row.error, row.elo + row.error, ends)}</td>"
        f'<td>{row.games}</td><td class="wide-only">{_results(row)}</td>'
        f"<td>{spark([value for _, value in row.history][::-step][::-1])}</td></tr>"
    )


def _final(rows: Sequence[Any]) -> str:
    if not rows:
        return ""
    body = "".join(
        f'<tr><td class="place">{place}</td><th scope="row" class="name">{escape(row["player"])}'
        f"</th><td>{row['points']:g}</td><td>{row['games']}</td>"
        f"<td>+{row['wins']} ={row['draws']} −{row['losses']}</td></tr>"  # noqa: RUF001
        for place, row in enumerate(rows, 1)
    )
    return (
        '<section class="box wide" tabindex="0" aria-label="Final tournament">'
        '<h2>Final tournament</h2><table class="ladder"><thead><tr><th scope="col" class="place">#'
        '</th><th scope="col" class="name">Player</th><th scope="col">Points</th>'
        '<th scope="col">Games</th><th scope="col">Won, drawn, lost</th></tr></thead>'
        f"<tbody>{body}</tbody></table></section>"
    )


# ---------------------------------------------------------------- a student


def student_page(overview: Overview, work: Work, person: Person) -> str:
    """Return the page of a student: for the student, or for the teacher."""
    student = work.student
    out = student.disqualified
    parts = [
        _headline(overview, student.name),
        "" if out is None else f'<p class="failed">Disqualified: {escape(out)}</p>',
        _summary(work, overview),
        "" if person.teacher or out is not None else _upload(overview),
        _chosen(work, person),
        _versions(work),
        _history(work),
        _games(work),
        _opponents(work.opponents),
    ]
    return _sheet(student.name, person, parts)


def _summary(work: Work, overview: Overview) -> str:
    row, chosen = work.row, work.chosen
    tiles = []
    if row is not None:
        tiles += [
            ("Rating", _rating(row)),
            ("Rank", f"{row.rank} <small>of {overview.on_ladder}</small>"),
            ("Games", f"{row.games} <small>{_results(row)}</small>"),
        ]
    graded = next((each for each in work.versions if each.grade is not None), None)
    if graded is not None and graded.grade is not None:
        possible = graded.grade["possible"]
        tiles.append(("Grade", f"{graded.grade['points']:g} <small>of {possible:g}</small>"))
    if chosen is not None and chosen.judged:
        tiles.append(
            (
                "Good moves",
                f"{chosen.kept / chosen.judged:.0%} <small>of {chosen.judged:,}</small>",
            )
        )
    return _tiles(tiles) if tiles else ""


def _upload(overview: Overview) -> str:
    if overview.state in ("closed", "finished", "final"):
        return '<p class="muted">The course is closed: nothing can be handed in any more.</p>'
    most = f"{overview.upload_limit / _MEGABYTE:g} MB"
    return (
        f'<form class="upload" data-most="{overview.upload_limit}" data-most-text="{most}">'
        '<h2>Hand in a version</h2><label for="file">Drop a file here, or choose one: a single '
        f"file or a zip, at most {most}.</label>"
        '<input type="file" name="file" id="file"><progress hidden aria-label="Upload" value="0" '
        'max="1"></progress><p class="muted">It is tested at once. Your last version plays on '
        "until the new one has passed.</p></form>"
    )


def _stages(version: Version) -> str:
    """Return how far a version has come."""
    names = ["Handed in", "Tested", "On the ladder"]
    reached = {"waiting": 1, "testing": 1, "failed": 1, "skipped": 1}.get(version.state, 3)
    looks = ["done" if at < reached else "" for at in range(len(names))]
    if version.state in ("waiting", "testing"):
        looks[1] = "now"
    elif version.state in ("failed", "skipped"):
        looks[1] = "failed"
    steps = "".join(
        f'<li class="{look}"{" aria-current=step" if look == "now" else ""}>{name}</li>'
        for name, look in zip(names, looks, strict=True)
    )
    return f'<ol class="stages">{steps}</ol>'


def _chosen(work: Work, person: Person) -> str:
    version = work.chosen
    if version is None:
        told = "has" if person.teacher else "have"
        who = "The student" if person.teacher else "You"
        return f'<p class="muted">{who} {told} not handed in anything yet.</p>'
    missed = [each for each in version.checks if not each["passed"]]
    parts = [
        '<section class="box version" id="version"><div class="headline">',
        f"<h2>Version {version.number}</h2>{_badge(_BADGES[version.state])}</div>",
        _stages(version),
        f'<p class="told" role="status">{escape(version.told)}</p>',
        _checks("What is wrong", missed) if missed else "",
        _grade(version.grade),
        _accuracy(version),
    ]
    if version.log:
        parts.append(
            f'<details id="log{version.number}" {"open" if version.state == "failed" else ""}>'
            "<summary>Build log</summary>"
            f'<pre class="log" tabindex="0">{escape(version.log)}</pre></details>'
        )
    passed = [each for each in version.checks if each["passed"]]
    if passed:
        parts.append(
            f'<details id="passed{version.number}"><summary>{counted(len(passed), "check")} passed'
            f"</summary>{_checks('', passed)}</details>"
        )
    if person.teacher:
        path = f"/api/course/students/{work.student.id}/versions/{version.number}/file"
        parts.append(
            f'<div class="buttons small"><a href="{path}" download>Download {escape(version.file)}'
            "</a></div>"
        )
    return "".join([*parts, "</section>"])


_NO_REASON = " <small>(no reason to refuse it)</small>"


def _checks(title: str, checks: Iterable[dict[str, Any]]) -> str:
    rows = "".join(
        f'<li class="{"passed" if each["passed"] else "missed"}"><b>{escape(each["name"])}</b>: '
        f"{escape(each['detail'])}"
        f"{'' if each['passed'] or each['required'] else _NO_REASON}"
        "</li>"
        for each in checks
    )
    head = f"<h3>{title}</h3>" if title else ""
    return f'{head}<ul class="checklist">{rows}</ul>'


def _grade(grade: dict[str, Any] | None) -> str:
    if grade is None:
        return ""
    rows = "".join(
        f'<li class="{"passed" if each["passed"] else "missed"}"><b>{escape(each["name"])}</b>: '
        f"{escape(each['detail'])} <small>{each['points']:g} "
        f"{'point' if each['points'] == 1 else 'points'}</small></li>"
        for each in grade["exercises"]
    )
    return (
        f"<h3>Grade: {grade['points']:g} of {grade['possible']:g} points</h3>"
        f'<ul class="checklist">{rows}</ul>'
    )


def _accuracy(version: Version) -> str:
    if not version.judged:
        return ""
    faults = version.judged - version.kept
    given = f"; a mistake cost {version.lost / faults:.2g} on average" if faults else ""
    return (
        f'<p class="muted">Judged against perfect play: {version.kept:,} of {version.judged:,} '
        f"moves kept the value of the game{given}.</p>"
    )


def _versions(work: Work) -> str:
    if len(work.versions) < 2:
        return ""
    rows = "".join(
        f'<tr id="v{each.number}"{_is_chosen(each, work)}><th scope="row" class="name">'
        f'<a href="?version={each.number}">Version {each.number}</a> '
        f"<small>{escape(each.file)}</small></th>"
        f'<td class="text">{_badge(_BADGES[each.state])}</td>'
        f'<td>{_points(each)}</td><td class="wide-only">{_time(each.uploaded)}</td></tr>'
        for each in work.versions
    )
    return (
        '<section class="box wide" tabindex="0" aria-label="Versions"><h2>Versions</h2>'
        '<table class="ladder"><thead><tr><th scope="col" class="name">Version</th>'
        '<th scope="col" class="name">State</th><th scope="col">Points</th>'
        '<th scope="col" class="wide-only">Handed in</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _is_chosen(version: Version, work: Work) -> str:
    same = work.chosen is not None and version.id == work.chosen.id
    return ' class="me" aria-current="true"' if same else ""


def _points(version: Version) -> str:
    grade = version.grade
    return "" if grade is None else f"{grade['points']:g} of {grade['possible']:g}"


def _history(work: Work) -> str:
    points = work.history
    if len(points) < 2:
        return ""
    numbers = {each.id: each.number for each in work.versions}
    marks: list[tuple[int, str]] = []
    last = None
    for at, point in enumerate(points):
        if point.version != last:
            marks.append((at, f"v{numbers.get(point.version, '?')}"))
        last = point.version
    drawn = curve(
        [(each.elo, each.elo - each.error, each.elo + each.error) for each in points],
        marks,
        f"Rating from {points[0].elo:.0f} to {points[-1].elo:.0f}, "
        f"with {counted(len(marks), 'version')}",
    )
    return f'<section class="box"><h2>Rating</h2>{drawn}</section>'


_OUTCOMES = {"won": "Won", "drawn": "Drawn", "lost": "Lost", "not played": "Not played"}
_LOOKS = {"won": "won", "drawn": "drawn", "lost": "lost"}


def _games(work: Work) -> str:
    if not work.games:
        return ""
    rows = "".join(_game(each) for each in work.games)
    more = "" if work.older is None else f'<p><a href="?before={work.older}">Older games</a></p>'
    return f'<section class="box"><h2>Games</h2><ul class="results">{rows}</ul>{more}</section>'


def _game(game: Played) -> str:
    query = analysis_query(game.game, game.moves, opening=game.opening_length, side=game.side)
    accuracy = "" if game.accuracy is None else f" · {game.accuracy:.0%} good moves"
    lesson = ""
    if game.mistake:
        at = "" if game.mistake_ply is None else f"&at={game.mistake_ply}"
        lesson = (
            f'<p class="lesson wrong"><a href="/analyse?{escape(query + at)}">'
            f"{escape(game.mistake[:1].upper() + game.mistake[1:])}</a></p>"
        )
    elif game.outcome == "lost" and not game.forfeited:
        told = (
            "No mistake was found." if game.reviewed else "The review of this game is on its way."
        )
        lesson = f'<p class="lesson">{told}</p>'
    return (
        f'<li id="g{game.id}"><span class="{_LOOKS.get(game.outcome, "drawn")}">'
        f"{_OUTCOMES[game.outcome]}</span><span>against <b>{escape(game.opponent)}</b> "
        f"<small>{escape(_USUAL.get(game.game, game.game))}, as {game.side} · {escape(game.end)}"
        f" · version {game.version}{accuracy}</small></span>"
        f'<a href="/analyse?{escape(query)}" aria-label="Open game {game.id}">Open</a>{lesson}</li>'
    )


def _opponents(rows: Sequence[Opponent]) -> str:
    if not rows:
        return ""
    body = "".join(
        f'<tr id="o{row.student}"><th scope="row" class="name">{escape(row.name)}</th>'
        f"<td>{row.games}</td><td>{_results(row)}</td></tr>"
        for row in rows
    )
    return (
        '<section class="box wide" tabindex="0" aria-label="Opponents"><h2>Opponents</h2>'
        '<table class="ladder"><thead><tr><th scope="col" class="name">Player</th>'
        '<th scope="col">Games</th><th scope="col">Won, drawn, lost</th></tr></thead>'
        f"<tbody>{body}</tbody></table></section>"
    )


# ---------------------------------------------------------------- the teacher


def teacher_page(
    overview: Overview,
    students: Sequence[Student],
    latest: dict[int, Version],
    rows: Sequence[Row],
    notes: Sequence[tuple[float, str]],
    person: Person,
) -> str:
    """Return all of a course, and what can be done about it."""
    places = {row.student: row for row in rows}
    roster = "".join(_roster_row(each, latest.get(each.id), places) for each in students)
    table = (
        '<table class="ladder roster"><thead><tr><th scope="col" class="name">Student</th>'
        '<th scope="col">Rating</th><th scope="col" class="name">Last version</th>'
        '<th scope="col">Grade</th><th scope="col">Actions</th></tr></thead>'
        f"<tbody>{roster}</tbody></table>"
    )
    parts = [
        _headline(overview, overview.title),
        _tiles(
            [
                ("Students", str(overview.students)),
                ("On the ladder", str(overview.on_ladder)),
                ("To be tested", str(overview.waiting)),
                ("Games played", f"{overview.games:,}"),
            ]
        ),
        _control(overview),
        '<section class="box wide" tabindex="0" aria-label="Students"><h2>Students</h2>',
        table if students else "<p>There are no students yet.</p>",
        "</section>",
        _ADD,
        _notes(notes),
    ]
    return _sheet(f"teacher of {overview.title}", person, parts)


def _order(path: str, text: str, *, look: str = "", label: str = "", **asked: str) -> str:
    """Return a button that has the server do something, perhaps after a question."""
    more = "".join(f' data-{name}="{escape(value)}"' for name, value in asked.items() if value)
    name = f' aria-label="{escape(label)}"' if label else ""
    return (
        f'<button type="button" id="{escape(path.replace("/", "-"))}" class="{look}" '
        f'data-order="{escape(path)}"{more}{name}>{text}</button>'
    )


def _control(overview: Overview) -> str:
    if overview.state == "paused":
        pause = _order("resume", "Resume the ladder", look="primary")
    else:
        pause = _order("pause", "Pause the ladder")
    sure = (
        "Start the final tournament with the versions that are on the ladder now? "
        "The ladder stands still meanwhile."
    )
    final = "" if overview.state == "final" else _order("final", "Start the final", sure=sure)
    look = ("good", "at work") if overview.alive else ("bad", "not running")
    doing = f"The driver {escape(overview.driver)}."
    rests = " All have met often enough: the ladder rests." if overview.resting else ""
    return (
        f'<section class="box"><h2>Ladder</h2><div class="control">{_badge(look)}'
        f'<span class="muted">{doing}{rests}</span><div class="buttons spaced">{pause}{final}'
        '<a href="/api/course/grades.csv" download>Grades (CSV)</a>'
        '<a href="/api/course/grades.xml" download>Grades (JUnit)</a></div></div></section>'
    )


def _roster_row(student: Student, version: Version | None, places: dict[int, Row]) -> str:
    row = places.get(student.id)
    path, name = f"students/{student.id}", student.name
    contact = f"<br><small>{escape(student.contact)}</small>" if student.contact else ""
    rating = "" if row is None else f"{_rating(row)} <small>#{row.rank}</small>"
    state, points, again = "", "", ""
    if version is not None:
        state = f"{_badge(_BADGES[version.state])} <small>version {version.number}</small>"
        points = _points(version)
        again = _order(f"{path}/rerun", "Test again", label=f"Test {name}'s last version again")
    if student.disqualified is None:
        reason = f"Why is {name} disqualified? The student will read this."
        out = _order(
            f"{path}/disqualify", "Disqualify", label=f"Disqualify {name}", look="danger",
            reason=reason,
        )  # fmt: skip
    else:
        state = _badge(("bad", "disqualified"))
        out = _order(f"{path}/readmit", "Readmit", label=f"Readmit {name}")
    sure = f"Make a new link for {name}? The old one will stop working."
    link = _order(f"{path}/link", "New link", label=f"New link for {name}", sure=sure)
    return (
        f'<tr id="s{student.id}"><th scope="row" class="name">'
        f'<a href="/course/teacher/{student.id}">{escape(name)}</a>{contact}</th>'
        f'<td class="rating">{rating}</td><td class="text">{state}</td><td>{points}</td>'
        f'<td class="actions"><div class="buttons small">{link}{again}{out}</div></td></tr>'
    )


_ADD = (
    '<section class="box"><h2>Add students</h2><form class="join"><label>A CSV file: a name on '
    "each line, and perhaps an e-mail address "
    '<input type="file" name="file" accept=".csv,.txt,text/csv"></label>'
    '<label>or the lines themselves <textarea name="list" rows="3" spellcheck="false" '
    'placeholder="Ada Lovelace,ada@example.org"></textarea></label><div class="buttons">'
    '<button class="primary">Add</button></div><p class="muted">You get a file with a personal '
    "link for each of them. Nobody can read the links later, so keep it; a lost link is replaced "
    "by a new one.</p></form></section>"
)


def _notes(notes: Sequence[tuple[float, str]]) -> str:
    if not notes:
        return ""
    rows = "".join(f"<li><small>{_time(when)}</small> {escape(text)}</li>" for when, text in notes)
    return f'<section class="box"><h2>What happened</h2><ul class="past">{rows}</ul></section>'
