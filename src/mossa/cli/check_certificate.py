"""``mossa check-certificate``: does a certificate prove what it claims?"""

import json
from pathlib import Path
from typing import Annotated

import typer

from mossa._core import Side
from mossa.analysis import score_data
from mossa.cli.common import Json
from mossa.cli.display import progress_bar
from mossa.cli.ending import stopped
from mossa.errors import GameError
from mossa.search import Exact
from mossa.solving.certificate_check import CertificateError, check_certificate


def run(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file written by mossa solve --certificate.")
    ],
    as_json: Json = False,
) -> None:
    """Check a proof written by mossa solve, independently of the solver and its rules.

    If the proof fails, an error says where, and the exit code is 2.
    """
    if not path.is_file():
        raise GameError(f"no certificate {str(path)!r}: there is no such file")
    with progress_bar(silent=as_json) as progress:
        task = progress.add_task("", total=None, name="check")
        try:
            proven = check_certificate(path, lambda done: progress.update(task, completed=done))
        except CertificateError as error:
            raise GameError(f"{path}: not proven: {error}") from None
        except KeyboardInterrupt:
            progress.stop()
            stopped("the check is not complete")
    side, score = proven["side"], Exact(proven["value"], proven.get("distance"))
    if as_json:
        data = {
            "game": proven["game"],
            "text": proven["board"],
            "side": {"x": Side.first.name, "o": Side.second.name}.get(side, side),
            "score": score_data(score),
        }
        print(json.dumps(data))
    else:
        board = proven["board"]
        turn = "" if side in board.split(" ")[-1].split(",") else f", {side} to move"
        print(f"{path}: {proven['game']}, board {board}{turn}: score {score} is proven")
