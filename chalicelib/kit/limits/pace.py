"""How fast a stream's bytes must come or go while it holds a place.

The doors measure clients' uploads and downloads by it, and fetched uploads measure hosts. A stream
that is slower than a slow connection for half a minute only holds its place.
"""

_SLOWEST_BYTES_A_SECOND = 16_384
_MEASURED_EVERY_S = 30.0


class Pace:
    """The pace of one stream, in windows of half a minute."""

    def __init__(self, now: float) -> None:
        self._since = now
        self._bytes = 0

    def is_too_slow(self, size: int, now: float) -> bool:
        """Count what came; tell whether it is too little for its time."""
        self._bytes += size
        seconds = now - self._since
        if seconds < _MEASURED_EVERY_S:
            return False
        is_slow = self._bytes < seconds * _SLOWEST_BYTES_A_SECOND
        self._since, self._bytes = now, 0
        return is_slow
