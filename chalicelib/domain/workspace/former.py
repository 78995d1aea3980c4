"""The replacement of a person's erased name (docs/personal-data.md)."""

from collections.abc import Collection
from typing import Final

FORMER_MEMBER: Final = "former member"
_BY_LINK: Final = "link by "


def without_name(told: str, names: Collection[str]) -> str:
    """Return an actor's name, or `former member` if it is one of these names."""
    if told in names:
        return FORMER_MEMBER
    is_link = told.startswith(_BY_LINK) and told.removeprefix(_BY_LINK) in names
    return f"{_BY_LINK}{FORMER_MEMBER}" if is_link else told
