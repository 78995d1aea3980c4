"""What is true of one platform, on one page each (`pages`), and the table of all pages.

Whoever must know something of a platform asks `FACTS[platform]`; outside a platform's page and its
connector no code names it. A page is read when its platform is first asked for, because a function
seldom meets all of them.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from importlib import import_module
from threading import Lock
from typing import Final

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.platforms.option import Option
from chalicelib.domain.platforms.platform import MediaKind, Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one platform takes; `caption` is in the platform's own units (`captions.count`)."""

    caption: int
    longest_video: timedelta | None = None
    takes_video: bool = True
    takes_photo: bool = True
    needs_media: bool = False
    can_delete: bool = True

    def takes(self, kind: MediaKind) -> bool:
        """Tell whether the platform can be sent a file of this kind."""
        return self.takes_video if kind is MediaKind.VIDEO else self.takes_photo


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One platform: how people name it, what it takes, and what can be chosen for a post.

    `mark` is the one or two letters that stand for it where there is no room for its name.
    """

    name: str
    mark: str
    limits: Limits
    options: tuple[Option, ...]

    @property
    def required(self) -> tuple[str, ...]:
        """Return the options without which nothing goes out."""
        return tuple(option.name for option in self.options if option.is_required)

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the options of which an account knows the values."""
        return tuple(option.name for option in self.options if option.offered)

    def option(self, name: str) -> Option | None:
        """Return one of the options, None for a key that the platform does not know."""
        return next((option for option in self.options if option.name == name), None)


class _Pages(Mapping[Platform, Facts]):
    """The facts by platform, each read from its page when it is first asked for."""

    def __init__(self) -> None:
        self._read: dict[Platform, Facts] = {}
        self._lock = Lock()

    def __getitem__(self, platform: Platform) -> Facts:
        with self._lock:
            if platform not in self._read:
                self._read[platform] = _page(platform)
            return self._read[platform]

    def __iter__(self) -> Iterator[Platform]:
        return iter(Platform)

    def __len__(self) -> int:
        return len(Platform)


def _page(platform: Platform) -> Facts:
    page = f"chalicelib.domain.platforms.pages.{platform.name.lower()}"
    facts: Facts = import_module(page).FACTS
    return facts


FACTS: Final[Mapping[Platform, Facts]] = _Pages()
