"""The command line of bubblewrap, which gives a program a small world of its own.

In that world there are the system's programs and libraries, read-only, the folders that it is
given, an empty folder for temporary files, and its own processes; there is no network, no other
user and none of our environment. Its first process is bubblewrap itself: when that ends, or whoever
started it, the kernel ends all others with it, whatever they did to be left alone.

An ordinary user builds it in a user namespace. Root builds it as root, so that it may hold what
only root can reach, and then becomes a user that nobody else is, in a user namespace too if there
are any.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from mossa.sandbox.limits import SandboxError, SandboxLimits

SCRATCH = "/tmp"
"""Where a program finds its folder for temporary files, which is its home too."""

_PATH = "/usr/local/bin:/usr/bin:/bin"
_TOOLS = ("sh", "env", "prlimit", "setpriv")
_MOST_FILES = 256
_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime")
_ROOTS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")

# Users of sandboxes, one for each: numbers that no system gives to anybody.
_FIRST_USER = 1_900_000_000
_USERS = 100_000_000
_NOBODY = 65534
_MAP = Path("/proc/self/uid_map")

_FILTER = 9  # where bubblewrap finds the filter of calls
_BEGIN = (
    'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1/cgroup.procs" || exit 125; '
    "shift; n=$((n-1)); done; f=$1; shift; "
    f'if [ -n "$f" ]; then exec {_FILTER}<"$f"; fi; exec "$@"'
)
"""Enters groups before anything else is started, so that nothing is ever outside of them."""


def missing() -> str | None:
    """Return in one line why there is no sandbox here; None if there is one."""
    return _missing(os.environ.get("PATH", ""))


@cache
def _missing(path: str) -> str | None:
    if sys.platform != "linux":
        return "a sandbox needs Linux: its programs are kept apart by bubblewrap"
    if shutil.which("bwrap", path=path) is None:
        return "bubblewrap is not installed: apt install bubblewrap"
    for each in _TOOLS:
        if shutil.which(each) is None:
            return f"{each} is not installed: apt install util-linux"
    return _why_not(command(["true"], limits=SandboxLimits()))


def _why_not(words: Sequence[str]) -> str | None:
    """Try a sandbox with nothing in it."""
    try:
        tried = subprocess.run(words, capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here: {error}"
    if tried.returncode == 0:
        return None
    said = " ".join(tried.stderr.decode(errors="replace").split())[:300]
    if "ser namespace" in said or "uid map" in said:
        return (
            f"bubblewrap may not make user namespaces here ({said}): allow them "
            "(sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000 "
            "kernel.apparmor_restrict_unprivileged_userns=0), or start as root"
        )
    return f"bubblewrap does not work here: {said or f'exit code {tried.returncode}'}"


def check_sandbox() -> None:
    """Raise SandboxError if this machine cannot run a sandbox."""
    why = missing()
    if why is not None:
        raise SandboxError(why)


# ---------------------------------------------------------------- users


def is_root() -> bool:
    """Tell whether programs must run as another user."""
    return os.geteuid() == 0


def user(number: int) -> int:
    """Return the user of a sandbox: a number of its own, or nobody's where there are few users."""
    wanted = _FIRST_USER + number % _USERS
    try:
        spans = [list(map(int, line.split())) for line in _MAP.read_text().splitlines()]
    except (OSError, ValueError):
        spans = []
    known = any(first <= wanted < first + size for first, _, size in spans)
    return wanted if known else _NOBODY


@cache
def _can_nest() -> bool:
    """Tell whether a program that root has started can be kept from making user namespaces."""
    words = [_bwrap(), *_NESTED, "true"]
    unprivileged = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"]
    return (
        Path(_bwrap()).is_relative_to("/usr")
        and _allows_disabling()
        and _why_not([*unprivileged, *words]) is None
    )


_NESTED = ("--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--")


@cache
def _allows_disabling() -> bool:
    """Tell whether bubblewrap is new enough (0.8) to forbid more user namespaces."""
    shown = subprocess.run([_bwrap(), "--help"], capture_output=True, text=True)
    return "--disable-userns" in shown.stdout + shown.stderr


def _bwrap() -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("bubblewrap is not installed: apt install bubblewrap")
    return os.path.realpath(found)


# ---------------------------------------------------------------- the command line


def command(
    words: Sequence[str],
    *,
    limits: SandboxLimits,
    folder: Path | None = None,
    reads: Iterable[tuple[Path, Path]] = (),
    writes: Iterable[Path] = (),
    groups: Sequence[Path] = (),
    calls: Path | None = None,
    limit_memory: bool = True,
    variables: dict[str, str] | None = None,
    marks: dict[str, str] | None = None,
    number: int = 0,
    as_root: bool | None = None,
) -> list[str]:
    """Return what runs ``words`` in a sandbox.

    It starts in ``folder``, of which it sees nothing but what it is given: ``reads`` are places
    with the files to show there, ``writes`` places that it may write to. ``groups`` are entered
    first; ``calls`` is a file with a filter of calls. ``variables`` are added to its environment,
    ``marks`` are seen from outside only.
    """
    as_root = is_root() if as_root is None else as_root
    start = ["sh", "-c", _BEGIN, "sh", str(len(groups)), *map(str, groups), str(calls or "")]
    inside = ["prlimit", *_prlimits(limits, limit_memory, as_root), "--"]
    if as_root:
        own = user(number)
        inside += [
            "setpriv",
            f"--reuid={own}",
            f"--regid={own}",
            "--clear-groups",
            "--inh-caps=-all",
            "--ambient-caps=-all",
            "--bounding-set=-all",
            "--no-new-privs",
            "--",
        ]
        if _can_nest():
            inside += [_bwrap(), *_NESTED]
    return [
        *start,
        "env",
        "-i",  # the environment of a sandbox's first process can be read in it
        *(f"{name}={value}" for name, value in (marks or {}).items()),
        _bwrap(),
        *_namespaces(as_root),
        *([] if calls is None else ["--seccomp", str(_FILTER)]),
        *_view(limits, reads, writes, folder),
        *_environment(variables or {}),
        "--",
        *inside,
        *words,
    ]


def _namespaces(as_root: bool) -> list[str]:
    words = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--hostname", "sandbox", "--die-with-parent"]
    words += ["--new-session", "--cap-drop", "ALL"]
    if as_root:  # to become somebody else; they are dropped on the way
        for each in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            words += ["--cap-add", each]
    else:
        words.append("--unshare-user")
        if _allows_disabling():
            words.append("--disable-userns")
    return words


def runtime() -> list[Path]:
    """Return the folders of the system that every sandbox shows."""
    return [Path("/usr"), *(Path("/", name) for name in _ROOTS), Path("/nix/store")]


def _view(
    limits: SandboxLimits,
    reads: Iterable[tuple[Path, Path]],
    writes: Iterable[Path],
    folder: Path | None,
) -> list[str]:
    words: list[str] = []
    for each in runtime():
        if each.is_symlink():
            words += ["--symlink", str(each.readlink()), str(each)]
        elif each.is_dir():
            words += ["--ro-bind", str(each), str(each)]
    words += ["--dir", "/etc"]
    java = (path.name for path in Path("/etc").glob("java*"))
    for name in (*_ETC, *java):
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += ["--proc", "/proc", "--dev", "/dev"]
    scratch = ["--perms", "1777", "--size", str(limits.scratch << 20), "--tmpfs"]
    words += [*scratch, SCRATCH, *scratch, "/dev/shm"]
    if folder is not None:
        words += [*_parents(folder), "--dir", str(folder)]
    # The outer ones first: what is shown inside a folder must not be hidden by it.
    for place, files in sorted(reads):
        words += [*_parents(place), "--ro-bind", str(files), str(place)]
    for place in sorted(writes):
        words += [*_parents(place), "--bind", str(place), str(place)]
    # Both are kept in memory, and have no limit of their own.
    words += ["--remount-ro", "/dev", "--remount-ro", "/"]
    words += ["--chdir", SCRATCH if folder is None else str(folder)]
    return words


def _parents(place: Path) -> list[str]:
    """Return what makes the folders above a place: root's own would be closed to others."""
    return [word for each in reversed(place.parents[:-1]) for word in ("--dir", str(each))]


def _environment(variables: dict[str, str]) -> list[str]:
    found = {
        "PATH": _PATH,
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "USER": "player",
        "PYTHONDONTWRITEBYTECODE": "1",
        **variables,
    }
    words = ["--clearenv"]
    for name, value in found.items():
        words += ["--setenv", name, value]
    return words


_OWN_COUNT = (5, 14)
"""The version of Linux from which on a user namespace has a count of processes of its own."""


def _prlimits(limits: SandboxLimits, limit_memory: bool, as_root: bool) -> list[str]:
    """Return the limits of every process, none of them above what holds here already."""
    import resource

    wanted = {
        "core": (resource.RLIMIT_CORE, 0),
        "cpu": (resource.RLIMIT_CPU, limits.cpu),
        "fsize": (resource.RLIMIT_FSIZE, limits.file << 20),
        "nofile": (resource.RLIMIT_NOFILE, _MOST_FILES),
        "msgqueue": (resource.RLIMIT_MSGQUEUE, 1 << 16),
        "memlock": (resource.RLIMIT_MEMLOCK, 1 << 16),
    }
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    if as_root or version >= _OWN_COUNT:
        wanted["nproc"] = (resource.RLIMIT_NPROC, limits.processes)
    if limit_memory:
        # Not of the address space: Java and threads reserve much more of it than they use.
        wanted["data"] = (resource.RLIMIT_DATA, limits.memory << 20)
    words = []
    for name, (number, most) in wanted.items():
        hard = resource.getrlimit(number)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # A second between the signal that says what happened and the one that ends it.
        more = int(name == "cpu" and value == most)
        words.append(f"--{name}={value}:{value + more}")
    return words
