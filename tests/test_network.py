"""Networks: what they see and say against their naive definition, and in the searches."""

from __future__ import annotations

import math
import pickle
import random
import sys

import numpy as np
import pytest
from line_checks import random_position
from network_checks import (
    blank,
    content_of,
    legal_cells,
    lines_say,
    other,
    patterns,
    pit_view,
    pits_say,
    places,
    random_weights,
)
from search_checks import assert_playable

import mossa
from mossa import Estimate, Game, GameError, InvalidPlayerError, Limits, Position, Search
from mossa._core import (
    LEAST_DECIDED,
    Network,
    NetworkShape,
    Trace,
    network_features,
    network_shape,
    pack_network,
)

LINES = [
    *("mnk:1x1x1", "mnk:3x3x2", "tictactoe", "mnk:6x6x4", "mnk:4x9x4", "gomoku", "mnk:9x20x6"),
    *("mnk:12x12x9", "mnk:7x7x5,exact=yes", "mnk:3x90x5", "connect4", "connect:4x8x5"),
    *("connect:2x2x1", "connect:9x1x3", "connect:10x12x6"),
]
PITS = ["kalah", "kalah:1x1", "kalah:6x6", "kalah:12x4", "kalah:3x12,empty_capture=yes"]
SEARCHED = {
    "threats": ["tictactoe", "mnk:7x7x5,exact=yes", "gomoku"],
    "gravity": ["connect4", "connect:5x4x3", "connect:10x10x5"],
    "alphabeta": ["mnk:6x6x4", "connect4", "kalah", "kalah:8x3"],
    "minimax": ["mnk:4x4x3", "connect4", "kalah"],
    "gametree": ["mnk:6x6x4", "connect4", "kalah"],
}
searched = pytest.mark.parametrize(
    ("algorithm", "name"), [(each, name) for each, names in SEARCHED.items() for name in names]
)


def network_of(
    game: Game, seed: int = 1, *, portable: bool = False, beside: bool = False
) -> Network:
    content = content_of(game, random_weights(game, seed), beside=beside)
    return Network(content, portable=portable)


def positions_of(game: Game, count: int = 5) -> list[Position]:
    """From the first to the last moves of random games."""
    chance = random.Random(game.name)
    most = min(game.start().left_to_play, 60)
    return [random_position(game, chance, most * i // (count - 1)) for i in range(count)]


def open_position(game: Game) -> Position:
    return [each for each in positions_of(game, 6) if each.outcome is None][-1]


# --- what they see --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LINES)
def test_lines_are_seen_as_defined(name: str) -> None:
    positions = positions_of(mossa.game(name))
    seen = network_features(positions)
    assert seen["own"].dtype == np.uint16 and seen["place"].dtype == np.uint8
    for i, position in enumerate(positions):
        assert (seen["own"][i] == patterns(position, position.side)).all()
        assert (seen["other"][i] == patterns(position, other(position.side))).all()
        assert (seen["place"][i] == places(position, position.side)).all()
        assert (seen["place_other"][i] == places(position, other(position.side))).all()
        assert (seen["legal"][i] == legal_cells(position)).all()
    shape = network_shape(positions[0].game)
    assert max(seen["own"].max(), seen["other"].max()) < shape.patterns
    assert seen["place"].max() < shape.places


@pytest.mark.parametrize("name", ["mnk:7x7x5", "connect:6x7x4"])
def test_without_points_all_else_is_the_same(name: str) -> None:
    positions = positions_of(mossa.game(name))
    seen, without = network_features(positions), network_features(positions, points=False)
    assert seen["points"].any() and not without["points"].any()
    assert seen.keys() == without.keys()
    assert all((seen[key] == without[key]).all() for key in seen if key != "points")


@pytest.mark.parametrize("name", PITS)
def test_pits_are_seen_as_defined(name: str) -> None:
    positions = positions_of(mossa.game(name), 30)
    seen = network_features(positions)
    for i, position in enumerate(positions):
        rows = [list(position.cells[each.value]) for each in (position.side, other(position.side))]
        for half, end in enumerate(("", "_other")):
            seeds, reaches, captures = pit_view(rows[half], rows[1 - half])
            assert seen["other" if half else "own"][i].tolist() == seeds
            assert seen["reaches" + end][i].tolist() == reaches
            assert seen["captures" + end][i].tolist() == captures
            assert seen["total" + end][i] == min(sum(rows[half][:-1]), 63)
        ahead = rows[0][-1] - rows[1][-1]
        assert (seen["ahead"][i], seen["margin"][i]) == (ahead, max(-24, min(24, ahead)) + 24)
        pits = {move.number - 1 for move in position.moves if move.number is not None}
        assert set(np.flatnonzero(seen["legal"][i])) == pits


def test_a_pattern_is_a_pair_of_arms() -> None:
    """993 for k = 5: 31 arms, either way round, an empty cell or an own stone, and none."""
    counts = [network_shape(mossa.game(f"mnk:99x99x{k}")).patterns for k in (1, 2, 3, 4, 5, 6, 9)]
    assert counts == [3, 13, 57, 241, 993, 4033, 4033]


def test_features_are_of_one_game() -> None:
    with pytest.raises(GameError, match=r"positions of mnk:3x3x3 and of connect:6x7x4 have"):
        network_features([mossa.game("tictactoe").start(), mossa.game("connect4").start()])
    with pytest.raises(GameError, match="no positions to see features of: give one or more"):
        network_features([])
    with pytest.raises(GameError, match=r"no network for breakthrough:8x8: they are for games of"):
        network_features([mossa.game("breakthrough").start()])


def test_features_say_that_they_need_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"network_features needs NumPy, .*: pip install numpy"):
        network_features([mossa.game("tictactoe").start()])


# --- what they say --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LINES)
def test_lines_say_what_is_defined(name: str) -> None:
    game = mossa.game(name)
    weights = random_weights(game, seed=len(name))
    network = Network(content_of(game, weights))
    for position in positions_of(game):
        if position.outcome is not None:
            continue
        said, expected = network.estimate(position), lines_say(weights, position)
        assert np.allclose([said.win, said.draw, said.loss], expected.chances, atol=1e-12)
        assert abs(said.value - expected.value) <= 1.1
        assert expected.policy is not None
        cols = len(position.cells[0])
        logits = {}
        for move in position.moves:
            row, col = position.target(move) or (0, 0)
            logits[move] = expected.policy[row * cols + col]
        assert said.policy.keys() == logits.keys()
        assert sum(said.policy.values()) == pytest.approx(1)
        highest = max(logits, key=lambda move: logits[move])
        for move, logit in logits.items():  # in hundredths, and not rounded to the nearest
            ratio = said.policy[move] / said.policy[highest]
            assert ratio == pytest.approx(np.exp(logit - logits[highest]), rel=0.021)


@pytest.mark.parametrize("name", PITS)
def test_pits_say_what_is_defined(name: str) -> None:
    game = mossa.game(name)
    weights = random_weights(game, seed=len(name))
    network = Network(content_of(game, weights))
    for position in positions_of(game, 20):
        if position.outcome is not None:
            continue
        said, expected = network.estimate(position), pits_say(weights, position)
        assert np.allclose([said.win, said.draw, said.loss], expected.chances, atol=1e-12)
        assert abs(said.value - expected.value) <= 0.5 + 1e-9
        assert said.policy == {}


@pytest.mark.parametrize("name", [*LINES, *PITS])
def test_every_processor_says_the_same(name: str) -> None:
    game = mossa.game(name)
    # Large weights, so that everything that can be clipped is.
    content = content_of(game, random_weights(game, seed=3, most=3000))
    both = [Network(content), Network(content, portable=True)]
    for position in positions_of(game):
        if position.outcome is None:
            said = [network.estimate(position) for network in both]
            assert said[0].value == said[1].value
            assert said[0].policy == said[1].policy


def test_the_value_is_that_of_the_chances() -> None:
    """Blank weights but for the outputs: every combination of chances, to a thousandth."""
    game = mossa.game("tictactoe")
    for win, draw, loss in [(0, 0, 0), (3, -1, -2), (-9, 0, 1), (0.1, 8, 0.2), (19, 0, 0)]:
        weights = blank(game)
        weights["out_bias"][:] = np.round(np.array([win, draw, loss]) * 65536)
        said = Network(content_of(game, weights)).estimate(game.start())
        score, rest = said.win + said.draw / 2, said.loss + said.draw / 2
        assert abs(said.value - 1000 * np.log(score / rest)) <= 1.1


def test_the_constants_are_those_of_the_shape() -> None:
    shape = network_shape(mossa.game("connect4"))
    assert (shape.kind, shape.k, shape.falls, shape.rules) == ("lines", 4, True, "")
    assert (NetworkShape.channels, NetworkShape.hidden) == (32, 32)
    assert (NetworkShape.row_scale, NetworkShape.dense_scale) == (256, 64)
    assert NetworkShape.sum_scale(225) == pytest.approx(32 / 225, rel=1e-3)
    assert NetworkShape.sum_scale(9) == 0.5
    assert len(content_of(mossa.game("connect4"), blank(mossa.game("connect4")))) == (
        shape.payload_bytes + 36
    )


# --- which games they are for ---------------------------------------------------------------------


def test_a_network_is_for_its_k_at_every_size() -> None:
    network = network_of(mossa.game("gomoku"))
    assert (network.kind, network.k, network.falls, network.channels) == ("lines", 5, False, 32)
    for name, plays in {
        "mnk:10x10x5": True,
        "mnk:19x19x5": True,
        "mnk:15x15x5,exact=yes": False,
        "mnk:15x15x6": False,
        "connect:9x9x5": False,
        "kalah:5x4": False,
        "breakthrough": False,
    }.items():
        assert network.plays(mossa.game(name)) is plays
    pits = network_of(mossa.game("kalah:6x6"))
    assert (pits.kind, pits.k) == ("pits", 6)
    assert [pits.plays(mossa.game(name)) for name in ("kalah", "kalah:7x4")] == [True, False]
    assert repr(network) == "<network of lines for k=5 where a stone may go anywhere>"


def test_a_network_of_another_game_is_refused() -> None:
    network = network_of(mossa.game("gomoku"))
    wanted = "this network is not for connect:6x7x4: it is for k=5 where a stone may go anywhere"
    with pytest.raises(InvalidPlayerError, match=wanted):
        Search(mossa.game("connect4"), "gravity", network=network)
    with pytest.raises(GameError, match=wanted):
        network.estimate(mossa.game("connect4").start())
    position = mossa.game("mnk:5x5x5").position("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    with pytest.raises(GameError, match=r"nothing to estimate in mnk:5x5x5: the game is over"):
        network.estimate(position)


def test_searches_say_what_they_need() -> None:
    game = mossa.game("connect4")
    network = network_of(game)
    with pytest.raises(InvalidPlayerError, match="evaluate=net needs a network"):
        Search(game, "alphabeta", {"evaluate": "net"})
    with pytest.raises(InvalidPlayerError, match="evaluate=windows ignores the network that"):
        Search(game, "alphabeta", {"evaluate": "windows"}, network=network)
    with pytest.raises(InvalidPlayerError, match="mcts does not use networks"):
        Search(game, "mcts", network=network)
    with pytest.raises(
        InvalidPlayerError, match="evaluate=net does not work for this game; these do:"
    ):
        Search(mossa.game("breakthrough"), "alphabeta", {"evaluate": "net"})


# --- bytes ----------------------------------------------------------------------------------------


def test_a_network_can_be_pickled() -> None:
    network = network_of(mossa.game("connect4"))
    again = pickle.loads(pickle.dumps(network))
    position = mossa.game("connect4").position("4453")
    assert again.content == network.content
    assert again.estimate(position).value == network.estimate(position).value


@pytest.mark.parametrize(
    ("at", "number", "why"),
    [
        (0, b"M", "it does not begin with 'mossanet'"),
        (8, b"\1\0", "it has version 1, but this program reads version 2"),
        (10, b"\3\0", r"its kind is 3, but must be 1 \(lines\) or 2 \(pits\)"),
        (12, b"\0\0", "its size is 0, but must be 1 to 100"),
        (12, b"\xff\xff", "its size is 65535, but must be 1 to 100"),
        (12, b"\5\0", r"its payload has \d+ bytes, but one for k=5 where stones fall has \d+"),
        (14, b"\2\0", r"its mark for falling stones is 2, but must be 0, or for lines 1"),
        (16, b"\x40\0", "it has 64 channels and 32 hidden numbers, but this program reads 32 and"),
        (18, b"\0\0", "it has 32 channels and 0 hidden numbers, but this program reads 32 and 32"),
        (20, b"\2\0", r"it corrects 2 evaluations, but can correct none, or for lines 1"),
        (22, b"\xff\xff", "its rules have 65535 characters"),
        (24, b"\0\0\0\0", "its payload has 0 bytes, but one for k=4 where stones fall has"),
        (28, b"\0", "its checksum is wrong, so it has been changed"),
        (5000, b"\7\7\7", "its checksum is wrong, so it has been changed"),
    ],
)
def test_damaged_bytes_are_refused(at: int, number: bytes, why: str) -> None:
    content = bytearray(network_of(mossa.game("connect4")).content)
    content[at : at + len(number)] = number
    with pytest.raises(GameError, match=f"^this is not a network: {why}") as error:
        Network(bytes(content))
    assert "\n" not in str(error.value)


def test_a_network_that_is_cut_short_is_refused() -> None:
    content = network_of(mossa.game("kalah")).content
    for length in [*range(40), 1000, len(content) - 1]:
        with pytest.raises(
            GameError, match=r"^this is not a network: it (ends after|does not begin)"
        ):
            Network(content[:length])
    with pytest.raises(GameError, match="this is not a network: 1 bytes follow its end"):
        Network(content + b"\0")
    with pytest.raises(GameError, match="this is not a network: it does not begin with 'mossanet'"):
        Network(b"PK\3\4" + bytes(1000))


@pytest.mark.parametrize(
    ("name", "number", "why"),
    [
        ("own", 3001, "a weight of 3001 is beyond 3000"),
        ("bias", -32768, "a weight of -32768 is beyond 3000"),
        ("hidden_bias", 2**26 + 1, "a bias of 67108865 is beyond 67108864"),
        ("policy_bias", -(2**31), "a bias of -2147483648 is beyond 67108864"),
    ],
)
def test_weights_that_would_overflow_are_refused(name: str, number: int, why: str) -> None:
    game = mossa.game("connect4")
    weights = blank(game)
    weights[name].flat[0] = number
    with pytest.raises(GameError, match=why):
        Network(content_of(game, weights))


def test_a_payload_has_one_size() -> None:
    wanted = r"the payload has 3 bytes, but a network for 6 pits has \d+"
    with pytest.raises(GameError, match=wanted):
        pack_network(mossa.game("kalah"), b"abc")
    with pytest.raises(GameError, match="a network for 6 pits cannot correct an evaluation"):
        pack_network(mossa.game("kalah"), b"abc", beside=True)


# --- beside an evaluation of ours -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["mnk:9x7x5", "mnk:6x6x4,exact=yes", "connect:8x7x5"])
def test_a_network_that_says_nothing_leaves_what_is_there(name: str) -> None:
    """Then a position is worth what the evaluation says that it corrects."""
    game = mossa.game(name)
    silent = Network(content_of(game, blank(game), beside=True))
    assert silent.beside and not Network(content_of(game, blank(game))).beside
    asked = 0
    for position in positions_of(game, 30):
        if position.outcome is not None:
            continue
        (points,) = network_features([position])["points"]
        said = silent.estimate(position)
        assert said.win / said.loss == pytest.approx(math.exp(points), rel=1e-3)
        # Of the odds a draw takes its part.
        odds = (said.win + said.draw / 2) / (said.loss + said.draw / 2)
        assert said.value == pytest.approx(1000 * math.log(odds), abs=3)
        assert Network(content_of(game, blank(game))).estimate(position).value == 0
        asked += points != 0
    assert asked > 10


def test_an_open_three_counts_though_the_network_says_nothing() -> None:
    game = mossa.game("mnk:15x15x5")
    silent = Network(content_of(game, blank(game), beside=True))
    quiet, three = (game.position(moves) for moves in ("h8 a1", "h8 a1 h9 a15 h10 o1"))
    assert silent.estimate(three).value > silent.estimate(quiet).value + 1000


# --- in searches ----------------------------------------------------------------------------------


def leaves(trace: Trace, root: Position) -> list[tuple[Position, int]]:
    """The positions that a search judged by their looks, and what it said of them."""
    positions: list[Position] = []
    found = []
    for node in trace.nodes:
        if node.parent is None or node.move is None:
            positions.append(root)
        else:
            positions.append(positions[node.parent].play(node.move))
        # What is decided was seen at a glance, beyond the horizon.
        if node.end == "horizon" and node.value is not None and abs(node.value) < LEAST_DECIDED:
            found.append((positions[-1], node.value))
    return found


@searched
@pytest.mark.parametrize("beside", [False, True])
def test_what_is_kept_up_to_date_never_drifts(algorithm: str, name: str, beside: bool) -> None:
    """Every leaf of a search, set up from its stones alone, has the value it had there."""
    game = mossa.game(name)
    if beside and not game.traits.lines:
        pytest.skip("networks of pits correct nothing")
    network = network_of(game, beside=beside)
    # Points of a logarithm; these have values of their own.
    special = {"threats": 750, "gravity": 100}
    compared = 0
    for position in positions_of(game, 6)[:-1]:
        if position.outcome is not None:
            continue
        trace = Trace(4000)
        options = {} if algorithm == "minimax" else {"memory": "1"}
        if algorithm in special:
            options["trust"] = "100"
        search = Search(game, algorithm, options, network=network)
        search.run(position, Limits(depth=3, nodes=3000), trace=trace)
        found = leaves(trace, position)
        for leaf, value in random.Random(name).sample(found, min(len(found), 150)):
            estimate = network.estimate(leaf).value
            # What ours says is rounded to the units of the search before it is corrected.
            slack = 1 if beside and algorithm in special else 0
            assert abs(value - int(estimate * special.get(algorithm, 1000) / 1000)) <= slack
            compared += 1
    assert compared > 0


@searched
def test_the_same_search_finds_the_same(algorithm: str, name: str) -> None:
    game = mossa.game(name)
    position = open_position(game)
    runs = []
    for portable in (False, False, True):
        network = network_of(game, portable=portable)
        info = Search(game, algorithm, network=network).run(position, Limits(nodes=4000))
        assert info.nodes <= 4000
        assert_playable(position, info)
        runs.append((info.move, info.score, info.line, info.depth, info.nodes, info.evaluations))
    assert runs[0] == runs[1] == runs[2]


@searched
def test_a_network_speaks(algorithm: str, name: str) -> None:
    """One that says that all is lost for whoever is to move is heard."""
    game = mossa.game(name)
    weights = blank(game)
    weights["out_bias"][:] = np.array([-5, -20, 5, -12])[: len(weights["out_bias"])] * 65536
    position = game.start()
    info = Search(game, algorithm, network=Network(content_of(game, weights))).run(
        position, Limits(depth=1)
    )
    silent = Search(game, algorithm).run(position, Limits(depth=1))
    assert info.score != silent.score or not isinstance(info.score, Estimate)


@pytest.mark.parametrize(
    ("algorithm", "name"), [("threats", "gomoku"), ("gravity", "connect:10x10x5")]
)
def test_the_policy_orders_moves(algorithm: str, name: str) -> None:
    game = mossa.game(name)
    network = network_of(game)
    position = positions_of(game, 6)[1]
    nodes = {
        policy: Search(game, algorithm, {"policy": policy}, network=network)
        .run(position, Limits(depth=4))
        .nodes
        for policy in ("on", "off")
    }
    assert nodes["on"] != nodes["off"]


@pytest.mark.parametrize(
    ("algorithm", "name"), [("threats", "gomoku"), ("gravity", "connect:10x10x5")]
)
def test_limits_are_kept(algorithm: str, name: str) -> None:
    game = mossa.game(name)
    search = Search(game, algorithm, {"threads": "2"}, network=network_of(game))
    position = game.start()
    for limits in (Limits(nodes=1), Limits(nodes=500), Limits(depth=4), Limits(time=0.05)):
        info = search.run(position, limits)
        assert_playable(position, info)
        assert limits.depth is None or info.depth <= limits.depth
        assert limits.time is None or info.time < limits.time + 1
        position = position.play(info.move)
