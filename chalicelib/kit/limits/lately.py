"""Remembers recently seen texts in bounded memory, and only their hashes: they may be secrets."""

import hashlib
import time
from collections.abc import Callable
from threading import Lock


class Lately:
    """Texts that were noted within so many seconds, the last `most` of them; for many threads."""

    def __init__(
        self, most: int, within_s: float, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._within_s = within_s
        self._seconds = seconds
        self._seen: dict[bytes, float] = {}
        self._lock = Lock()

    def note(self, text: str) -> None:
        """Keep that a text was seen now."""
        hashed = _hash(text)
        with self._lock:
            self._seen.pop(hashed, None)
            self._seen[hashed] = self._seconds()
            if len(self._seen) > self._most:
                del self._seen[next(iter(self._seen))]

    def has(self, text: str) -> bool:
        """Tell whether a text was seen lately."""
        seen_at = self._seen.get(_hash(text))
        return seen_at is not None and self._seconds() - seen_at < self._within_s


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
