"""Who is calling: from the Authorization header to a Caller, anew at every request.

`api/edge` calls it first. A key that is mistyped is refused by its checksum without a look at the
database; every other check is one read, so a revocation or a new role holds from the next request.
"""

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import BadApiKey
from chalicelib.domain.workspace.access import Caller, key_hash, looks_like_key
from chalicelib.storage.workspace.api_keys import NOTE_USE_EVERY, ApiKeyRepository

_SCHEME = "bearer"


class Authentication:
    """The check of API keys."""

    def __init__(self, *, keys: ApiKeyRepository, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    def authenticate(self, authorization: str | None) -> Caller:
        """Return the caller a header names. Raises BadApiKey."""
        scheme, _, key = (authorization or "").strip().partition(" ")
        key = key.strip()
        if scheme.lower() != _SCHEME or not looks_like_key(key):
            raise BadApiKey
        holder = self._keys.holder(key_hash(key))
        if holder is None:
            raise BadApiKey
        now = self._clock()
        if holder.last_used_at is None or now - holder.last_used_at >= NOTE_USE_EVERY:
            self._keys.note_use(key_hash(key), now)
        return holder.caller
