"""goldenhour, a social post scheduling API: rooms whose imports point from the edges to `domain`.

`docs/architecture.md` draws them and the two trips through them; `make check` enforces directions.
"""

import sys
import zoneinfo

if sys.flags.optimize > 1:
    # Refusals take their words from the docstrings of their classes: all would be empty.
    raise SystemExit("goldenhour needs its docstrings: run Python without -OO or PYTHONOPTIMIZE=2.")

# Every process of the service begins here: zones follow the pinned package `tzdata`, never the
# files of the machine, which may be years old (`doctor` tells which rules these are). Python looks
# there first: docs.python.org/3/library/zoneinfo.html, "Data sources".
zoneinfo.reset_tzpath(to=())
zoneinfo.ZoneInfo.clear_cache()
