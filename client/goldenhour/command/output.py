r"""stdout and stderr of one run: what is written there never decides how the run ended.

Into files and pipes goes UTF-8, unless PYTHONIOENCODING names another encoding; on a terminal goes
what the terminal can show. A character that cannot be written is spelled out (\U0001f35e). Once a
command has acted, an output that takes nothing more (a full disk, a reader that left) is no
failure: what was asked for is done, and repeating it would do it twice.
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_SPELLED_OUT = "backslashreplace"


class Outlet(io.FileIO):
    """A file or pipe that may drop what it cannot write, if `may_lose` says so."""

    lost: OSError | None = None

    def __init__(self, descriptor: int, may_lose: Callable[[], bool]) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.may_lose = may_lose

    def write(self, content: "ReadableBuffer") -> int:
        """Write, or drop."""
        try:
            return super().write(content)
        except OSError as failure:
            if not self.may_lose():
                raise
            self.lost = failure
            return memoryview(content).nbytes


@contextlib.contextmanager
def open_output(may_lose: Callable[[], bool]) -> Iterator[Callable[[], OSError | None]]:
    """Make stdout and stderr so for a while; what is yielded says why a result was lost, if so."""
    before = sys.stdout, sys.stderr
    result = _outlet(sys.stdout, may_lose)
    remarks = _outlet(sys.stderr, lambda: True)
    sys.stdout, sys.stderr = (
        _text(stream, outlet) for stream, outlet in zip(before, (result, remarks), strict=True)
    )
    try:
        yield lambda: None if result is None else result.lost
    finally:
        if result is not None:
            result.may_lose = lambda: True  # how the run ended is known
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout, sys.stderr = before


def is_for_everything(stream: TextIO) -> bool:
    """Tell whether a stream takes every character as it is."""
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _outlet(stream: TextIO | None, may_lose: Callable[[], bool]) -> Outlet | None:
    """Return a way around a stream of Python's own; None for a terminal or somebody else's."""
    if not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        return None
    try:
        return Outlet(stream.fileno(), may_lose)
    except OSError:
        return None


def _text(stream: TextIO | None, outlet: Outlet | None) -> TextIO:
    if stream is None:  # it was closed before we began
        return Path(os.devnull).open("w", encoding="utf-8")
    if outlet is None:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_SPELLED_OUT)
        return stream
    stream.flush()
    named = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    return io.TextIOWrapper(
        io.BufferedWriter(outlet),
        encoding=stream.encoding if named else "utf-8",
        errors=_SPELLED_OUT,
        line_buffering=stream is sys.stderr,
    )
