"""Tokens of completed transactions, so that one that is sent again changes nothing.

They are kept in memory: a transaction is sent again by the same process, within seconds. A row for
each cost a statement and a page of the log each time.
"""

from threading import Lock

from chalicelib.kit.aws_on_sqlite.failures import refusal

_MOST = 1_024


class Tokens:
    """The last ones of a client, each with its transaction's digest."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._digests: dict[str, bytes] = {}
        self._guard = Lock()

    def has(self, token: str, digest: bytes) -> bool:
        """Tell whether a transaction was made. Raises if another one had the token."""
        found = self._digests.get(token)
        if found not in (None, digest):
            raise refusal(
                "IdempotentParameterMismatchException", "The token was used for another call"
            )
        return found is not None

    def note(self, token: str, digest: bytes) -> None:
        """Note that a transaction was made, and forget the oldest of too many."""
        with self._guard:
            self._digests[token] = digest
            if len(self._digests) > self._most:
                del self._digests[next(iter(self._digests))]
