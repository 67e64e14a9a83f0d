"""A program that tries to do harm in one way, and says ``escaped`` if it could.

``hostile.py ATTACK [ARGUMENTS]`` attacks at once; ``hostile.py ugi ATTACK [ARGUMENTS]`` speaks UGI
and attacks when it is asked for its first move, or between its moves.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH = 16
CLONE_NEWUSER = 0x10000000


def escaped(what: str) -> None:
    print(f"escaped: {what}", flush=True)


@contextmanager
def refused() -> Iterator[None]:
    with suppress(OSError, PermissionError):
        yield


def fork() -> None:
    while True:
        os.fork()


def threads() -> None:
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def memory() -> None:
    kept = []
    for _ in range(10 << 10):
        kept.append(bytearray(b"x") * (1 << 20))
    escaped("10 GB of memory")


def shared_memory() -> None:
    import mmap

    space = mmap.mmap(-1, 4 << 30)
    for at in range(0, 4 << 30, 4096):
        space[at] = 1
    escaped("4 GB of shared memory")


def stdout() -> None:
    while True:
        os.write(1, b"x" * 79 + b"\n")


def stderr() -> None:
    while True:
        os.write(2, b"x" * 79 + b"\n")


def line() -> None:
    while True:
        os.write(1, b"x" * 4096)


def cpu() -> None:
    while True:
        pass


SECRET = "MOSSA_TEST_" + "PASSWORD"
"""A variable of whoever runs the tests, whose name is in no command line."""


def read(*files: str) -> None:
    for name in ("/etc/shadow", "/etc/passwd", "/etc/hostname", "/var", "/home", *files):
        path = Path(name)
        with refused():
            if path.is_dir():
                escaped(f"{path}: {list(path.iterdir())}")
            else:
                escaped(f"{path}: {path.read_bytes()[:20]!r}")
    if SECRET in os.environ:
        escaped("the environment")
    for each in Path("/proc").glob("[0-9]*"):
        for name in ("environ", "cmdline"):
            with refused():
                if SECRET.encode() in (each / name).read_bytes():
                    escaped(f"{each}/{name}")
        if int(each.name) > 1000:
            escaped(f"process {each.name}")


def write(*folders: str) -> None:
    here = str(Path(__file__).resolve().parent)
    for folder in (here, "/", "/usr", "/usr/bin", "/etc", "/dev", "/proc/sys/kernel", *folders):
        with refused():
            Path(folder, "hostile").write_text("was here")
            escaped(folder)
    with refused():
        Path(__file__).rename(f"{__file__}.moved")
        escaped("its own file")
    Path("/tmp/mine").write_text("may be")


def disk() -> None:
    for number in range(10_000):
        Path(f"/tmp/{number}").write_bytes(bytes(1 << 20))
    escaped("10 GB of files")


def files() -> None:
    for number in range(1_000_000):
        Path(f"/tmp/{number}").touch()
    escaped("a million files")


def large_file() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with Path("/tmp/large").open("wb") as file:
        for _ in range(10_000):
            file.write(bytes(1 << 20))
    escaped("a file of 10 GB")


def network(tcp: str, udp: str, abstract: str, path: str) -> None:
    with refused():
        socket.create_connection(("127.0.0.1", int(tcp)), timeout=1)
        escaped("TCP")
    with refused(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as each:
        each.settimeout(0.2)
        each.connect(("127.0.0.1", int(udp)))
        each.send(b"hello")
        each.recv(10)
        escaped("UDP")
    for address in (f"\0{abstract}", path):
        with refused(), socket.socket(socket.AF_UNIX) as each:
            each.connect(address)
            escaped(f"a unix socket at {address!r}")
    if len(socket.if_nameindex()) > 1:
        escaped(f"interfaces: {socket.if_nameindex()}")


def kill() -> None:
    for pid in (1, os.getppid(), -1):
        for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGINT, signal.SIGHUP):
            with refused():
                if pid != -1 or number != signal.SIGSTOP:
                    os.kill(pid, number)
    for pid in range(1, 70_000):
        if pid != os.getpid():
            with refused():
                os.kill(pid, signal.SIGKILL)
    if LIBC.ptrace(PTRACE_ATTACH, 1, 0, 0) == 0:
        os.kill(1, signal.SIGKILL)
    print("still here", flush=True)


def privileges() -> None:
    status = Path("/proc/self/status").read_text()
    for line in status.splitlines():
        name, _, value = line.partition(":")
        if name.startswith("Cap") and int(value, 16):
            escaped(line)
        if name == "NoNewPrivs" and int(value) != 1:
            escaped(line)
        if name in ("Uid", "Gid") and "0" in value.split():
            escaped(line)
        if name == "Groups" and "0" in value.split():
            escaped(line)
    with refused():
        os.setuid(0)
        escaped("root")
    if LIBC.unshare(CLONE_NEWUSER) == 0:
        escaped("a user namespace of its own")
    if LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
        escaped("a file system")
    with refused():
        socket.socket(40, socket.SOCK_STREAM)  # vsock, which no namespace holds
        escaped("whoever runs this virtual machine")
    if LIBC.ptrace(0, 0, 0, 0) == 0:
        escaped("a tracer")
    if platform.machine() == "x86_64" and LIBC.syscall(250, 0, -3, 0) >= 0:
        escaped("the keys of a session")
    if LIBC.syscall(425, 8, ctypes.create_string_buffer(256)) >= 0:
        escaped("io_uring")
    with refused():
        os.chroot("/tmp")
        escaped("another root")


def linger(token: str) -> None:
    """Leave processes behind that belong to nobody."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", token])


# ---------------------------------------------------------------- between its moves


def ponder() -> None:
    threading.Thread(target=cpu, daemon=True).start()


def sleepless() -> None:
    """Have the kernel send SIGCONT again and again: it ends what SIGSTOP began."""

    class Event(ctypes.Structure):
        _fields_ = (
            ("value", ctypes.c_void_p),
            ("signal", ctypes.c_int),
            ("notify", ctypes.c_int),
            ("rest", ctypes.c_char * 48),
        )

    signal.signal(signal.SIGCONT, lambda *_: None)  # who ignores it gets it once
    timer = ctypes.c_void_p()
    event = Event(None, signal.SIGCONT, 0)
    assert LIBC.timer_create(1, ctypes.byref(event), ctypes.byref(timer)) == 0
    times = (ctypes.c_long * 4)(0, 60_000_000, 0, 60_000_000)
    assert LIBC.timer_settime(timer, 0, ctypes.byref(times), None) == 0
    ponder()


def comet() -> None:
    """Be a new process all the time: whoever is stopped has passed it on."""
    if os.fork():
        return
    while True:
        if os.fork():
            os._exit(0)


def play(attack: Callable[..., None], *arguments: str) -> None:
    """Speak UGI, and play whatever move comes first."""
    begun = False
    for text in sys.stdin:
        words = text.split()
        if words[:1] == ["ugi"]:
            print("option name searchmoves\nugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["quit"]:
            return
        elif words[:1] == ["go"]:
            if not begun:
                begun = True
                attack(*arguments)
            move = words[words.index("searchmoves") + 1]
            print(f"bestmove {move}", flush=True)


def look() -> None:
    """Tell whether it is alone, and leave."""
    print("there are others" if os.getppid() > 10 else "nobody is here", file=sys.stderr)
    sys.exit(1)


def nothing() -> None:
    """Play."""


if __name__ == "__main__":
    name, *rest = sys.argv[1:]
    if name == "ugi":
        play(globals()[rest[0]], *rest[1:])
    else:
        globals()[name](*rest)
