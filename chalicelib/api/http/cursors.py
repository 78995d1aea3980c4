"""Cursors of long lists: where the next page goes on, in a form that only its workspace can use.

`posts` puts them in the Link header and reads them back. The digest guards against mixed-up
cursors, not against attackers: what a cursor leads to is the caller's own in any case.
"""

from hashlib import sha256

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.access import Caller

_ID_LENGTH = 32
_DIGEST_LENGTH = 16


def cursor_at(caller: Caller, last_id: str) -> str:
    """Return the cursor of what follows the thing with this id."""
    return last_id + _digest(caller, last_id)


def last_id_of(caller: Caller, cursor: str) -> str:
    """Return the id in a cursor. Raises InvalidInput if it is not one of this workspace."""
    last_id = cursor[:_ID_LENGTH]
    if not is_id(last_id) or cursor != cursor_at(caller, last_id):
        raise InvalidInput(
            "The cursor is not one that a Link header of this list carried.",
            loc=("query", "cursor"),
        )
    return last_id


def _digest(caller: Caller, last_id: str) -> str:
    return sha256(f"{caller.workspace_id}/{last_id}".encode()).hexdigest()[:_DIGEST_LENGTH]
