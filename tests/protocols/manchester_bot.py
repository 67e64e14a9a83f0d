"""A program of Manchester's tournament that sows its first pit with seeds, or misbehaves.

``manchester_bot.py FAULT [LOG]``: what it hears goes to the file LOG.
"""

import sys
import time
from pathlib import Path

PITS = 7
OTHER = {"South": "North", "North": "South"}

fault = sys.argv[1] if len(sys.argv) > 1 else ""
log = Path(sys.argv[2]) if len(sys.argv) > 2 else None
side = ""
board = [PITS] * PITS + [0] + [PITS] * PITS + [0]
fresh = True


def say(line: str) -> None:
    print(line, flush=True)


def answer() -> None:
    """Say a move, or what the fault has instead."""
    global side, fresh
    own = board[:PITS] if side == "North" else board[PITS + 1 : -1]
    may_swap, fresh = fresh and side == "North", False
    if fault == "swap" and may_swap:
        side = OTHER[side]
        say("SWAP")
    elif fault == "silent":
        time.sleep(60)
    elif fault == "junk":
        say("thinking hard ...")
    elif fault == "far":
        say("MOVE;99")
    elif fault == "number":
        say("MOVE;one")
    elif fault == "late swap":
        say("SWAP")
    elif fault == "crash":
        raise RuntimeError("no idea")
    elif fault == "exit":
        sys.exit(3)
    elif fault == "babble":
        while True:
            print("x" * 1000)
    else:
        say(f"MOVE;{next(at + 1 for at in range(PITS) if own[at])}")


for line in sys.stdin:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(line)
    words = line.strip().split(";")
    if words[0] == "START":
        side = words[1]
        if side == "South":
            fresh = False
            answer()
    elif words[0] == "CHANGE":
        board = list(map(int, words[2].split(",")))
        if words[1] == "SWAP":
            side = OTHER[side]
        if words[3] == "YOU":
            answer()
    elif words[0] == "END" and fault != "stay":
        break
    elif words[0] == "END":
        time.sleep(60)
