"""A child that cannot be started takes nothing along that is short already."""

import errno
import os
import sys
from functools import partial

import pytest

from chalicelib.workers.media.isolated.process import running_child, start_program


@pytest.mark.parametrize("given", [0, 1])
def test_without_handles_for_both_pipes_none_is_kept(
    given: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each try would take another two."""
    real, made = os.pipe, list[int]()

    def pipe() -> tuple[int, int]:
        if len(made) == 2 * given:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        made.extend(real())
        return made[-2], made[-1]

    monkeypatch.setattr(os, "pipe", pipe)

    with (
        pytest.raises(OSError, match="Too many open files"),
        running_child(partial(start_program, (sys.executable, "-c", "pass"))),
    ):
        pass

    for descriptor in made:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)
