"""Laws of positions as text and bytes: nothing is lost on the way."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator

import reference

import mossa
from laws.play import ending, is_large, portrait, random_game, references, texts, where


def text_round_trip(game: mossa.Game, rng: random.Random) -> None:
    """`text` is the drawing that the contract describes, and `from_text` reads it back.

    The position that was read goes on like the original, also after the end.
    """
    positions = random_game(game, rng, 12 if is_large(game) else 60)
    naives = references(positions)
    for ply in {0, len(positions) - 1, *(rng.randrange(len(positions)) for _ in range(5))}:
        position = positions[ply]
        assert position.text == naives[ply].board_text(), where(position)
        again = game.from_text(position.text)
        assert (again.history, again.history_text, again.ply) == ([], "", 0), where(again)
        assert again.last_move is None, where(again)
        if ply > 0:
            assert again.start_text == position.text, where(position)
        for original in positions[ply : ply + 4]:
            if original is not position:
                assert original.last_move is not None
                again = again.play(original.last_move)
            assert again == original, where(again)
            assert hash(again) == hash(original), where(again)
            assert again.key == original.key, where(again)
            assert again.canonical_key == original.canonical_key, where(again)
            assert again.text == original.text, where(again)
            assert again.cells == original.cells, where(again)
            assert again.side == original.side, where(again)
            assert again.moves == original.moves, where(again)
            assert ending(again) == ending(original), where(again)


def history_round_trip(game: mossa.Game, rng: random.Random) -> None:
    """The moves that led to a position, as text or as a list, lead to it again."""
    positions = random_game(game, rng, 20 if is_large(game) else 80)
    played: list[mossa.Move | None] = [position.last_move for position in positions[1:]]
    for position in {positions[0], rng.choice(positions), positions[-1]}:
        assert position.start_text is None, where(position)
        assert position.history == played[: position.ply], where(position)
        assert position.history_text == " ".join(texts(position.history)), where(position)
        ways: list[str | list[mossa.Move]] = [position.history_text, position.history]
        ways.append(f"  {position.history_text.replace(' ', '  ')} ")
        naive = reference.start(game)
        if all(naive.runs_together(move) for move in texts(position.history)):
            ways.append("".join(texts(position.history)))
        for way in ways:
            again = game.position(way)
            assert again == position, f"{way!r} {where(position)}"
            assert again.history == position.history, f"{way!r} {where(position)}"


def pickle_and_copy_round_trip(game: mossa.Game, rng: random.Random) -> None:
    """Games, positions (with history), moves, sides and outcomes can be pickled and copied."""
    positions = random_game(game, rng, 20 if is_large(game) else 50)
    later = game.from_text(positions[len(positions) // 2].text)
    if later.moves:
        later = later.play(rng.choice(later.moves))
    chosen = [positions[-1], later]
    if not is_large(game):
        chosen += [positions[0], rng.choice(positions)]
    values: list[object] = [game, *mossa.Side, *(p for p in positions[-1].history[:3])]
    values += [p.outcome for p in chosen if p.outcome is not None]

    def copies(value: object) -> Iterator[object]:
        for protocol in {2, pickle.HIGHEST_PROTOCOL, pickle.DEFAULT_PROTOCOL}:
            yield pickle.loads(pickle.dumps(value, protocol))
        yield copy.copy(value)
        yield copy.deepcopy(value)

    for value in values:
        for again in copies(value):
            assert type(again) is type(value)
            assert again == value
            assert hash(again) == hash(value)
            assert str(again) == str(value)
            assert repr(again) == repr(value)
    for position in chosen:
        for again in copies(position):
            assert isinstance(again, mossa.Position)
            assert again == position, where(position)
            assert portrait(again) == portrait(position), where(position)
    # together, too: a whole game in one pickle
    assert pickle.loads(pickle.dumps(positions)) == positions
