"""Who is calling: from the Authorization header to a Caller, anew at every request.

`http/pipeline` calls it first. A key that is mistyped is refused by its checksum without a look
at the database; every other check is one read, so a revocation or a new role holds from the next
request.
"""

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import BadApiKey
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.key_form import key_hash, looks_like_key
from chalicelib.storage.workspace.callers import NOTE_USE_EVERY, Callers

_SCHEME = "bearer"


class Authentication:
    """The check of API keys."""

    def __init__(self, *, callers: Callers, clock: Clock) -> None:
        self._callers = callers
        self._clock = clock

    def authenticate(self, authorization: str | None) -> Caller:
        """Return the caller a header names. Raises BadApiKey."""
        scheme, _, key = (authorization or "").strip().partition(" ")
        key = key.strip()
        if scheme.lower() != _SCHEME or not looks_like_key(key):
            raise BadApiKey
        holder, now = self._callers.holder(key_hash(key)), self._clock()
        if holder is None or holder.is_over(now):
            raise BadApiKey
        if holder.last_used_at is None or now - holder.last_used_at >= NOTE_USE_EVERY:
            self._callers.note_use(key_hash(key), now)
        return holder.caller
