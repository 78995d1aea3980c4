"""Cursors: where a list continues, as clients get it and send it back.

One has a digest, so that only its workspace and its list can use it: that guards against mixed-up
cursors, not against attackers, since a cursor leads only to the caller's own data in any case.
"""

from enum import StrEnum
from hashlib import sha256
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.access import Caller

ID_LENGTH: Final = 32
_DIGEST_LENGTH: Final = 16


class Listed(StrEnum):
    """The kind of a list, as in the digest."""

    POSTS = ""
    MEDIA = "media/"


def cursor_at(caller: Caller, seen: str, listed: Listed) -> str:
    """Return the cursor of what follows an entry at a place: its id comes last."""
    return seen + _digest(caller, seen, listed)


def read_cursor(caller: Caller, cursor: str, listed: Listed, *, has_place: bool = False) -> str:
    """Return where a list continues: the id of the last entry seen, after its place if any.

    Raises InvalidInput if the cursor is not one of this workspace and of such a list.
    """
    seen = cursor[:-_DIGEST_LENGTH]
    is_one = is_id(seen[-ID_LENGTH:]) and cursor == cursor_at(caller, seen, listed)
    if not is_one or has_place is not (len(seen) > ID_LENGTH):
        raise InvalidInput(
            "The cursor is not one that a Link header of this list carried.",
            loc=("query", "cursor"),
        )
    return seen


def _digest(caller: Caller, seen: str, listed: Listed) -> str:
    return sha256(f"{caller.workspace_id}/{listed}{seen}".encode()).hexdigest()[:_DIGEST_LENGTH]
