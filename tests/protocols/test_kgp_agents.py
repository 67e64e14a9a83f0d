"""Agents of KGP that call us: over TCP and WebSockets, good ones and bad ones."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Iterator

import pytest
from agents import WAIT, FakeAgent, Means, Tcp, WebSocket, left, when_it_listens
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as ws_connect
from websockets.typing import Origin

import mossa
from mossa.protocols import listening
from mossa.protocols.kgp import agent as kgp_agent
from mossa.protocols.kgp.agent import Agent
from mossa.protocols.kgp.drive import KgpPlayer
from mossa.protocols.kgp.lobby import Lobby, Seat
from mossa.protocols.kgp.words import Board


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers of TCP are greeted sooner than those of a real network."""
    monkeypatch.setattr(listening, "MOMENT", 0.05)


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Table:
    """A lobby for a test, with agents that call it."""

    def __init__(self, **options: object) -> None:
        self.told: list[str] = []
        self._news = threading.Condition()
        self.lobby = Lobby(0, tell=self._tell, **options)  # type: ignore[arg-type]

    def _tell(self, line: str) -> None:
        with self._news:
            self.told.append(line)
            self._news.notify_all()

    def agent(self, *arguments: object, **options: object) -> FakeAgent:
        return FakeAgent(self.lobby.port, *arguments, **options)  # type: ignore[arg-type]

    def seat(self, *arguments: object, name: str = "fake", **options: object) -> Seat:
        """Have an agent call, and wait until it is there."""
        self.agent(*arguments, name=name, **options)
        return self.wait_for(name)

    def wait_for(self, *names: str) -> Seat:
        self.lobby.wait(lambda here: set(names) <= set(here), seconds=WAIT, begin=threading.Event())
        return self.lobby.seats[names[0]]

    def wait_until_told(self, pattern: str) -> str:
        def found() -> list[str]:
            return [line for line in self.told if re.search(pattern, line)]

        with self._news:
            assert self._news.wait_for(found, WAIT), f"not told: {pattern}"
        return found()[0]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.lobby.close()


# --- kgp:PORT -------------------------------------------------------------------------------------


@pytest.mark.parametrize("means", [Tcp, WebSocket])
@pytest.mark.parametrize("first", [True, False])
def test_a_match_against_an_agent(
    port: int, means: Means, first: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    agents: list[FakeAgent] = []
    when_it_listens(lambda: agents.append(FakeAgent(port, means, name="Ann")))
    players = (f"kgp:{port}", "random:seed=3")
    record = mossa.match(*(players if first else players[::-1]), "kalah:4x3", time=5)
    assert "forfeit" not in record.extra, record.extra
    own = [str(move) for at, move in enumerate(record.moves) if _side(record, at) is first]
    assert own, "it made no moves"
    (agent,) = agents
    assert agent.ended.wait(WAIT)
    heard = "\n".join(agent.heard)
    assert agent.heard[0] == "2 kgp 1 0 0"
    assert re.search(r'^\d+ set time:mode "relative"$', heard, re.MULTILINE)
    assert re.search(r"^\d+ set time:clock 5$", heard, re.MULTILINE)
    assert agent.heard[-1].endswith("goodbye")
    states = re.findall(r"^(\d+) state", heard, re.MULTILINE)
    assert len(states) == len(own)
    assert all(re.search(rf"^\d+@{number} stop$", heard, re.MULTILINE) for number in states)
    assert f"waiting for an agent on 127.0.0.1:{port}" in (said := capsys.readouterr().err)
    assert "Ann has come from 127.0.0.1" in said


def _side(record: mossa.Record, ply: int) -> bool:
    """Whether first made a move."""
    return record.game.position(" ".join(map(str, record.moves[:ply]))).side.value == 0


def test_nobody_calls(port: int) -> None:
    why = f"player 'kgp:{port},wait=1' does not start: no agent called 127.0.0.1:{port} within 1 s"
    with pytest.raises(mossa.InvalidPlayerError, match=re.escape(why)):
        mossa.match(f"kgp:{port},wait=1", "random", "kalah")


def test_the_port_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(mossa.InvalidPlayerError, match=f"cannot listen on 127.0.0.1:{port}: "):
            mossa.match(f"kgp:{port}", "random", "kalah")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("kgp:0", "invalid value '0' of 'port'"),
        ("kgp:70000", "invalid value '70000' of 'port'"),
        ("kgp:host", "invalid value 'host' of 'port'"),
        ("kgp:2671,from=mars", "invalid value 'mars' of 'from'"),
        ("kgp:2671,wait=0", "invalid value '0' of 'wait'"),
    ],
)
def test_wrong_specs(spec: str, why: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match=re.escape(why)):
        mossa.player(spec)


@pytest.mark.parametrize(
    "game", ["connect4", "oware", "bantumi", "kalah:6x4,swap=yes", "kalah:6x4,leftover=none"]
)
def test_only_the_kalah_of_the_protocol(game: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="kgp:2671 does not play"):
        mossa.match("kgp:2671", "random", game)


def test_any_size_of_it() -> None:
    player = mossa.player("kgp:2671")
    assert all(map(player.plays, map(mossa.game, ["kalah:3x3", "kalah:12x12,majority=yes"])))


def test_games_that_run_by_themselves_do_not_wait_for_agents() -> None:
    why = "waits for an agent to come, which matches do; a tournament of agents is mossa tournament"
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        mossa.tournament(["kgp:2671", "random"], ["kalah"])
    done_by = "waits for an agent to come: there is no program to start"
    from mossa.protocols.check import program_of

    with pytest.raises(mossa.InvalidPlayerError, match=done_by):
        program_of("kgp:2671")


def test_all_networks_are_an_option(port: int) -> None:
    player = KgpPlayer(port, anywhere=True, wait=WAIT)
    when_it_listens(lambda: FakeAgent(port))
    player.prepare(mossa.game("kalah"))
    assert player._listener is not None and player._listener.address == f"0.0.0.0:{port}"
    assert player.choose(mossa.game("kalah").start(), mossa.Limits(time=5)).move == "1"
    player.close()


def test_a_second_agent_is_turned_away(port: int) -> None:
    player = KgpPlayer(port, wait=WAIT)
    when_it_listens(lambda: FakeAgent(port))
    player.prepare(mossa.game("kalah"))
    other = FakeAgent(port)
    assert other.ended.wait(WAIT)
    assert 'error "another agent plays here already"' in "\n".join(other.heard)
    player.close()


# --- what agents do -------------------------------------------------------------------------------

START = mossa.game("kalah").start()


def test_the_last_move_counts_when_the_time_is_up(table: Table) -> None:
    def never_yields(agent: FakeAgent, board: Board, number: str) -> None:
        agent.say(f"@{number} move 2", f"@{number} move 5")

    seat = table.seat(Tcp, never_yields)
    assert seat.choose(START, mossa.Limits(time=0.2)).move == "5"


def test_moves_that_come_late_are_ignored(table: Table) -> None:
    boards: list[str] = []

    def late(agent: FakeAgent, board: Board, number: str) -> None:
        boards.append(number)
        agent.say(f"@{number} move {len(boards)}", f"@{number} yield", f"@{number} move 6")
        agent.say(*(f"@{old} move 6" for old in boards[:-1]))

    seat = table.seat(Tcp, late)
    moves = [str(seat.choose(START, mossa.Limits(time=5)).move) for _ in range(3)]
    assert moves == ["1", "2", "3"]


def test_moves_without_a_reference_are_for_the_only_board(table: Table) -> None:
    def careless(agent: FakeAgent, board: Board, number: str) -> None:
        agent.say("move 4", "yield")

    assert table.seat(WebSocket, careless).choose(START, mossa.Limits(time=5)).move == "4"


def test_no_move_is_a_random_one_as_the_protocol_wants_it(table: Table) -> None:
    def lazy(agent: FakeAgent, board: Board, number: str) -> None:
        agent.say(f"@{number} yield")

    def dreamy(agent: FakeAgent, board: Board, number: str) -> None:
        pass

    for name, think in (("lazy", lazy), ("dreamy", dreamy)):
        seat = table.seat(Tcp, think, name=name)
        turn = mossa.players.clocks.Turn(mossa.Limits(time=0.2), WAIT, 0.2)
        assert seat.choose_within(START, turn).move in START.moves
        assert any(f"{name} sent no move: a random one" in line for line in table.told)


def test_the_board_is_the_movers(table: Table) -> None:
    boards: list[Board] = []

    def looks(agent: FakeAgent, board: Board, number: str) -> None:
        boards.append(board)
        left(agent, board, number)

    seat = table.seat(Tcp, looks)
    second = START.play("6")
    seat.choose(START, mossa.Limits(time=5))
    seat.choose(second, mossa.Limits(time=5))
    assert str(boards[0]) == "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
    assert str(boards[1]) == "<6,0,1,5,5,5,4,4,4,4,4,4,4,4,0>"


def _fails(seat: Seat, time: float = 5) -> mossa.PlayerFailedError:
    turn = mossa.players.clocks.Turn(mossa.Limits(time=time), time + 0.3, time)
    with pytest.raises(mossa.PlayerFailedError) as error:
        seat.choose_within(START, turn)
    return error.value


def test_an_illegal_move_loses(table: Table) -> None:
    def wrong(agent: FakeAgent, board: Board, number: str) -> None:
        agent.say(f"@{number} move 1", f"@{number} move 7", f"@{number} yield")

    error = _fails(table.seat(Tcp, wrong))
    assert error.kind == "illegal" and "illegal move '7'" in error.reason


@pytest.mark.parametrize(
    ("last", "reason"), [("", "the connection has ended"), ("goodbye", "it said goodbye")]
)
@pytest.mark.parametrize("means", [Tcp, WebSocket])
def test_an_agent_that_leaves_loses(table: Table, means: Means, last: str, reason: str) -> None:
    def leaves(agent: FakeAgent, board: Board, number: str) -> None:
        agent.say(f"@{number} move 1")
        if last:
            agent.say(last)
        agent.connection.close()

    error = _fails(seat := table.seat(means, leaves), WAIT)
    assert (error.kind, error.reason) == ("crash", reason)
    assert seat.is_away
    with pytest.raises(mossa.PlayerFailedError, match=reason):
        seat.prepare(START.game)
    assert _fails(seat).reason == reason


def test_an_agent_that_hangs_loses(table: Table) -> None:
    ready = threading.Event()

    def hangs(agent: FakeAgent, board: Board, number: str) -> None:
        ready.wait(WAIT)

    error = _fails(table.seat(Tcp, hangs), 0.1)
    ready.set()
    assert error.kind == "time"
    assert error.reason.startswith("no move, and no answer to a ping; the limit is 0.4 s")


def test_an_agent_that_answers_no_ping_does_not_begin(table: Table) -> None:
    seat = table.seat(Tcp, pong=False)
    seat.limit(memory=0, start=0.1)
    with pytest.raises(mossa.PlayerFailedError, match=r"no answer to a ping within 0\.1 s"):
        seat.prepare(START.game)


def test_nonsense_during_a_game_is_answered_and_then_ends_it(table: Table) -> None:
    def babbles(agent: FakeAgent, board: Board, number: str) -> None:
        agent.say("xyzzy", f"@{number} move one", f"@{number} move -3", "move", "state <1>")
        left(agent, board, number)

    seat = table.seat(Tcp, babbles, name="babbler")
    moves = [seat.choose(START, mossa.Limits(time=5)).move for _ in range(4)]
    assert moves == ["1"] * 4
    error = _fails(seat)
    assert "it sends too many lines that make no sense, such as " in error.reason


def test_one_that_sends_and_never_reads_does_not_hold_us_up(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "_TAKE_IN", 1)
    with socket.create_connection(("127.0.0.1", table.lobby.port)) as flood:
        flood.sendall(b'set info:name "flood"\r\nmode freeplay\r\n')
        table.wait_for("flood")
        flood.settimeout(WAIT)
        with contextlib.suppress(OSError):
            while True:  # every ping is answered, into a buffer that nobody empties
                flood.sendall(b"ping\r\n" * 10_000)
    assert "flood has left" in table.wait_until_told("flood has left")


# --- who is let in --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (('error "protocol not supported"', "goodbye"), "it says 'protocol not supported'"),
        (("mode eval",), "it asked for mode 'eval': only freeplay is supported here"),
        (("mode freeplay", "mode freeplay"), "it asked for a mode twice"),
        (("xyzzy",), "it does not speak KGP: '1 xyzzy'"),
        (("move 1",), ""),
        (("<<>>",), "it does not speak KGP"),
    ],
)
def test_those_that_want_something_else_are_refused_by_name(
    table: Table, first: tuple[str, ...], why: str
) -> None:
    agent = table.agent(Tcp, first=first)
    if not why:  # too early, and nobody is harmed
        agent.say("mode freeplay")
        table.wait_for("agent")
        return
    assert agent.ended.wait(WAIT)
    assert why in table.wait_until_told(re.escape(why))
    if "error" not in first[0]:
        assert why.replace('"', r"\"") in "\n".join(agent.heard)
        assert agent.heard[-1].endswith("goodbye")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n", "it does not speak KGP"),
        (b"POST / HTTP/1.1\r\n\r\n", "it does not speak KGP: 'POST / HTTP/1.1'"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "no WebSocket"),
        (b"GET nonsense\r\n\r\n", "no WebSocket"),
    ],
)
def test_other_protocols_are_refused_by_name(table: Table, data: bytes, why: str) -> None:
    with socket.create_connection(("127.0.0.1", table.lobby.port), timeout=WAIT) as caller:
        caller.sendall(data)
        while caller.recv(1 << 12):
            pass
    assert why in table.wait_until_told(why)


def test_one_that_hangs_up_is_told_of(table: Table) -> None:
    socket.create_connection(("127.0.0.1", table.lobby.port)).close()
    table.wait_until_told("it hung up, or was silent, before it asked for a mode")


def test_a_silent_caller_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "CONNECT", 0.1)
    with socket.create_connection(("127.0.0.1", table.lobby.port), timeout=WAIT) as caller:
        table.wait_until_told("it hung up, or was silent")
        assert b"goodbye" in b"".join(iter(lambda: caller.recv(1 << 12), b""))


def test_pages_of_other_sites_are_turned_away(table: Table) -> None:
    url = f"ws://127.0.0.1:{table.lobby.port}/"
    with pytest.raises(InvalidStatus, match="403"):
        ws_connect(url, origin=Origin("https://evil.example"), open_timeout=WAIT)
    assert "a page of 'https://evil.example' called" in table.wait_until_told("evil")
    own = Origin(f"http://127.0.0.1:{table.lobby.port}")
    with ws_connect(url, origin=own, open_timeout=WAIT) as welcome:
        assert welcome.recv(WAIT) == "2 kgp 1 0 0\r\n"


def test_names_are_tamed_and_told_apart(table: Table) -> None:
    long = "x" * 200
    for name, called in (
        ("Ann", "Ann"),
        ("Ann", "Ann-2"),
        (long, "x" * kgp_agent.LONGEST_NAME),
        (r" a \" b\t ", 'a " bt'),
    ):
        table.agent(Tcp, name=name)
        table.wait_for(called)
    table.agent(Tcp, first=("mode freeplay",))
    table.wait_for("agent")


def test_a_name_keeps_its_seat(table: Table) -> None:
    def leaves(agent: FakeAgent, board: Board, number: str) -> None:
        agent.connection.close()

    ann = table.seat(Tcp, leaves, name="Ann")
    table.seat(WebSocket, name="Bob")
    seats = table.lobby.begin()
    assert set(seats) == {"Ann", "Bob"}
    stranger = table.agent(Tcp, name="Eve")
    assert stranger.ended.wait(WAIT)
    assert "the tournament has begun without Eve: it is for Ann, Bob" in "\n".join(stranger.heard)
    second = table.agent(Tcp, name="Bob")
    assert second.ended.wait(WAIT), "Bob sits there already"
    assert _fails(ann).kind == "crash"
    table.wait_until_told("Ann has left")
    table.agent(WebSocket, name="Ann")
    table.wait_for("Ann")
    assert ann.choose(START, mossa.Limits(time=5)).move == "1"


def test_two_agents_play_each_other(table: Table) -> None:
    names = ("Ann", "Bob", "Cat")
    for name, means in zip(names, (Tcp, WebSocket, Tcp), strict=True):
        table.agent(means, name=name)
    table.wait_for(*names)
    report = mossa.tournament(table.lobby.begin(), ["kalah:3x3"], time=5)
    assert report.done == 6 and not report.forfeits
    assert {row["player"] for row in report.standings} == set(names)


def test_agents_do_not_outlive_the_lobby(table: Table) -> None:
    agents = [table.agent(means) for means in (Tcp, WebSocket)]
    table.wait_for("fake", "fake-2")
    table.lobby.close()
    assert all(agent.ended.wait(WAIT) for agent in agents)
    with pytest.raises(OSError):  # noqa: PT011 - refused or reset, as the system likes
        table.agent()


def test_an_agent_is_a_guest_that_may_be_away() -> None:
    assert Agent.is_guest and Agent.keeps_time
    assert Seat("nobody").is_away
    with pytest.raises(mossa.PlayerFailedError, match="it is not here"):
        Seat("nobody").prepare(START.game)
