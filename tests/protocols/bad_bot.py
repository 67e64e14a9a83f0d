"""A program that speaks UGI and misbehaves in the one way that its argument names."""

from __future__ import annotations

import os
import signal
import sys
import time


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def leave_child(path: str) -> None:
    """Leave a child behind that keeps the output open, and end."""
    if os.fork() == 0:
        with open(path, "w") as file:  # noqa: PTH123
            file.write(str(os.getpid()))
        time.sleep(600)
    time.sleep(0.2)
    os._exit(0)


def misbehave(how: str) -> None:
    """Answer `go` as nobody should."""
    match how.split("=")[0]:
        case "daemon":
            if os.fork() == 0:
                os.setsid()
                time.sleep(600)
            say("bestmove 1")
        case "crash":
            raise RuntimeError("division by cucumber")
        case "exit":
            sys.exit(3)
        case "abort":
            os.abort()
        case "stall":
            time.sleep(600)
        case "spin":
            while True:
                pass
        case "illegal":
            say("bestmove 99")
        case "nonsense":
            say("bestmove ;-)")
        case "empty":
            say("bestmove")
        case "none":
            say("info string out of ideas")
            say("bestmove none")
        case "megabyte":
            sys.stdout.write("x" * 1_000_000)
            sys.stdout.flush()
            time.sleep(600)
        case "nul":
            say("bestmove \0\0\0")
        case "bytes":
            sys.stdout.buffer.write(b"bestmove \xff\xfe\n")
            sys.stdout.buffer.flush()
        case "close":
            os.close(1)
            time.sleep(600)
        case "fork":
            leave_child(how.split("=")[1])
        case "flood":
            while True:
                say("info string " + "y" * 1000)
        case "errors":
            sys.stderr.write("z" * 1_000_000)
            say("bestmove 1")
        case "memory":
            hoard = [bytearray(64 << 20) for _ in range(100)]
            say(f"bestmove {len(hoard)}")
        case "twice":
            say("bestmove 1")
            say("bestmove 1")


def main() -> None:
    how = sys.argv[1]
    if how == "mute":
        time.sleep(600)
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["ugi"]:
                say("id name bad bot")
                say("ugiok")
            case ["isready"] if how == "unready":
                time.sleep(600)
            case ["isready"]:
                say("readyok")
                if how == "deaf":
                    time.sleep(600)
            case ["go"] if how in ("stubborn", "undying"):
                say("bestmove 1")
            case ["go"]:
                misbehave(how)
            case ["quit"] if how in ("stubborn", "undying"):
                time.sleep(600)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
