"""Who is calling: reads the Authorization header into a Caller, again at every request.

`http/pipeline` calls it first. A mistyped key is refused by its checksum, without reading the
database; every other check is one read, so a revocation or a new role takes effect with the next
request.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import BadApiKey, WorkspaceMoved, WorkspaceMoving
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.activity import Actor, Deed
from chalicelib.domain.workspace.key_form import key_hash, looks_like_key
from chalicelib.storage.workspace.callers import NOTE_USE_EVERY, Callers

if TYPE_CHECKING:
    from chalicelib.services.workspace.activity import ActivityLog
    from chalicelib.storage.moving.marks import Marks

_SCHEME = "bearer"


class Authentication:
    """The check of API keys."""

    def __init__(
        self,
        *,
        callers: Callers,
        clock: Clock,
        activity: "Callable[[], ActivityLog]",
        marks: "Callable[[], Marks]",
    ) -> None:
        self._callers = callers
        self._clock = clock
        self._activity = activity
        self._marks = marks

    def authenticate(self, authorization: str | None, client: str = "") -> Caller:
        """Return the caller a header names. Raises BadApiKey."""
        scheme, _, key = (authorization or "").strip().partition(" ")
        key = key.strip()
        if scheme.lower() != _SCHEME or not looks_like_key(key):
            raise BadApiKey
        holder, now = self._callers.find(key_hash(key)), self._clock()
        if holder is None:
            self._tell_where(self._callers.workspace_away(key_hash(key)))
            raise BadApiKey
        caller = replace(holder.caller, client=client)
        if holder.is_over(now):
            self._note_refusal(
                caller, "a key that has ended" if holder.ends_at else "a revoked key"
            )
            raise BadApiKey
        if holder.last_used_at is None or now - holder.last_used_at >= NOTE_USE_EVERY:
            is_noted = self._callers.note_use(key_hash(key), now)
            if is_noted and holder.last_used_at is None:
                self._first_use(caller)
        return caller

    def _tell_where(self, workspace_id: str | None) -> None:
        """Refuse the key of a workspace that has moved or is being moved.

        Raises WorkspaceMoving, WorkspaceMoved.
        """
        mark = None if workspace_id is None else self._marks().find(workspace_id)
        if mark is None:
            return
        if mark.address is None or not mark.has_left:
            raise WorkspaceMoving
        raise WorkspaceMoved(
            f"This workspace has moved to {mark.address}. Use that address, with the same key."
        )

    def _first_use(self, caller: Caller) -> None:
        self._activity().note(
            caller.workspace_id,
            Deed.KEY_FIRST_USED,
            Actor.of(caller),
            subject_id=caller.key_id,
            subject=caller.key_name or "",
        )

    def _note_refusal(self, caller: Caller, why: str) -> None:
        self._activity().note_refusal(
            caller.workspace_id, Actor.of(caller), subject_id=caller.key_id, why=why
        )
