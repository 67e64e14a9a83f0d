"""Which calls of the kernel a program in a sandbox may not make, as a filter for seccomp.

Namespaces do not cover everything. A socket of the family vsock talks to whatever runs this virtual
machine, keys are kept by user and session, and shared memory need not belong to any process. What
is left is refused here; an ordinary program never asks for it. The filter is a short program for
the kernel (man 2 seccomp): load a word, compare it, return a verdict.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class _Machine:
    """A kind of processor: how the kernel calls it, and its numbers of calls."""

    name: int
    socket: int
    refused: tuple[int, ...]
    memory: tuple[int, ...]
    """Calls that get memory which nobody would count."""
    most: int | None = None
    """From here on, numbers belong to another kind of program."""


# ptrace, process_vm_readv and _writev, kcmp, pidfd_getfd; add_key, request_key, keyctl; bpf,
# perf_event_open, userfaultfd; io_uring (three), which makes calls that no filter sees.
# Memory: shmget, memfd_create, memfd_secret.
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        41,
        (101, 310, 311, 312, 438, 248, 249, 250, 321, 298, 323, 425, 426, 427),
        (29, 319, 447),
        0x40000000,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        198,
        (117, 270, 271, 272, 438, 217, 218, 219, 280, 241, 282, 425, 426, 427),
        (194, 279, 447),
    ),
}

_FAMILIES = (1, socket.AF_INET, socket.AF_INET6, 16)  # unix, IPv4, IPv6, netlink

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_CALL, _MACHINE, _ARGUMENT = 0, 4, 16  # where they are
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000


def call_filter(*, limit_memory: bool) -> bytes | None:
    """Return the filter for this machine; None if its numbers of calls are not known.

    ``limit_memory`` says that memory is counted by process, so that all of it must belong to one.
    """
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return None
    unknown = _word(_RETURN, _REFUSE | errno.ENOSYS)
    forbidden = _word(_RETURN, _REFUSE | errno.EPERM)
    allowed = _word(_RETURN, _ALLOW)
    words = [_word(_LOAD, _MACHINE), _word(_EQUAL, machine.name, 1, 0), unknown]
    words.append(_word(_LOAD, _CALL))
    if machine.most is not None:
        words += [_word(_AT_LEAST, machine.most, 0, 1), unknown]
    for number in (*machine.refused, *(machine.memory if limit_memory else ())):
        words += [_word(_EQUAL, number, 0, 1), forbidden]
    words += [_word(_EQUAL, machine.socket, 1, 0), allowed, _word(_LOAD, _ARGUMENT)]
    for family in _FAMILIES:
        words += [_word(_EQUAL, family, 0, 1), allowed]
    words.append(_word(_RETURN, _REFUSE | errno.EAFNOSUPPORT))
    return b"".join(words)


def _word(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction, with how many to skip."""
    return struct.pack("=HBBI", code, if_true, if_false, value)
