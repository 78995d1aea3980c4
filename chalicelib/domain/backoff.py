"""How long to wait before a write that others got in the way of is tried again.

Writers that clash would clash again if they waited equally long, so each waits a random time
within a bound that doubles with every try.
"""

import random

_FIRST_S = 0.01
_MOST_DOUBLINGS = 6


def backoff_s(tried: int) -> float:
    """Return the seconds to wait after `tried` earlier tries: at random, up to 0.64 s."""
    return random.uniform(0, _FIRST_S * 2 ** min(tried, _MOST_DOUBLINGS))  # noqa: S311  # jitter
