"""A starter bot in Python: speaks UGI and plays any legal move, in every game.

mossa match "ugi:python3 examples/bots/bot.py" random connect4
"""

import random
import sys


def choose(game: str, moves: list[str], legal: list[str]) -> str:
    """Return a move. This is the place for your ideas.

    ``game`` is its name, such as connect:6x7x4; ``moves`` are all moves so far.
    """
    return random.choice(legal)


def say(line: str) -> None:
    """Print a line at once: a line in a buffer is never heard."""
    print(line, flush=True)


def main() -> None:
    """Answer commands until quit."""
    game, moves = "connect:6x7x4", list[str]()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        match words[0]:
            case "ugi":
                say("id name starter bot in Python")
                say("option name searchmoves type check default true")  # send me the legal moves
                say("ugiok")
            case "isready":
                say("readyok")
            case "setoption" if words[1:4] == ["name", "game", "value"]:
                game = words[4]
            case "position":
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
            case "go" if "searchmoves" in words:
                say(f"bestmove {choose(game, moves, words[words.index('searchmoves') + 1 :])}")
            case "go":
                say("bestmove none")
            case "quit":
                break


if __name__ == "__main__":
    main()
