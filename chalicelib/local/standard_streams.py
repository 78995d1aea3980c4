"""Standard streams that were closed before the program began lead to nothing, as in a daemon.

A file that is opened later would else get the number of one, and whatever is written to the stream.
"""

import os
import sys

_OUTPUTS = {1: "stdout", 2: "stderr"}


def open_closed_streams() -> None:
    """Open the standard streams that are closed, for this process and for those that it starts."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest number that is free is the next one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - by its place
            if number in _OUTPUTS:
                setattr(sys, _OUTPUTS[number], os.fdopen(number, "w", closefd=False))
