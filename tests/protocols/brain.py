"""A brain of Gomocup that plays the first free cell; its argument says how it errs."""

from __future__ import annotations

import sys

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def say(line: str) -> None:
    sys.stdout.write(f"{line}\r\n")
    sys.stdout.flush()


def main() -> None:
    width = height = 0
    taken: set[tuple[int, int]] = set()

    def play() -> None:
        if FAULT == "off":
            say("99,99")
        elif FAULT == "taken" and taken:
            x, y = next(iter(taken))
            say(f"{x},{y}")
        elif FAULT == "babble":
            say("my move is h8")
        else:
            x, y = next((x, y) for y in range(height) for x in range(width) if (x, y) not in taken)
            taken.add((x, y))
            say("MESSAGE thinking hard")
            say(f"{x},{y}")

    lines = iter(sys.stdin)
    for line in lines:
        command, _, rest = line.strip().partition(" ")
        match command:
            case "START" | "RECTSTART" if FAULT == "size":
                say("ERROR unsupported size")
            case "START":
                width = height = int(rest)
                taken.clear()
                say("OK")
            case "RECTSTART":
                width, height = map(int, rest.split(","))
                taken.clear()
                say("OK - ready")
            case "BEGIN":
                play()
            case "TURN":
                x, y = map(int, rest.split(","))
                taken.add((x, y))
                play()
            case "BOARD":
                taken.clear()
                for stone in lines:
                    if stone.strip() == "DONE":
                        break
                    x, y, _ = map(int, stone.split(","))
                    taken.add((x, y))
                play()
            case "INFO" if FAULT == "unknown":
                say(f"UNKNOWN command INFO {rest}")
            case "INFO" | "":
                pass
            case "END":
                return
            case _:
                say("UNKNOWN")


if __name__ == "__main__":
    main()
