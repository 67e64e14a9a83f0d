"""The course reports' players: legal games within limits, and their own rules."""

from __future__ import annotations

import random
import threading
import time
from itertools import product

import pytest
from player_checks import (
    SLACK,
    choice_of,
    info_of,
    play_game,
    random_positions,
    safe_moves,
    winning_moves,
)

import mossa
from mossa import Exact, Game, InvalidPlayerError, Limits, Move, Position, Search
from mossa.players import player_kinds
from mossa.players.chooser import Recipe
from mossa.players.recipes.bantumi import BantumiOpen
from mossa.players.recipes.tris import Tris

CONNECT4 = mossa.game("connect4")
BANTUMI = mossa.game("bantumi")

# The configurations of the courses' tournaments.
MNK = """
    3x3x3 4x3x3 4x4x3 4x4x4 5x4x4 5x5x4 5x5x5 6x4x4 6x5x4 6x6x4 6x6x5 6x6x6 7x4x4 7x5x4 7x6x4 7x7x4
    7x5x5 7x6x5 7x7x5 7x7x6 7x7x7 8x8x4 10x10x5
"""
LARGE_MNK = ["mnk:50x50x10", "mnk:70x70x10"]
CONNECT = [
    f"{rows}x{cols}x{k}"
    for rows, cols, k in product(range(4, 8), range(4, 8), (4, 5))
    if k <= max(rows, cols)
]
LARGE_CONNECT = """
    20x20x10 30x30x10 40x40x10 50x50x10 25x25x10 50x50x15 75x75x20 100x100x30
"""
KALAHS = [
    "bantumi",
    "kalah",
    "kalah:1x1",
    "kalah:3x2",
    "kalah:12x1",
    "kalah:5x5,leftover=opponent,end=mover",
    "kalah:7x7,swap=yes,first_extra=no",
    "kalah:12x12",
]


@pytest.mark.parametrize("name", MNK.split())
def test_tree_and_tris_play_the_mnk_course(name: str) -> None:
    tree, tris = mossa.player("tree"), mossa.player("tris")
    few = Limits(nodes=200)
    assert play_game(mossa.game(f"mnk:{name}"), tree, tris, few).outcome is not None
    assert play_game(mossa.game(f"mnk:{name}"), tris, tree, few).outcome is not None


@pytest.mark.parametrize("name", CONNECT)
def test_pojam_and_quatro_play_the_connect_course(name: str) -> None:
    game, few = mossa.game(f"connect:{name}"), Limits(nodes=300)
    pojam = mossa.player("pojam")
    for rival in ("quatro-minimax", "quatro-alphabeta", "quatro-mcts:iterations=20"):
        assert play_game(game, pojam, mossa.player(rival), few).outcome is not None
    assert play_game(game, mossa.player("quatro-alphabeta:depth=2"), pojam, few).outcome is not None


@pytest.mark.parametrize("name", KALAHS)
def test_bantumi_plays_every_kalah(name: str) -> None:
    game, few = mossa.game(name), Limits(nodes=2000)
    one, other = mossa.player("bantumi:hands=2"), mossa.player("bantumi-open:hands=1")
    assert play_game(game, one, other, few).outcome is not None
    assert play_game(game, other, one, few).outcome is not None


@pytest.mark.parametrize("spec", ["tree", "tris"])
@pytest.mark.parametrize("name", LARGE_MNK)
def test_the_largest_mnk_boards_are_won_in_time(spec: str, name: str) -> None:
    """Against random play, so that the game is decided soon."""
    limit = 0.05
    player, rival = mossa.player(f"{spec}:time={limit}"), mossa.player("random:seed=1")
    position = mossa.game(name).start()
    while position.outcome is None:
        if position.side is mossa.Side.first:
            begin = time.thread_time()
            move = player.choose(position, Limits()).move
            assert time.thread_time() - begin < limit + SLACK, position.ply
        else:
            move = rival.choose(position, Limits()).move
        position = position.play(move)
    assert position.outcome.winner is mossa.Side.first


@pytest.mark.parametrize("name", LARGE_CONNECT.split())
def test_the_largest_connect_boards_are_played_in_time(name: str) -> None:
    limit = 0.05
    players = [
        mossa.player(spec)
        for spec in ("pojam", "quatro-minimax", "quatro-alphabeta", "quatro-mcts", "level:10")
    ]
    position = mossa.game(f"connect:{name}").start()
    for number in range(15):
        begin = time.thread_time()
        move = players[number % 5].choose(position, Limits(time=limit)).move
        assert time.thread_time() - begin < limit + SLACK, players[number % 5].name
        position = position.play(move)


@pytest.mark.parametrize("spec", ["pojam", "tree", "bantumi", "tris", "quatro-mcts", "level:2"])
def test_a_finished_game_has_no_move_to_choose(spec: str) -> None:
    name, moves = {
        "tree": ("tictactoe", "a1 a2 b1 b2 c1"),
        "tris": ("tictactoe", "a1 a2 b1 b2 c1"),
        "bantumi": ("kalah:1x1", "1"),
    }.get(spec, ("connect4", "4141414"))
    position = mossa.game(name).position(moves)
    assert position.outcome is not None
    with pytest.raises(mossa.GameError, match="the game is over"):
        choice_of(spec, position)


# --- names and errors -----------------------------------------------------------------------------

PLAYS = {
    "tree": "mnk",
    "pojam": "connect",
    "bantumi": "kalah and oware",
    "bantumi-open": "kalah and oware",
    "quatro-minimax": "connect",
    "quatro-alphabeta": "connect",
    "quatro-mcts": "connect",
    "tris": "mnk",
}


def test_every_recipe_is_registered() -> None:
    assert {*PLAYS, "level"} < set(player_kinds())


@pytest.mark.parametrize("name", ["gomoku", "connect4", "kalah", "oware"])
@pytest.mark.parametrize("spec", PLAYS)
def test_a_recipe_says_what_it_plays(spec: str, name: str) -> None:
    player, game = mossa.player(spec), mossa.game(name)
    assert isinstance(player, Recipe)
    assert player.plays(game) is (game.kind in PLAYS[spec].split())
    if not player.plays(game):
        with pytest.raises(InvalidPlayerError) as error:
            player.choose(game.start(), Limits())
        assert str(error.value) == f"{spec} plays {PLAYS[spec]}, not {game.name}"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("level:0", "invalid value '0' of 'level' in player 'level:0': "),
        ("level:11", "expected a whole number, 1 to 10"),
        ("level:x", "invalid value 'x' of 'level' in player 'level:x': "),
        ("level:2.5", "invalid value '2.5' of 'level'"),
        ("level", "invalid player 'level': it needs a level, 1 to 10: level:5"),
        ("level:", "invalid player 'level:': it needs a level"),
        ("level:3,4", "option 'level' is given twice"),
        ("level:3,sed=1", "did you mean 'seed'?"),
        ("random:3", "unknown option '3'"),  # only where a kind asks for it
        ("tree:width=0", "expected a whole number, 1 to 100"),
        ("pojam:table=yes", "expected one of off, on"),
        ("bantumi:hands=0", "expected a whole number, 1 to 100"),
        ("tris:near=2", "unknown option 'near'"),
    ],
)
def test_a_bad_spec_is_one_clear_line(spec: str, message: str) -> None:
    with pytest.raises(InvalidPlayerError) as error:
        mossa.player(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


# --- tree -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "centre"),
    [("tictactoe", "b2"), ("mnk:4x4x3", "c3"), ("mnk:5x8x4", "e3"), ("mnk:70x70x10", "aj36")],
)
def test_tree_begins_in_the_centre(name: str, centre: str) -> None:
    assert choice_of("tree", mossa.game(name).start()) == mossa.Choice(Move(centre))


@pytest.mark.parametrize(("depth", "height"), [(1, 1), (2, 1), (4, 3), (5, 5), (6, 5)])
def test_tree_grows_to_odd_heights(depth: int, height: int) -> None:
    position = mossa.game("mnk:9x9x5").position("e5 e6 d5")
    assert info_of(f"tree:depth={depth}", position).depth == height
    assert info_of("tree", position, Limits(depth=depth)).depth == height


def test_tree_without_a_depth_is_odd_too() -> None:
    position = mossa.game("mnk:9x9x5").position("e5 e6")
    assert info_of("tree", position, Limits(nodes=5000)).depth % 2 == 1


def test_tree_looks_next_to_played_cells_only() -> None:
    """In a corner, where an evaluation of the whole board would rather be in the middle."""
    move = choice_of("tree", mossa.game("mnk:9x9x5").position("a1")).move
    assert move in ("b1", "a2", "b2")


@pytest.mark.parametrize("width", [1, 2, 8])
def test_tree_never_cuts_equal_critical_moves(width: int) -> None:
    """Two double threats: a width of 1 once looked at one of them only."""
    position = mossa.game("mnk:7x7x4").position("d4 d5 e4 e5")
    assert info_of(f"tree:width={width},depth=1", position).nodes == 2
    quiet = mossa.game("mnk:7x7x4").position("d4 c3")
    assert info_of(f"tree:width={width},depth=1", quiet).nodes == width


@pytest.mark.parametrize("moves", ["e5 e6", "e5 f6 d5 c7", "e5 e6 f5 g5 f6 d4"])
@pytest.mark.parametrize("name", ["mnk:9x9x5", "mnk:7x7x4"])
def test_threads_of_tree_find_the_same_value(name: str, moves: str) -> None:
    position = mossa.game(name).position(moves)
    alone, again, together = (
        info_of(f"tree:depth=7,threads={threads}", position) for threads in (1, 1, 3)
    )
    assert (alone.nodes, alone.line) == (again.nodes, again.line)
    assert (together.score, together.depth) == (alone.score, alone.depth)
    assert position.after(together.line).ply == position.ply + len(together.line)
    assert together.nodes >= 0.5 * alone.nodes


def test_threads_of_tree_stop_in_time() -> None:
    position = mossa.game("gomoku").position("h8 h9 g8")
    player = mossa.player("tree:threads=2")
    for limits in (Limits(time=0.1), Limits(nodes=3000), Limits(time=0)):
        begin = time.perf_counter()
        choice = player.choose(position, limits)
        assert time.perf_counter() - begin < 0.1 + 2 * SLACK
        assert position.is_legal(choice.move)
    token = mossa.StopToken()
    threading.Timer(0.1, token.stop).start()
    begin = time.perf_counter()
    assert isinstance(player, Recipe)
    player.choose(position, Limits(time=30), stop=token)
    assert time.perf_counter() - begin < 5


def test_tree_ponders_only_when_asked() -> None:
    position = mossa.game("mnk:9x9x5").position("e5 e6")
    limits = Limits(nodes=500)
    before = threading.active_count()
    choice_of("tree", position, limits)
    assert threading.active_count() == before
    player = mossa.player("tree:ponder=on")
    assert isinstance(player, Recipe)
    choice = player.choose(position, limits)
    assert threading.active_count() == before + 1
    following = position.play(choice.move)
    following = following.play(following.moves[0])
    assert following.is_legal(player.choose(following, limits).move)
    player.close()
    assert threading.active_count() == before


# --- pojam ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "column"),
    [
        ("connect4", "", "4"),
        ("connect4", "1", "4"),
        ("connect4", "4", "4"),
        ("connect:4x6x4", "", "4"),
        ("connect:1x7x3", "4", "3"),  # the centre is full
    ],
)
def test_pojam_begins_in_the_centre(name: str, moves: str, column: str) -> None:
    assert choice_of("pojam", mossa.game(name).position(moves)) == mossa.Choice(Move(column))


def test_pojam_begins_in_the_centre_of_a_board_that_was_set_up() -> None:
    position = CONNECT4.from_text("......./......./......./......./......./x......")
    assert choice_of("pojam", position).move == "4"


@pytest.mark.parametrize("limits", [Limits(nodes=1), Limits(time=0), Limits(time=0.02)])
def test_pojam_wins_at_once_and_never_loses_at_once(limits: Limits) -> None:
    """However little time it has: the report's player chose any column then."""
    player = mossa.player("pojam")
    kinds = set()
    for position in random_positions(CONNECT4, 60):
        move = player.choose(position, limits).move
        if wins := winning_moves(position):
            assert move in wins
            kinds.add("win")
        elif safe := safe_moves(position):
            assert move in safe, position.history_text
            kinds.add("one left" if len(safe) == 1 else "search")
        else:
            assert position.is_legal(move)
            kinds.add("lost")
    assert kinds == {"win", "one left", "search", "lost"}


def test_pojam_checks_a_search_that_was_cut_short() -> None:
    """Here the move that the search would try first loses at once."""
    position = CONNECT4.position("37721272542745742")
    assert choice_of("pojam", position, Limits(nodes=1)).move in safe_moves(position)


def test_pojam_searches_from_depth_three() -> None:
    position = CONNECT4.position("4453")
    depths: list[int] = []
    player = mossa.player("pojam")
    assert isinstance(player, Recipe)
    player.choose(position, Limits(depth=6), report=lambda info: depths.append(info.depth))
    assert depths == [3, 4, 5, 6]
    depths.clear()
    following = position.play("3").play("3")
    player.choose(following, Limits(depth=6), report=lambda info: depths.append(info.depth))
    assert depths == [4, 5, 6]  # the last completed depth less two


def test_pojam_with_a_table_finds_the_same_with_less() -> None:
    position = CONNECT4.position("4453")
    without, with_table = (
        info_of(f"pojam:table={table}", position, Limits(depth=8)) for table in ("off", "on")
    )
    assert without.table_hits == 0 < with_table.table_hits
    assert with_table.nodes < without.nodes
    assert isinstance(with_table.score, type(without.score))


def test_pojam_evaluates_by_stones_around_or_by_alignments() -> None:
    position = CONNECT4.position("4453")
    scores = [
        info_of(f"pojam:evaluate={evaluate}", position, Limits(depth=4)).score
        for evaluate in ("adjacency", "windows")
    ]
    assert 0 <= scores[0].value <= 8  # of the report's [0, 1), in ninths
    assert scores[0] != scores[1]


# --- bantumi --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "value"), [(1, 0), (2, 0), (3, 2), (4, 2), (5, 0)])
def test_bantumi_finds_the_values_of_its_report(hands: int, value: int) -> None:
    info = info_of(f"bantumi:hands={hands}", BANTUMI.start())
    assert (info.score.value, info.depth) == (value, 2 * hands)


@pytest.mark.parametrize("hands", [1, 2, 3, 4])
@pytest.mark.parametrize("game", [BANTUMI, mossa.game("kalah")])
def test_bantumi_examines_what_its_search_does(hands: int, game: Game) -> None:
    options = {"hands": str(hands), "order": "store", "deepen": "off"}
    options |= dict.fromkeys(("table", "pvs", "killers", "history"), "off")
    plain = Search(game, "alphabeta", options).run(game.start(), Limits())
    assert info_of(f"bantumi:hands={hands}", game.start()).nodes == plain.nodes


def test_the_table_of_the_bantumi_report_needs_the_majority_rule() -> None:
    """Which its text does not have: see docs/reports.md."""
    options = {"hands": "4", "order": "store-first", "deepen": "off", "strict": "on"}
    options |= {"forget": "on", **dict.fromkeys(("table", "pvs", "killers", "history"), "off")}
    nodes = {
        name: Search(game, "alphabeta", options).run(game.start(), Limits()).nodes
        for name in ("bantumi", "bantumi,majority=no")
        for game in [mossa.game(name)]
    }
    assert nodes["bantumi"] == 1_148_562
    assert nodes["bantumi,majority=no"] != 1_148_562


@pytest.mark.parametrize("sizes", ["2x2", "3x1", "3x2"])
def test_the_margin_has_the_sign_of_the_reports_leaves(sizes: str) -> None:
    """To the end: +1, 0 or -1 in the report, the margin here; one move is best for both."""
    game = mossa.game(f"kalah:{sizes},empty_capture=yes,leftover=none,end=mover,majority=yes")
    known: dict[object, int] = {}

    def result(position: Position) -> int:
        """The report's minimax to the end, for first."""
        if position.outcome is not None:
            return (position.outcome.value > 0) - (position.outcome.value < 0)
        if position.key not in known:
            best = max if position.side is mossa.Side.first else min
            known[position.key] = best(result(position.play(move)) for move in position.moves)
        return known[position.key]

    start = game.start()
    for position in [start, *(start.play(move) for move in start.moves)]:
        if position.outcome is not None:
            continue
        info = info_of("bantumi:hands=100", position)
        sign = 1 if position.side is mossa.Side.first else -1
        value = sign * info.score.value
        assert (value > 0) - (value < 0) == result(position)
        assert result(position.play(info.move)) == result(position)


def test_bantumi_looks_three_hands_ahead_and_less_than_its_report_examined() -> None:
    info = info_of("bantumi", BANTUMI.start())
    assert info.depth == 6
    assert info.nodes < 50_387  # of the report's best order


def test_bantumi_open_studies_its_first_two_moves() -> None:
    deep, shallow = 2 * (1 + BantumiOpen.MORE_HANDS), 2
    depths = {
        "": deep,
        "4": deep,  # an extra turn: the second move of the same side
        "4 1": deep,  # the other side's first
        "4 1 1": shallow,  # the first side's third
        "4 1 1 2": deep,  # the other side's second
    }
    for moves, depth in depths.items():
        position = BANTUMI.position(moves)
        assert info_of("bantumi-open:hands=1", position).depth == depth, moves
        assert info_of("bantumi:hands=1", position).depth == shallow
    set_up = BANTUMI.from_text(BANTUMI.start().text)
    assert info_of("bantumi-open:hands=1", set_up).depth == shallow


def test_bantumi_open_remembers_its_study() -> None:
    start = mossa.game("kalah:5x3").start()
    limits = Limits(nodes=100_000)
    studied = choice_of("bantumi-open", start, limits)
    assert choice_of("bantumi-open", start, limits) is studied
    assert choice_of("bantumi-open", start, Limits(nodes=10_000)) is not studied


# --- quatro ---------------------------------------------------------------------------------------


def test_quatro_searches_five_levels_with_the_root() -> None:
    minimax, alphabeta = (
        info_of(f"quatro-{name}", CONNECT4.start()) for name in ("minimax", "alphabeta")
    )
    assert minimax.nodes + 1 == 2801  # the report's bound, with the root
    assert alphabeta.nodes < minimax.nodes
    assert (alphabeta.score, alphabeta.move) == (minimax.score, minimax.move)
    assert minimax.depth == alphabeta.depth == 4
    assert alphabeta.table_hits == 0


def test_quatro_mcts_keeps_within_the_nodes_of_its_report() -> None:
    info = info_of("quatro-mcts", CONNECT4.start())
    assert info.iterations == 1000
    assert 1000 < info.nodes <= 7001
    assert info_of("quatro-mcts:iterations=50", CONNECT4.start()).iterations == 50


def test_quatro_mcts_is_reproducible() -> None:
    rival = mossa.player("quatro-alphabeta")
    games = [
        play_game(CONNECT4, mossa.player(f"quatro-mcts:iterations=60,seed={seed}"), rival, Limits())
        for seed in (1, 1, 2)
    ]
    assert games[0].history == games[1].history != games[2].history


@pytest.mark.parametrize("spec", ["pojam", "quatro-minimax", "quatro-alphabeta", "quatro-mcts"])
@pytest.mark.parametrize("moves", ["112233", "11223"])
def test_connect_recipes_win_at_once_and_block(spec: str, moves: str) -> None:
    assert choice_of(spec, CONNECT4.position(moves), Limits(time=1)).move == "4"


# --- tris -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "depth", "width"),
    [
        ("mnk:1x1x1", 9, 9),
        ("tictactoe", 9, 9),
        ("mnk:4x4x4", 10, 16),
        ("mnk:5x5x3", 8, 20),
        ("mnk:6x6x4", 8, 12),
        ("mnk:8x8x4", 6, 15),
        ("mnk:10x10x4", 6, 10),
        ("gomoku", 6, 10),
        ("mnk:70x70x10", 4, 10),
        ("mnk:100x100x10", 4, 10),
    ],
)
def test_tris_takes_depth_and_width_from_the_board(name: str, depth: int, width: int) -> None:
    game = mossa.game(name)
    assert Tris.depth_and_width(game) == (depth, width)
    assert info_of("tris", game.start()).depth == depth


def test_tris_solves_tic_tac_toe() -> None:
    assert info_of("tris", mossa.game("tictactoe").start()).score == Exact(0, 9)


def test_the_options_of_tris_override_the_board() -> None:
    start = mossa.game("mnk:10x10x4").start()
    assert info_of("tris:depth=2", start).depth == 2
    # Every move of the root and the best reply to each, or ten by ten at most.
    assert info_of("tris:depth=2,width=100", start).nodes > 110
    assert info_of("tris:depth=2", start).nodes <= 110
    assert info_of("tris:threads=2", start).depth == 6


def test_tris_changes_its_width_with_the_board() -> None:
    player = mossa.player("tris:depth=1")
    for name, nodes in (("mnk:6x6x4", 12), ("mnk:10x10x4", 10), ("mnk:6x6x4", 12)):
        info = player.choose(mossa.game(name).start(), Limits()).info
        assert info is not None
        assert info.nodes == nodes


@pytest.mark.parametrize("spec", ["tree", "tris"])
@pytest.mark.parametrize("moves", ["a1 a5 b1 b5 c1 c5", "a1 e5 b1 h9 c1"])
def test_mnk_recipes_win_at_once_and_block(spec: str, moves: str) -> None:
    assert choice_of(spec, mossa.game("mnk:10x10x4").position(moves), Limits(time=1)).move == "d1"


def test_tris_makes_the_best_of_a_lost_game() -> None:
    """The report's example: two open ends; it shortens the longer one."""
    choice = choice_of("tris", mossa.game("mnk:5x5x3").position("c3 c4 d3"))
    assert choice.info is not None
    assert choice.info.score.value < 0
    assert choice.move == choice.info.move == choice.info.line[0] == "b3"


def test_tris_prefers_the_best_evaluation_to_the_latest_loss() -> None:
    """When every move loses, all losses are equal to the report; the search puts them off."""
    game = mossa.game("mnk:5x5x3")
    chance = random.Random(1)
    lost = differ = 0
    while lost < 20:
        position = game.start()
        for _ in range(chance.choice([3, 5, 7])):
            if position.outcome is None:
                position = position.play(chance.choice(position.moves))
        if position.outcome is not None:
            continue
        choice = choice_of("tris", position)
        assert choice.info is not None
        if choice.info.score.value >= 0 or choice.info.score.distance is None:
            continue
        values = {
            move: mossa.evaluate(after, "sequences", side=position.side)
            for move in position.moves
            if (after := position.play(move)).outcome is None
        }
        assert values[choice.move] == max(values.values()), position.history_text
        lost += 1
        latest = Search(game, "alphabeta").run(position, Limits(depth=8)).move
        differ += values[latest] < max(values.values())
    assert differ > 0
