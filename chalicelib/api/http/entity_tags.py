"""Entity tags: the name of the state in which a post was read, and changes meant for that state.

RFC 9110, 8.8.3 and 13.1.1. A tag is opaque to clients; weak tags never match, as If-Match demands.
"""

import re
from typing import Final, Protocol, runtime_checkable

ETAG: Final = "ETag"
IF_MATCH: Final = "If-Match"
_ANY: Final = "*"
_TAGS: Final = re.compile(r'(W/)?"([^"]*)"')


@runtime_checkable
class Revised(Protocol):
    """A thing that names its state."""

    @property
    def revision(self) -> str:
        """Return the name of exactly this state."""
        ...


def entity_tag(revision: str) -> str:
    """Return a state's name as a header holds it."""
    return f'"{revision}"'


def revisions_in(header: str) -> frozenset[str] | None:
    """Return the states that If-Match names; None when any state will do."""
    if header.strip() == _ANY:
        return None
    return frozenset(found[2] for found in _TAGS.finditer(header) if found[1] is None)
