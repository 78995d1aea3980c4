"""The functions that invoke themselves on purpose, through queues; Lambda stops any other one.

Lambda stops a function that was invoked about 16 times in one chain of requests, unless its
`RecursiveLoop` is `Allow` (Lambda guide, "Use Lambda recursive loop detection to prevent infinite
loops"). A function that waits for a platform, a copy or a place sends a message to itself. The
template, the local loop, the simulation and the model of capacity read this page.
"""

from typing import Final

MOST_HOPS: Final = 16
MAY_WAKE_THEMSELVES: Final = frozenset({"publish", "prepare", "retry", "convert", "finish_uploads"})
"""By the names of `app.py`; `tests/deployment/templates/test_chains.py` finds who must be here."""
