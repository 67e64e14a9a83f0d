"""Our players as agents of Kaggle's ConnectX, and as submissions."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tarfile
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from command import posix
from learning_checks import write_network

import mossa
from mossa.adapters import kaggle
from mossa.adapters.kaggle import drive, submission
from mossa.networks import Network
from mossa.search import final_score

pytestmark = posix

GAME = mossa.game("connect4")


# ---------------------------------------------------------------- our players as agents


def observed(position: mossa.Position, *, time: float = 2, overage: float = 60) -> tuple[Any, Any]:
    asked = drive.question(position, time, overage)
    return asked["observation"], asked["configuration"]


def test_our_player_is_an_agent() -> None:
    agent = kaggle.agent("alphabeta:depth=4")
    for _ in range(2):  # two games by the same function
        position = GAME.start()
        while position.outcome is None:
            if position.side is mossa.Side.first:
                position = position.play(str(agent(*observed(position)) + 1))
            else:
                position = position.play(position.moves[0])
        assert position.outcome.winner is mossa.Side.first


def test_an_agent_knows_the_moves_that_it_has_seen() -> None:
    seen: list[mossa.Position] = []

    def watching(position: mossa.Position) -> mossa.Move:
        seen.append(position)
        return position.moves[-1]

    agent = kaggle.agent(watching)
    for moves in ("1", "172", "1", "444", "4441"):
        agent(*observed(GAME.position(moves)))
    assert [position.history_text for position in seen] == ["1", "1 7 2", "1", "", ""]
    assert [position.text for position in seen[3:]] == [
        GAME.position(moves).text for moves in ("444", "4441")
    ]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"mark": 2}, "it is not the turn of mark 2"),
        ({"board": [0] * 41}, "invalid board .*: 6 x 7 cells of 0, 1 and 2"),
        ({"board": [3] + [0] * 41}, "invalid board"),
        ({"board": [1] + [0] * 41}, "hangs in the air"),
        ({"rows": 1000}, "rows"),
    ],
)
def test_a_board_that_cannot_be_is_refused(changes: dict[str, Any], why: str) -> None:
    observation, configuration = observed(GAME.start())
    observation |= {key: value for key, value in changes.items() if key in observation}
    configuration |= {key: value for key, value in changes.items() if key in configuration}
    with pytest.raises(mossa.GameError, match=why):
        kaggle.agent("random")(observation, configuration)


def test_time_is_kept_back_and_more_of_it_without_overage() -> None:
    def thinking(time: float, overage: float) -> float:
        return submission.thinking_time(*observed(GAME.start(), time=time, overage=overage))

    assert thinking(2, 60) == pytest.approx(1.7)
    assert thinking(2, 1) == pytest.approx(1.4)
    assert thinking(0.1, 0) == pytest.approx(0.03)
    assert submission.thinking_time({}, {"timeout": 2}) == pytest.approx(1.4)


def test_the_time_since_the_question_counts() -> None:
    given: list[mossa.Limits] = []

    class Watching:
        name = "watching"

        def choose(self, position: mossa.Position, limits: mossa.Limits) -> mossa.Choice:
            given.append(limits)
            return mossa.Choice(position.moves[0])

    agent = kaggle.agent(Watching())
    agent(*observed(GAME.start()))
    agent(*observed(GAME.start()), begin=perf_counter() - 1)
    agent(*observed(GAME.start()), begin=perf_counter() - 99)
    first, second, third = (limits.time or 0 for limits in given)
    assert 0.7 < first <= 1.7
    assert second <= 0.7
    assert third == 0.01


# ---------------------------------------------------------------- submissions that we write


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exported") / "submission.tar.gz"
    assert kaggle.export("engine:nodes=2000", path) == "engine:nodes=2000,memory=64"
    return path


@pytest.fixture
def unpacked(exported: Path, tmp_path: Path) -> Path:
    with tarfile.open(exported) as files:
        files.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked"


TELL_MODULES = """
def agent(o, c):
    column = played(o, c)
    outer = {each.partition(".")[0] for each in sys.modules} - sys.stdlib_module_names
    print(sorted(each for each in outer if each[0] != "_"))
    return column
"""


def play_there(main: Path, position: mossa.Position) -> tuple[dict[str, Any], str]:
    """Have a submission answer where nothing is installed, as Kaggle's loader runs it."""
    folder = main.parent.parent / "nothing"
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(drive.HOST), str(main), "", str(folder)],
        input=json.dumps(drive.question(position, 2, 60)) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    ready, answer = map(json.loads, done.stdout.splitlines())
    assert ready == {"ready": True}
    return answer, done.stderr


def test_an_export_plays_where_nothing_is_installed(unpacked: Path) -> None:
    main = unpacked / "main.py"
    text = main.read_text()
    text = text.replace("def agent(", "def played(")
    main.write_text(f"{text}\n{TELL_MODULES}")
    answer, said = play_there(main, GAME.position("414141"))
    assert answer == {"column": 3}
    assert said == "['mossa']\n"  # no complaint, and no other package


def test_an_export_has_only_what_it_needs(exported: Path, unpacked: Path) -> None:
    names = {
        path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()
    }
    assert {"main.py", "mossa/__init__.py", "mossa/data/connect-6x7x4.book"} <= names
    assert not [
        name for name in names if name.endswith((".html", ".js", ".css", ".md", "_core.pyi"))
    ]
    assert not [name for name in names if name.startswith(("mossa/web", "mossa/cli", "mossa/lab"))]
    assert exported.stat().st_size < 10_000_000


def test_the_same_export_has_the_same_bytes(exported: Path, tmp_path: Path) -> None:
    kaggle.export("engine:nodes=2000", tmp_path / "again.tar.gz")
    assert (tmp_path / "again.tar.gz").read_bytes() == exported.read_bytes()


@pytest.mark.parametrize("fault", ["cut", "gone", "other"])
def test_without_its_core_an_export_plays_all_the_same(unpacked: Path, fault: str) -> None:
    (core,) = (unpacked / "mossa").glob("_core*")
    if fault == "cut":
        core.write_bytes(core.read_bytes()[:100_000])
    elif fault == "gone":
        core.unlink()
    else:  # what another version of Python makes of it
        main = unpacked / "main.py"
        main.write_text(main.read_text().replace(core.name, "_core.abc"))
        core.rename(core.with_name("_core.abc"))
    answer, said = play_there(unpacked / "main.py", GAME.position("414141"))
    assert answer == {"column": 3}
    assert said.startswith("mossa cannot play, so plain Python does: ")


def test_an_export_plays_a_game_here(exported: Path) -> None:
    record = mossa.match(f"kaggle:{exported}", "random:seed=1", GAME, time=5)
    assert record.result == "1-0" and "forfeit" not in record.extra


def test_a_network_of_your_own_goes_along(tmp_path: Path) -> None:
    net = tmp_path / "mine.net"
    write_network(net, GAME)
    path = tmp_path / "s.tar.gz"
    spec = kaggle.export(f"engine:net={net},nodes=500,memory=8", path)
    assert spec == "engine:net=shipped,nodes=500,memory=8"
    with tarfile.open(path) as files:
        files.extractall(tmp_path / "unpacked")
    assert Network.load(tmp_path / "unpacked/mossa/data/falling-4.net") == Network.load(net)
    answer, said = play_there(tmp_path / "unpacked" / "main.py", GAME.position("414141"))
    assert (answer, said) == ({"column": 3}, "")


def test_a_network_of_another_game_is_refused(tmp_path: Path) -> None:
    write_network(tmp_path / "mine.net", mossa.game("connect:6x7x5"))
    with pytest.raises(mossa.InvalidPlayerError, match="this network is not for connect:6x7x4"):
        kaggle.export(f"engine:net={tmp_path / 'mine.net'}", tmp_path / "s.tar.gz")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("human", "cannot export 'human': it is a person"),
        ("ugi:./bot", "cannot export 'ugi:./bot': it is a program outside of mossa"),
        ("kaggle:main.py", "it is a program outside of mossa"),
        ("bot.py:agent", "it is your own code, and only mossa's own players can be exported"),
        ("tris", "tris plays mnk, not connect:6x7x4"),
        ("engin", "unknown player 'engin': did you mean 'engine'"),
        ("engine:net=none.net", "cannot read the network 'none.net'"),
    ],
)
def test_what_cannot_be_exported_is_refused(spec: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        kaggle.export(spec, tmp_path / "s.tar.gz")
    assert list(tmp_path.iterdir()) == []


def test_what_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.adapters.kaggle.archive.MOST_BYTES", 1 << 20)
    with pytest.raises(mossa.GameError, match="but Kaggle takes at most 1: use a smaller book"):
        kaggle.export("random", tmp_path / "s.tar.gz")


# ---------------------------------------------------------------- plain Python


def plainly(position: mossa.Position, seconds: float) -> str:
    observation, configuration = observed(position)
    sizes = (configuration[name] for name in ("rows", "columns", "inarow"))
    plain = submission.Fallback(*sizes)
    column = plain.choose(observation["board"], observation["mark"], perf_counter() + seconds)
    return str(column + 1)


def standing(position: mossa.Position) -> int:
    """Who wins with best play: 1 for the side to move, -1 for the other one."""
    if position.outcome is not None:
        return final_score(position).standing
    score = mossa.solve(position).score
    assert isinstance(score, mossa.Exact)
    return score.standing


@pytest.mark.parametrize(
    "name", ["connect:3x4x3", "connect:4x4x3", "connect:4x4x4", "connect:3x5x4"]
)
def test_plain_python_gives_nothing_away_on_small_boards(name: str) -> None:
    game = mossa.game(name)
    rng = random.Random(3)
    for _ in range(10):
        position = game.start()
        for _ in range(rng.randrange(3, game.sizes["rows"] * game.sizes["cols"])):
            after = position.play(rng.choice(position.moves))
            position = position if after.outcome else after
        after = position.play(plainly(position, 60))
        assert -standing(after) == standing(position), position.text


@pytest.mark.parametrize(
    "name", ["connect:1x1x1", "connect:1x9x2", "connect:9x1x5", "connect:40x60x6"]
)
def test_plain_python_plays_every_size(name: str) -> None:
    position = mossa.game(name).start()
    while position.outcome is None and position.ply < 9:
        position = position.play(plainly(position, 0.02))


def test_plain_python_keeps_to_its_time() -> None:
    begin = perf_counter()
    plainly(GAME.start(), 0.2)
    assert 0.2 <= perf_counter() - begin < 5


# ---------------------------------------------------------------- Kaggle's own package


@pytest.mark.slow
def test_in_kaggles_own_environment(unpacked: Path) -> None:
    environments = pytest.importorskip(
        "kaggle_environments", reason="kaggle-environments is not installed"
    )
    (core,) = (unpacked / "mossa").glob("_core*")
    main = str(unpacked / "main.py")

    def rewards(*agents: Any) -> list[int]:
        game = environments.make("connectx")
        game.run(list(agents))
        assert [each.status for each in game.state] == ["DONE", "DONE"]
        return [each.reward for each in game.state]

    for opponent in ("negamax", "random"):
        assert rewards(main, opponent) == [1, -1]
        assert rewards(opponent, kaggle.agent("engine:nodes=2000")) == [-1, 1]
    core.write_bytes(core.read_bytes()[:100_000])
    assert rewards(main, "negamax") == [1, -1]
    assert rewards("random", main) == [-1, 1]
