"""A submission for Kaggle's ConnectX, written for Kaggle alone. Here it fights our players.

python examples/kaggle_submission.py
"""

from typing import Any

LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


def wins(board: list[int], config: Any, column: int, mark: int) -> bool:
    """Tell whether a side wins by this column."""
    mine = {divmod(at, config.columns) for at, cell in enumerate(board) if cell == mark}
    empty = [row for row in range(config.rows) if not board[row * config.columns + column]]
    mine.add((empty[-1], column))
    return any(
        {(row + i * down, col + i * right) for i in range(config.inarow)} <= mine
        for row, col in mine
        for down, right in LINES
    )


def agent(obs: Any, config: Any) -> int:
    """Win at once if you can, else stop the other side, else keep to the middle."""
    columns = [column for column in range(config.columns) if obs.board[column] == 0]
    for mark in (obs.mark, 3 - obs.mark):
        for column in columns:
            if wins(obs.board, config, column, mark):
                return column
    return min(columns, key=lambda column: abs(column - config.columns // 2))


if __name__ == "__main__":  # not so on Kaggle
    import mossa

    for opponent in ("random:seed=1", "alphabeta:depth=2"):
        record = mossa.match(f"kaggle:{__file__}", opponent, "connect4")
        print(f"against {opponent}: {record.result}, {record.extra['end']}")
