"""A player of your own is a function from a position to a move. This one fights alpha-beta.

python examples/my_player.py
"""

import mossa


def careful(position: mossa.Position) -> mossa.Move:
    """Win at once if you can, do not let the other side win at once, else keep to the middle."""
    me = position.side
    safe = []
    for move in position.moves:
        after = position.play(move)
        if after.outcome and after.outcome.winner is me:
            return move
        answers = [after.play(answer).outcome for answer in after.moves]
        if not any(outcome and outcome.winner not in (me, None) for outcome in answers):
            safe.append(move)
    candidates = safe or position.moves
    return candidates[len(candidates) // 2]


def play(game: mossa.Game, players: list[mossa.Player]) -> mossa.Position:
    """Play one game. The position says whose turn it is: never assume that turns alternate."""
    position = game.start()
    while position.outcome is None:
        player = players[position.side.value]
        position = position.play(player.choose(position, mossa.Limits()).move)
    return position


if __name__ == "__main__":
    for depth in (1, 2, 3, 4):
        rival = mossa.player(f"alphabeta:depth={depth}")
        end = play(mossa.game("connect4"), [mossa.player(careful), rival])
        print(f"careful against {rival.name}: {end.outcome} after {end.ply} moves")
