"""What the child may do: compute, within memory and time, and talk over the pipes it has.

`setrlimit` bounds it on every Unix. On Linux a seccomp filter (seccomp(2)) also takes away what
would open a file, reach a network, start a program or look into another process; a system that
allows no filter leaves the limits and the empty environment.
"""

import ctypes
import errno
import os
import platform
import resource
import signal
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

MOST_MEMORY = 364 * 1024 * 1024
"""Of data; with the libraries' code the process stays below 400 MB."""

_FEW_FILES = 32
_CPU_GRACE_S = 5
_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_DIE_WITH_PARENT = 1
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_X32_CALLS = 0x40000000
_INSTRUCTION = struct.Struct("HBBI")


@dataclass(frozen=True, slots=True)
class _Machine:
    architecture: int
    refused: frozenset[int]


_EVERYWHERE = frozenset({425, 434, 437, 438})  # io_uring_setup, pidfd_open, openat2, pidfd_getfd
_MACHINES = {
    # open, socket, connect, socketpair, fork, vfork, execve, kill, truncate, rename, mkdir, rmdir,
    # creat, link, unlink, symlink, chmod, chown, ptrace, chroot, mount, umount2, keyctl, openat,
    # mkdirat, mknodat, unlinkat, renameat, linkat, symlinkat, fchmodat, unshare, perf_event_open,
    # open_by_handle_at, setns, process_vm_readv, process_vm_writev, renameat2, bpf, execveat,
    # userfaultfd
    "x86_64": _Machine(
        0xC000003E,
        frozenset({2, 41, 42, 53, 57, 58, 59, 62, 76, 82, 83, 84, 85, 86, 87, 88, 90, 92, 101})
        | {161, 165, 166, 250, 257, 258, 259, 263, 264, 265, 266, 268, 272, 298, 304, 308, 310}
        | {311, 316, 321, 322, 323}
        | _EVERYWHERE,
    ),
    # The same by this machine's numbers, without those that it does not have.
    "aarch64": _Machine(
        0xC00000B7,
        frozenset({33, 34, 35, 36, 37, 38, 39, 40, 45, 51, 53, 56, 97, 117, 129, 198, 199, 203})
        | {219, 221, 241, 265, 268, 270, 271, 276, 280, 281, 282}
        | _EVERYWHERE,
    ),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def confine(cpu_seconds: int) -> bool:
    """Give up what converting does not need; tell whether calls are filtered too.

    All that will be imported must be there already.
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, _FEW_FILES)
    _limit(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + _CPU_GRACE_S)
    _limit(resource.RLIMIT_DATA, MOST_MEMORY)
    if sys.platform != "linux":
        return False
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    return _filter_calls()


def _limit(which: int, soft: int, hard: int | None = None) -> None:
    _, allowed = resource.getrlimit(which)
    most = soft if hard is None else hard
    if allowed != resource.RLIM_INFINITY:
        soft, most = min(soft, allowed), min(most, allowed)
    resource.setrlimit(which, (soft, most))


def _filter_calls() -> bool:
    """Let the kernel refuse calls from now on, of every thread; False where it will not."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    code = _instructions(machine)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _INSTRUCTION.size, ctypes.addressof(buffer))
    call = ctypes.CDLL(None, use_errno=True).prctl
    if call(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(call(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0) == 0)


def _instructions(machine: _Machine) -> bytes:
    """Return the filter: another architecture kills, a call of the list is refused."""
    count = len(machine.refused)
    program = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_JUMP_IF_EQUAL, 1, 0, machine.architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the call's number
        (_JUMP_IF_AT_LEAST, count + 1, 0, _X32_CALLS),
    ]
    program += [
        (_JUMP_IF_EQUAL, count - place, 0, number)
        for place, number in enumerate(sorted(machine.refused))
    ]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(_INSTRUCTION.pack(*step) for step in program)


def bare_environment() -> dict[str, str]:
    """Return what a child needs of the environment to load its libraries: no key is among it."""
    named = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "LANG") if name in os.environ}
    # An empty path is the working directory, which is another one for the child.
    paths = (path or str(Path.cwd()) for path in sys.path)
    return {**named, "PYTHONPATH": os.pathsep.join(paths)}
