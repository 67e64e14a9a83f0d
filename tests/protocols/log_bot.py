"""A program that speaks UGI, plays the first legal move and logs every line that it reads."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    with Path(sys.argv[1]).open("a") as log:
        for line in sys.stdin:
            log.write(line)
            log.flush()
            words = line.split()
            match words[0]:
                case "ugi":
                    print("option name searchmoves type check default true")
                    if len(sys.argv) > 2:
                        print(f"option name game type string {sys.argv[2]}")
                    print("ugiok")
                case "isready":
                    print("readyok")
                case "go":
                    print("bestmove", words[words.index("searchmoves") + 1])
                case "quit":
                    return
            sys.stdout.flush()


if __name__ == "__main__":
    main()
