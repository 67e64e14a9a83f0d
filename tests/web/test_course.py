"""The server of a course: who sees what, who may do what, and what is handed in."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from course_data import BOT, School, examined, found, hand_in, lively
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from mossa.course import Course
from mossa.web.course import Tables
from mossa.web.course_app import create_course_app, serve_course

Serve = Callable[[Course], TestClient]
HOME = "http://class.example:8000"
ADA, BLAISE, CARL = "Ada Lovelace", "Blaise Pascal", "Carl Gauss"
SUBMIT = "/api/course/submissions"
NOT_A_STUDENT = "this page is for a student: open your personal link"
NOT_THE_TEACHER = "only the teacher may see or do this: open the teacher's link"


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    school = lively(tmp_path / "course")
    yield school
    school.course.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """One application for all courses of these tests: to make one takes longer than a test."""
    course, _ = Course.create(tmp_path_factory.mktemp("board") / "course")
    app = create_course_app(course)
    with TestClient(app, base_url=HOME) as client:

        def serve(course: Course) -> TestClient:
            serve_course(app, course)
            client.cookies.clear()
            return client

        yield serve
    course.close()


@pytest.fixture
def client(school: School, served: Serve) -> TestClient:
    return served(school.course)


def shows(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def error(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def test_a_disk_without_room_is_told(
    school: School, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    answer = client.put(
        SUBMIT, params={"name": "bot.py"}, content=BOT, headers=shows(school.secrets[ADA])
    )
    status, told = error(answer)
    assert status == 507
    assert "almost full" in told


# ---------------------------------------------------------------- tables


def test_a_table_is_made_once_for_all_who_wait(school: School) -> None:
    """Regression: a hundred readers of a page that had changed made it a hundred times."""
    tables, count = Tables(school.course), 4
    asked, made, got = threading.Barrier(count), list[str](), list[str]()
    another = threading.Event()

    def make() -> str:
        if made:
            another.set()
        made.append("table")
        another.wait(0.2)  # time for the others to come, if they can
        return "table"

    def ask() -> None:
        asked.wait(30)
        got.append(tables.get("key", make))

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert got == ["table"] * count
    assert made == ["table"]


def test_a_table_that_fails_leaves_nothing_and_one_made_before_a_change_is_not_kept(
    school: School,
) -> None:
    tables = Tables(school.course)
    with pytest.raises(ZeroDivisionError):
        tables.get("key", lambda: 1 // 0)
    assert not tables._making

    def slow() -> str:
        tables.forget()  # somebody changes something meanwhile
        return "old"

    assert tables.get("key", slow) == "old"
    assert tables.get("key", lambda: "new") == "new"


# ---------------------------------------------------------------- links


@pytest.mark.parametrize("address", ["https://ladder.example.org", "http://class.example:8000"])
def test_a_cookie_of_a_course_with_tls_stays_on_it(
    tmp_path: Path, served: Serve, address: str
) -> None:
    """Regression: a browser would have sent the secret over plain HTTP, too."""
    school = found(tmp_path / "course", plan=f'address = "{address}"')
    client = served(school.course)
    entered = client.post("/api/course/session", json={"secret": school.secrets[ADA]})
    left = client.delete("/api/course/session")
    for answer in (entered, left):
        assert ("Secure" in answer.headers["set-cookie"]) is address.startswith("https:")
    school.course.close()


def test_a_personal_link_becomes_a_cookie_that_no_program_reads(
    school: School, client: TestClient
) -> None:
    assert client.get("/pages/course/me").status_code == 403
    answer = client.post("/api/course/session", json={"secret": school.secrets[ADA]})
    assert answer.json() == {"role": "student"}
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    page = client.get("/pages/course/me")
    assert page.status_code == 200
    assert "Ada Lovelace" in page.text
    client.delete("/api/course/session")
    assert client.get("/pages/course/me").status_code == 403


def test_one_browser_may_be_teacher_and_student(school: School, client: TestClient) -> None:
    for secret in (school.secrets[ADA], school.teacher):
        client.post("/api/course/session", json={"secret": secret})
    assert client.get("/pages/course/me").status_code == 200
    assert client.get("/pages/course/teacher").status_code == 200


def test_two_courses_on_one_machine_are_not_mixed_up(
    school: School, served: Serve, tmp_path: Path
) -> None:
    """Browsers send cookies of one port to another."""
    client = served(school.course)
    client.post("/api/course/session", json={"secret": school.secrets[ADA]})
    cookies = dict(client.cookies)
    other = found(tmp_path / "other", plan="rivals = []")
    client = served(other.course)
    client.cookies.update(cookies)
    assert client.get("/pages/course/me").status_code == 403
    client.post("/api/course/session", json={"secret": other.secrets[BLAISE]})
    assert len(set(client.cookies)) == 2
    serve_course(client.app, school.course)  # type: ignore[arg-type]
    assert ADA in client.get("/pages/course/me").text


def test_a_guessed_secret_opens_nothing(school: School, client: TestClient) -> None:
    right = school.secrets[ADA]
    guesses = [right[:-1], right + "x", right.swapcase(), "x", "ä" * 20, "0" * 200, "' OR 1=1 --"]
    for guess in guesses:
        answer = client.post("/api/course/session", json={"secret": guess})
        assert error(answer)[0] == 403, guess
        assert "set-cookie" not in answer.headers
        header = {b"authorization": b"Bearer " + guess.encode()}
        assert client.get("/pages/course/me", headers=header).status_code == 403
        assert client.put(f"{SUBMIT}?name=a.py", content=BOT, headers=header).status_code == 403
    for empty in ("", " "):
        assert client.get("/pages/course/me", headers=shows(empty)).status_code == 403
    assert len(school.course.versions(school.students[ADA].id)) == 2


def test_a_new_link_ends_the_old_one(school: School, client: TestClient) -> None:
    number = school.students[ADA].id
    path = f"/api/course/students/{number}/link"
    old = school.secrets[ADA]
    answer = client.post(path, json={}, headers={**shows(school.teacher), "origin": HOME})
    made = answer.json()
    assert made["link"].startswith(f"{HOME}/course/me#")  # where the teacher is, others can be
    assert made["code"].startswith("<svg")
    assert client.get("/pages/course/me", headers=shows(old)).status_code == 403
    new = made["link"].partition("#")[2]
    assert client.get("/pages/course/me", headers=shows(new)).status_code == 200


def test_no_secret_is_in_a_page_or_in_the_file(school: School, client: TestClient) -> None:
    pages = [
        client.get("/pages/course/standings"),
        client.get("/pages/course/me", headers=shows(school.secrets[ADA])),
        client.get("/pages/course/teacher", headers=shows(school.teacher)),
    ]
    secrets = [school.teacher, *school.secrets.values()]
    for page in pages:
        assert page.status_code == 200
        assert not [secret for secret in secrets if secret in page.text]
    content = (school.course.folder / "course.db").read_bytes()
    content += (school.course.folder / "course.db-wal").read_bytes()
    assert b"ada@example.org" in content
    assert not [secret for secret in secrets if secret.encode() in content]


# ---------------------------------------------------------------- what others see


def test_the_standings_are_for_everybody(client: TestClient) -> None:
    page = client.get("/pages/course/standings").text
    assert "Ada Lovelace" in page
    assert "120 <small>± 25</small>" in page
    assert "(you)" not in page
    for private in ("ada@example.org", "retrun", "does not compile", "download", "Disqualify"):
        assert private not in page
    data = client.get("/api/course/standings").json()
    assert [row["name"] for row in data["standings"]] == [ADA, BLAISE]
    assert "contact" not in str(data)


def test_a_private_ladder_shows_names_to_people_of_the_course_alone(
    tmp_path: Path, served: Serve
) -> None:
    school = found(tmp_path / "course", plan="public = false")
    client = served(school.course)
    for path in ("/pages/course/standings", "/api/course/standings"):
        answer = client.get(path)
        assert error(answer) == (
            403,
            "this ladder is for people of the course: open your personal link",
        )
        assert client.get(path, headers=shows("x" * 40)).status_code == 403
        for secret in (school.secrets[ADA], school.teacher):
            assert client.get(path, headers=shows(secret)).status_code == 200
    school.course.close()


def test_students_know_themselves_on_the_standings(school: School, client: TestClient) -> None:
    page = client.get("/pages/course/standings", headers=shows(school.secrets[BLAISE])).text
    assert "Blaise Pascal (you)" in page
    assert "Ada Lovelace (you)" not in page


def test_students_see_neither_code_nor_logs_of_others(school: School, client: TestClient) -> None:
    own = client.get("/pages/course/me", headers=shows(school.secrets[BLAISE])).text
    assert "retrun" in own
    assert "It answered move 9, which is not a column." in own
    for each in (ADA, CARL):
        page = client.get("/pages/course/me", headers=shows(school.secrets[each])).text
        assert "retrun" not in page
        assert "bot.c" not in page
    mine = client.get("/api/course/versions/2", headers=shows(school.secrets[ADA])).json()
    assert mine["file"] == "player.zip.py"  # the number counts one's own versions
    other = client.get("/api/course/versions/2", headers=shows(school.secrets[CARL]))
    assert error(other) == (404, "there is no version 2")


def teachers_requests(number: int) -> list[tuple[str, str, dict[str, Any] | None]]:
    student = f"/api/course/students/{number}"
    return [
        ("GET", "/pages/course/teacher", None),
        ("GET", f"/pages/course/teacher/{number}", None),
        ("GET", "/api/course/grades.csv", None),
        ("GET", "/api/course/grades.xml", None),
        ("GET", f"{student}/versions/1/file", None),
        ("POST", "/api/course/students", {"list": "Eve"}),
        ("POST", f"{student}/link", {}),
        ("POST", f"{student}/disqualify", {"reason": "why not"}),
        ("POST", f"{student}/readmit", {}),
        ("POST", "/api/course/pause", {}),
        ("POST", "/api/course/resume", {}),
        ("POST", "/api/course/final", {}),
        ("POST", f"{student}/rerun", {}),
        ("GET", "/api/tournaments", None),
    ]


@pytest.mark.parametrize("who", ["nobody", ADA, BLAISE])
def test_only_the_teacher_does_what_the_teacher_does(
    school: School, client: TestClient, who: str
) -> None:
    headers = {} if who == "nobody" else shows(school.secrets[who])
    before = school.course.changed()
    for method, path, body in teachers_requests(school.students[ADA].id):
        answer = client.request(method, path, json=body, headers=headers)
        assert answer.status_code == 403, path
        assert error(answer)[1] == NOT_THE_TEACHER or path == "/api/tournaments"
    assert school.course.changed() == before
    assert not school.course.is_paused


def test_the_teacher_does_all_of_it(school: School, client: TestClient) -> None:
    for method, path, body in teachers_requests(school.students[ADA].id):
        answer = client.request(method, path, json=body, headers=shows(school.teacher))
        assert answer.status_code == 200, (path, answer.text)


def test_a_teacher_is_no_student(school: School, client: TestClient) -> None:
    for path in ("/pages/course/me", "/api/course/versions", "/api/course/versions/1"):
        assert error(client.get(path, headers=shows(school.teacher))) == (403, NOT_A_STUDENT)
    refused = client.put(f"{SUBMIT}?name=a.py", content=BOT, headers=shows(school.teacher))
    assert error(refused) == (403, NOT_A_STUDENT)


@pytest.mark.parametrize("number", ["99", "0", "-1", "x", "1e3", str(2**70)])
def test_who_does_not_exist_is_not_found(school: School, client: TestClient, number: str) -> None:
    headers = shows(school.teacher)
    for path in (f"/pages/course/teacher/{number}", f"/api/course/students/{number}/rerun"):
        method = "GET" if "pages" in path else "POST"
        answer = client.request(method, path, json=None if method == "GET" else {}, headers=headers)
        assert answer.status_code in (404, 422)
        assert len(error(answer)[1].splitlines()) == 1


# ---------------------------------------------------------------- other sites


def test_requests_of_other_sites_are_refused(school: School, client: TestClient) -> None:
    client.post("/api/course/session", json={"secret": school.teacher})
    client.post("/api/course/session", json={"secret": school.secrets[ADA]})
    for origin in ("http://evil.example", "null", HOME.replace("8000", "8001")):
        headers = {"origin": origin}
        for method, path in (("POST", "/api/course/pause"), ("PUT", f"{SUBMIT}?name=a.py")):
            answer = client.request(method, path, content=b"{}", headers=headers)
            assert error(answer) == (403, "requests from other sites are refused")
    assert not school.course.is_paused
    same = {"origin": HOME, "content-type": "application/json"}
    assert client.post("/api/course/pause", content=b"{}", headers=same).status_code == 200


def test_a_form_of_another_site_is_no_order(school: School, client: TestClient) -> None:
    """A browser sends forms without asking; they cannot be JSON."""
    client.post("/api/course/session", json={"secret": school.teacher})
    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = client.post("/api/course/pause", content=b"a=b", headers=form)
    assert answer.status_code == 422
    assert not school.course.is_paused


# ---------------------------------------------------------------- the board


def test_the_board_is_for_people_of_the_course(school: School, client: TestClient) -> None:
    for path in ("/", "/analyse", "/puzzles", "/api/openapi.json", "/docs"):
        assert client.get(path).status_code == 403, path
        assert client.get(path, headers=shows(school.secrets[ADA])).status_code == 200, path
    refused = client.post("/api/games", json={"game": "connect4"})
    assert error(refused)[1].startswith("the board is for people of this course")
    begun = client.post("/api/games", json={"game": "connect4"}, headers=shows(school.secrets[ADA]))
    assert begun.status_code == 201
    page = client.get("/", headers=shows(school.secrets[ADA])).text
    assert 'href="/course"' in page


def test_the_socket_is_for_people_of_the_course(school: School, client: TestClient) -> None:
    live = HOME.replace("http", "ws") + "/api/live"
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(live, headers={"origin": HOME}),
    ):
        pass
    assert "people of this course" in refused.value.reason
    headers = {"origin": HOME, **shows(school.secrets[ADA])}
    with client.websocket_connect(live, headers=headers) as socket:
        position = {"game": "tictactoe", "moves": ""}
        socket.send_json({"request": 1, "do": "analyse", "position": position})
        assert socket.receive_json()["request"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_searches_of_the_board_stand_back_behind_the_ladder(client: TestClient) -> None:
    app: Any = client.app
    for searches in (app.state.desk.moves, app.state.desk.analyses):
        own = searches._pool.submit(
            lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        )
        assert own.result() == max(15, os.getpriority(os.PRIO_PROCESS, 0))


def test_static_files_stay_in_their_folder(client: TestClient) -> None:
    assert client.get("/static/course.js").status_code == 200
    for path in ("/static/..%2Fcourse.py", "/static/course.db", "/course/../api/games"):
        assert client.get(path).status_code in (403, 404)


# ---------------------------------------------------------------- handing in


def test_a_file_is_handed_in(school: School, client: TestClient) -> None:
    headers = shows(school.secrets[CARL])
    answer = client.put(f"{SUBMIT}?name=bot%20two.py", content=BOT, headers=headers)
    assert answer.status_code == 201
    assert answer.json()["version"] == 2
    assert answer.json()["state"] == "waiting"
    assert answer.json()["told"] == "Version 2 has arrived; tests follow."
    seen = client.get("/api/course/versions", headers=headers).json()["versions"]
    assert [(each["version"], each["state"]) for each in seen] == [(2, "waiting"), (1, "skipped")]
    kept = school.course.version(school.students[CARL].id, 2)
    assert kept.file == "bot two.py"
    assert school.course.uploaded_file(kept).read_bytes() == BOT


def test_a_verdict_is_told(school: School, client: TestClient) -> None:
    headers = shows(school.secrets[BLAISE])
    told = client.get("/api/course/versions/2", headers=headers).json()
    assert told["decided"]
    assert told["state"] == "failed"
    assert told["lines"][0] == "It does not compile."
    assert "Failed: legal moves: It answered move 9, which is not a column." in told["lines"]
    assert "retrun" in told["log"]


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("", BOT, "is no name for a file"),
        ("..", BOT, "is no name for a file"),
        ("a\nb.py", BOT, "is no name for a file"),
        ("bot.txt", b"hello", "is nothing that could play"),
        ("bot.py", b"", "the file is empty"),
        ("bot.zip", b"PK\x03\x04 but no zip", "the zip is damaged"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(
    school: School, client: TestClient, name: str, content: bytes, part: str
) -> None:
    answer = client.put(
        SUBMIT, params={"name": name}, content=content, headers=shows(school.secrets[ADA])
    )
    status, told = error(answer)
    assert status == 400
    assert part in told
    assert len(told.splitlines()) == 1
    assert len(school.course.versions(school.students[ADA].id)) == 2
    assert list((school.course.folder / "drafts").iterdir()) == []


def test_a_file_that_is_too_large_is_not_read(school: School, client: TestClient) -> None:
    """A gigabyte is refused by what its first line says."""
    headers = {**shows(school.secrets[ADA]), "content-length": str(1 << 30)}
    read = []

    def body() -> Iterator[bytes]:
        read.append(1)
        yield b"x"

    answer = client.put(f"{SUBMIT}?name=bot.zip", content=body(), headers=headers)
    assert error(answer) == (413, "the file is too large: at most 10 MB")
    assert len(read) <= 1


def test_a_file_that_does_not_say_how_large_it_is_is_counted(
    school: School, client: TestClient
) -> None:
    def body() -> Iterator[bytes]:
        for _ in range(12):
            yield bytes(1 << 20)

    headers = shows(school.secrets[ADA])
    answer = client.put(f"{SUBMIT}?name=bot.zip", content=body(), headers=headers)
    assert error(answer) == (413, "the file is too large: at most 10 MB")
    assert len(school.course.versions(school.students[ADA].id)) == 2
    assert list((school.course.folder / "drafts").iterdir()) == []
    # Whoever was refused may try again.
    assert client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=headers).status_code == 201


def test_other_requests_stay_small(school: School, client: TestClient) -> None:
    big = {"secret": "x" * 100_000}
    assert client.post("/api/course/session", json=big).status_code == 413
    big = {"list": "A\n" * (1 << 20)}
    refused = client.post("/api/course/students", json=big, headers=shows(school.teacher))
    assert refused.status_code == 413


def test_two_files_at_once_are_one_too_many(school: School, client: TestClient) -> None:
    headers = shows(school.secrets[ADA])
    with school.course.uploading(school.students[ADA].id):
        answer = client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=headers)
        assert error(answer)[0] == 409
        other = client.put(
            f"{SUBMIT}?name=b.py", content=BOT, headers=shows(school.secrets[BLAISE])
        )
        assert other.status_code == 201  # somebody else need not wait
    assert client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=headers).status_code == 201


def test_many_files_at_once_have_different_numbers(school: School, client: TestClient) -> None:
    statuses: list[int] = []

    def send() -> None:
        answer = client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=shows(school.secrets[ADA]))
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert set(statuses) <= {201, 409}
    numbers = [each.number for each in school.course.versions(school.students[ADA].id)]
    assert numbers == list(range(len(numbers), 0, -1))
    assert len(numbers) == 2 + statuses.count(201)


def test_nothing_is_handed_in_after_the_end(tmp_path: Path, served: Serve) -> None:
    school = found(tmp_path / "late", plan="closes = 2020-01-31T23:59:00+00:00")
    client = served(school.course)
    headers = shows(school.secrets[ADA])
    answer = client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=headers)
    status, told = error(answer)
    assert status == 403
    assert told.startswith("the course closed on")
    page = client.get("/pages/course/me", headers=headers).text
    assert "nothing can be handed in any more" in page
    assert 'type="file"' not in page
    assert ">closed</span>" in client.get("/pages/course/standings").text


def test_who_is_disqualified_hands_in_nothing(school: School, client: TestClient) -> None:
    number = school.students[ADA].id
    path, teacher = f"/api/course/students/{number}", shows(school.teacher)
    client.post(f"{path}/disqualify", json={"reason": "copied <b>code</b>"}, headers=teacher)
    headers = shows(school.secrets[ADA])
    answer = client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=headers)
    assert error(answer) == (403, "you are disqualified: copied <b>code</b>")
    page = client.get("/pages/course/me", headers=headers).text
    assert "Disqualified: copied &lt;b&gt;code&lt;/b&gt;" in page
    assert "Ada" not in client.get("/pages/course/standings").text
    client.post(f"{path}/readmit", json={}, headers=teacher)
    assert client.put(f"{SUBMIT}?name=b.py", content=BOT, headers=headers).status_code == 201


# ---------------------------------------------------------------- the teacher


def test_students_are_added_by_a_list(school: School, client: TestClient) -> None:
    sent = {"list": "name;contact\nEve;eve@example.org\nAda Lovelace;ada@example.org\n"}
    headers = {**shows(school.teacher), "origin": HOME}
    added = client.post("/api/course/students", json=sent, headers=headers).json()
    assert added["told"] == "1 student added, 1 in the course already."
    head, line = added["links"].splitlines()
    assert head == "name,contact,link"
    assert line.startswith(f"Eve,eve@example.org,{HOME}/course/me#")
    secret = line.partition("#")[2]
    assert "Eve" in client.get("/pages/course/me", headers=shows(secret)).text
    wrong = client.post(
        "/api/course/students", json={"list": "A,b,c,d\n,x\n"}, headers=shows(school.teacher)
    )
    assert error(wrong)[0] == 400
    assert "line 1" in error(wrong)[1]


def test_the_teacher_downloads_what_was_handed_in(school: School, client: TestClient) -> None:
    path = f"/api/course/students/{school.students[BLAISE].id}/versions/2/file"
    answer = client.get(path, headers=shows(school.teacher))
    assert answer.content == b"int main(void) { retrun 0; }"
    assert answer.headers["content-disposition"] == 'attachment; filename="bot.c"'
    assert answer.headers["content-type"] == "application/octet-stream"


def test_grades_are_exported(school: School, client: TestClient) -> None:
    table = client.get("/api/course/grades.csv", headers=shows(school.teacher))
    assert table.headers["content-disposition"] == 'attachment; filename="grades.csv"'
    assert "Ada Lovelace" in table.text
    junit = client.get("/api/course/grades.xml", headers=shows(school.teacher))
    assert junit.text.startswith("<?xml")


def test_the_ladder_is_paused_and_resumed(school: School, client: TestClient) -> None:
    teacher = shows(school.teacher)
    assert client.post("/api/course/pause", json={}, headers=teacher).status_code == 200
    assert ">paused</span>" in client.get("/pages/course/standings").text
    page = client.get("/pages/course/teacher", headers=teacher).text
    assert "Resume the ladder" in page
    client.post("/api/course/resume", json={}, headers=teacher)
    assert ">open</span>" in client.get("/pages/course/standings").text


def test_a_final_needs_two(tmp_path: Path, served: Serve) -> None:
    school = found(tmp_path / "lonely", plan="rivals = []")
    client = served(school.course)
    answer = client.post("/api/course/final", json={}, headers=shows(school.teacher))
    assert error(answer) == (
        400,
        "a final tournament needs two players, and there are fewer",
    )


# ---------------------------------------------------------------- pages


def test_a_page_that_has_not_changed_is_not_sent_again(school: School, client: TestClient) -> None:
    first = client.get("/pages/course/standings")
    again = {"if-none-match": first.headers["etag"]}
    assert client.get("/pages/course/standings", headers=again).status_code == 304
    examined(school, hand_in(school, CARL))
    client.app.state.tables.forget()  # type: ignore[attr-defined]  # no need to wait a second
    assert client.get("/pages/course/standings", headers=again).status_code == 200


def test_what_people_write_is_text(tmp_path: Path, served: Serve) -> None:
    evil = "<img src=x onerror=alert(1)>"
    school = found(tmp_path / "evil", people=f'"{evil}","{evil}"\n', plan="rivals = []")
    version = hand_in(school, evil, file=f"{evil}.py".replace("/", ""))
    examined(school, version, passed=False, told=evil, log=f"</pre>{evil}", missed=[evil])
    client = served(school.course)
    for path, secret in (
        ("standings", ""),
        ("me", school.secrets[evil]),
        ("teacher", school.teacher),
        (f"teacher/{school.students[evil].id}", school.teacher),
    ):
        page = client.get(f"/pages/course/{path}", headers=shows(secret))
        assert page.status_code == 200
        assert "<img" not in page.text


def test_games_open_on_the_board_at_the_first_mistake(school: School, client: TestClient) -> None:
    page = client.get("/pages/course/me", headers=shows(school.secrets[ADA])).text
    assert "Your first mistake was move 5" in page
    assert "/analyse?game=connect4&amp;moves=4+1+4+1+3+1+3+1&amp;opening=1&amp;side=first" in page
    assert "&amp;at=4" in page


def test_an_empty_course_has_pages(tmp_path: Path, served: Serve) -> None:
    school = found(tmp_path / "empty", plan="rivals = []")
    client = served(school.course)
    assert "Nobody is on the ladder yet." in client.get("/pages/course/standings").text
    page = client.get("/pages/course/me", headers=shows(school.secrets[ADA])).text
    assert "You have not handed in anything yet." in page
    assert client.get("/pages/course/teacher", headers=shows(school.teacher)).status_code == 200


def test_a_restarted_server_knows_everybody(school: School) -> None:
    with TestClient(create_course_app(school.course), base_url=HOME) as client:
        client.post("/api/course/session", json={"secret": school.secrets[ADA]})
        cookies = client.cookies
    again = Course(school.course.folder)
    with TestClient(create_course_app(again), base_url=HOME, cookies=cookies) as client:
        assert client.get("/pages/course/me").status_code == 200
    again.close()
