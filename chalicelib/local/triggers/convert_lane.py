"""The process that plays the convert function alone: what reads strangers' files is apart.

    python -m chalicelib.local.triggers.convert_lane --go-fd 9 [--stack-modules MODULE]

It gives way to all other processes, so that no conversion delays a post.
"""

import os

from chalicelib.local.triggers.runner import play

_NICENESS = 10

if __name__ == "__main__":
    os.nice(_NICENESS)
    play(converts=True)
