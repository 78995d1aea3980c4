"""A limit of so many units a second: of a table, a key, or the making of containers."""

import math


class Throughput:
    """Something that serves so many units a second, whoever asks first, and may have saved some."""

    def __init__(self, a_second: float, saved: float = 0.0) -> None:
        self._a_second = a_second
        self._saved_s = saved / a_second
        self._served_until = -math.inf

    def take(self, now: float, units: float) -> float:
        """Return when units that are asked for now have been served."""
        self._served_until = max(self._served_until, now - self._saved_s) + units / self._a_second
        return max(self._served_until, now)
