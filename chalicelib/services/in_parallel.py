"""Independent reads at the same time, so that a request waits only for the longest one."""

from collections.abc import Callable
from typing import TypeVar, overload

from chalicelib.kit.limits.thread_pool import HelpedPool

_A = TypeVar("_A")
_B = TypeVar("_B")
_C = TypeVar("_C")
_D = TypeVar("_D")
_E = TypeVar("_E")
_F = TypeVar("_F")


@overload
def in_parallel(a: Callable[[], _A], b: Callable[[], _B], /) -> tuple[_A, _B]: ...
@overload
def in_parallel(
    a: Callable[[], _A], b: Callable[[], _B], c: Callable[[], _C], /
) -> tuple[_A, _B, _C]: ...
@overload
def in_parallel(
    a: Callable[[], _A], b: Callable[[], _B], c: Callable[[], _C], d: Callable[[], _D], /
) -> tuple[_A, _B, _C, _D]: ...
@overload
def in_parallel(
    a: Callable[[], _A],
    b: Callable[[], _B],
    c: Callable[[], _C],
    d: Callable[[], _D],
    e: Callable[[], _E],
    f: Callable[[], _F],
    /,
) -> tuple[_A, _B, _C, _D, _E, _F]: ...
def in_parallel(*reads: Callable[[], object]) -> tuple[object, ...]:
    """Return all results; each read but the first has its own thread. Raises what the first did."""
    first, *others = reads
    with HelpedPool(len(others)) as threads:
        reading = [threads.submit(other) for other in others]
        return (first(), *(one.result() for one in reading))
