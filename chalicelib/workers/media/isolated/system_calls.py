"""The system calls that the child keeps, and the filter (seccomp(2)) that refuses all others.

What computing, threads and the pipes need is listed; whatever else a kernel knows, or will know, is
refused: no file by its name, no network, no program, no signal, no second process, no memory that
its limits do not count. A few calls are allowed with some arguments only.
"""

import ctypes
import errno
import platform
import struct
from collections.abc import Iterator
from typing import Final

from chalicelib.kit.dataclass import dataclass

_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE, _NO_SUCH_CALL = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32_CALLS = 0x40000000
_INSTRUCTION = struct.Struct("HBBI")

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_MACHINES: Final = tuple(_ARCHITECTURES)

# The numbers for x86_64 and aarch64; None where a machine has no such call.
_ALLOWED: Final[dict[str, tuple[int | None, int | None]]] = {
    # the pipes
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "close": (3, 57),
    "dup": (32, 23),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    # memory
    "brk": (12, 214),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "mprotect": (10, 226),
    "madvise": (28, 233),
    # threads and their signals
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "membarrier": (324, 283),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "gettid": (186, 178),
    "getpid": (39, 172),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
    # clocks, chance, and what is known of the machine
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getrandom": (318, 278),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getuid": (102, 174),
    "geteuid": (107, 175),
}


@dataclass(frozen=True, slots=True)
class _Condition:
    """A call that is allowed where the low half of an argument passes one test."""

    numbers: tuple[int, int]
    argument: int
    test: int
    value: int
    allowed_if: bool = True


_SHARED, _THREAD, _SET_NAME, _THIS_PROCESS = 0x01, 0x10000, 15, 0
_CONDITIONS: Final = (
    _Condition((56, 220), 0, _JUMP_IF_SET, _THREAD),  # clone: threads alone
    _Condition((9, 222), 3, _JUMP_IF_SET, _SHARED, allowed_if=False),  # mmap: what limits count
    _Condition((157, 167), 0, _JUMP_IF_EQUAL, _SET_NAME),  # prctl: a thread's name
    _Condition((302, 261), 0, _JUMP_IF_EQUAL, _THIS_PROCESS),  # prlimit64: of nobody else
)
# Its flags are in memory, where a filter cannot look: glibc then takes clone.
_CLONE3 = 435

_Step = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def filter_calls() -> bool:
    """Let the kernel refuse calls from now on, of every thread; False where it will not."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return False
    code = b"".join(_INSTRUCTION.pack(*step) for step in _instructions(machine))
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _INSTRUCTION.size, ctypes.addressof(buffer))
    call = ctypes.CDLL(None, use_errno=True).prctl
    if call(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(call(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0) == 0)


def _instructions(machine: str) -> Iterator[_Step]:
    """Yield the filter: another architecture kills; what is not allowed is refused."""
    place = _MACHINES.index(machine)
    yield (_LOAD, 0, 0, _ARCHITECTURE)
    yield (_JUMP_IF_EQUAL, 1, 0, _ARCHITECTURES[machine])
    yield (_RETURN, 0, 0, _KILL)
    yield (_LOAD, 0, 0, _NUMBER)
    yield (_JUMP_IF_AT_LEAST, 0, 1, _X32_CALLS)
    yield (_RETURN, 0, 0, _REFUSE)
    yield (_JUMP_IF_EQUAL, 0, 1, _CLONE3)
    yield (_RETURN, 0, 0, _NO_SUCH_CALL)
    for one in _CONDITIONS:
        passed, failed = (_ALLOW, _REFUSE) if one.allowed_if else (_REFUSE, _ALLOW)
        yield (_JUMP_IF_EQUAL, 0, 4, one.numbers[place])
        yield (_LOAD, 0, 0, _ARGUMENTS + 8 * one.argument)
        yield (one.test, 0, 1, one.value)
        yield (_RETURN, 0, 0, passed)
        yield (_RETURN, 0, 0, failed)
    allowed = sorted(n for numbers in _ALLOWED.values() if (n := numbers[place]) is not None)
    for left, number in zip(reversed(range(len(allowed))), allowed, strict=True):
        yield (_JUMP_IF_EQUAL, left + 1, 0, number)
    yield (_RETURN, 0, 0, _REFUSE)
    yield (_RETURN, 0, 0, _ALLOW)
