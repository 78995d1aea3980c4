"""A read that somebody overtakes once: what it answers is outdated when it is used."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

_Asked = ParamSpec("_Asked")
_Found = TypeVar("_Found")


def overtaken_once(
    read: Callable[_Asked, _Found], overtake: Callable[[], object]
) -> Callable[_Asked, _Found]:
    """Return the read; right after its first answer `overtake` is carried out."""
    left = iter([overtake])

    def read_and_be_overtaken(*asked: _Asked.args, **named: _Asked.kwargs) -> _Found:
        found = read(*asked, **named)
        if act := next(left, None):
            act()
        return found

    return read_and_be_overtaken
