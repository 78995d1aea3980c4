"""The facts about a platform, declared on one page for each (`pages`), and the table of all pages.

Code that needs to know something about a platform reads `FACTS[platform]`; only a platform's page
and its connector may name it. A page is imported when it is first needed, because few processes
need all of them.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from enum import Enum, StrEnum, auto
from importlib import import_module
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from chalicelib.domain.platforms.files import Photos, Videos
from chalicelib.domain.platforms.layout import Layout
from chalicelib.domain.platforms.option import Option
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.setting import Setting
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

_Made = TypeVar("_Made")


class Counting(StrEnum):
    """The units in which a platform counts a caption (`captions.count`)."""

    CHARACTERS = "characters"
    UTF_16 = "UTF-16 units"
    GRAPHEMES = "what a reader sees as one character"
    EMOJI_BYTES = "the bytes of an emoji, one for anything else"
    WEIGHED = "a link 23, CJK and emoji 2, anything else 1"


class Figure(StrEnum):
    """What can be counted of a live post (`Metrics`)."""

    VIEWS = "views"
    LIKES = "likes"
    COMMENTS = "comments"
    SHARES = "shares"
    FOLLOWERS = "followers"


class Golden(StrEnum):
    """Whether golden hours are given for a platform (docs/api.md "Scheduling")."""

    BY_DEFAULT = "by default"
    IF_ASKED = "if asked"
    NEVER = "never"


Curve: TypeAlias = tuple[int, ...]
"""How active a platform's audience is in its local hours 0 to 23, with 100 for the best hour.

The source in the comment above a curve names good hours: they are weighted by the number of days
for which it names them. All other hours are our interpolation, lowest at night; all weekdays have
the same curve. Where no study was found the comment says so. Golden hours are computed from it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one platform accepts; `caption` is the longest one, in the units of `counted`.

    `most_bytes` (UTF-8) and `most_characters` are further limits. Texts above `doubtful_bytes` have
    been refused although they keep the platform's documented limit.
    """

    caption: int
    counted: Counting = Counting.CHARACTERS
    most_bytes: int | None = None
    most_characters: int | None = None
    doubtful_bytes: int | None = None
    longest_video: timedelta | None = None
    takes_video: bool = True
    takes_photo: bool = True
    needs_media: bool = False
    can_delete: bool = True

    def takes(self, kind: MediaKind) -> bool:
        """Tell whether the platform accepts files of this kind."""
        return self.takes_video if kind is MediaKind.VIDEO else self.takes_photo


class Account(Protocol):
    """The properties of an account on which facts may depend."""

    @property
    def handle(self) -> str:
        """The account's handle."""
        ...

    @property
    def remote_identity(self) -> str | None:
        """The platform's own id of the account."""
        ...


def _no_options(_: Account) -> Mapping[str, Json]:
    return {}


class Cards(Enum):
    """Who makes a card of the first link in a post without a file."""

    NONE = auto()
    PLATFORM = auto()
    SERVICE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One platform: its name, what it accepts, and what can be chosen for a post.

    - `mark`: one or two letters for places without room for the name
    - `photos`, `videos`: its requirements for them, None if it accepts none
    - `read_lag`: how long after a call its lists may not contain the post yet
    - `figures`: what it counts of a live post
    - `settings`: what an operator can set for a deployment
    - `prepares_texts`: a post without a file has steps before the visible one
    - `cards`: who makes a card of a link in a post without a file
    - `links_alone`: a title with only a link is a post of its own kind
    - `finds_people`: the service looks up the people that a text mentions
    - `searches_people`: people to mention can be searched by words
    - `quiet_options`: the options with which the fewest people see a trial post
    - `has_creator`: the creator's own settings limit each post (TikTok)
    - `takes_from_allowance`: a post uses units of the plan (X)
    - `signs_in_by_handle`: the handle tells the server at which to sign in
    - `has_public_applications`: an application may have no secret
    - `lasting_api`: its API version, if that has no announced end, and the page that says so
    - `link_price`: what the platform charges for a link
    """

    name: str
    mark: str
    limits: Limits
    photos: Photos | None
    videos: Videos | None
    read_lag: timedelta
    activity: Curve
    figures: frozenset[Figure]
    layout: Layout
    settings: tuple[Setting, ...] = ()
    golden_hour: Golden = Golden.NEVER
    prepares_texts: bool = False
    cards: Cards = Cards.NONE
    links_alone: bool = False
    finds_people: bool = False
    searches_people: bool = False
    quiet_options: Callable[[Account], Mapping[str, Json]] = _no_options
    has_creator: bool = False
    has_public_applications: bool = False
    takes_from_allowance: bool = False
    signs_in_by_handle: bool = False
    lasting_api: tuple[str, str] | None = None
    link_price: str | None = None
    options: tuple[Option, ...]

    @property
    def required(self) -> tuple[str, ...]:
        """Return the options that are required to send."""
        return tuple(option.name for option in self.options if option.is_required)

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the options whose values the account lists."""
        return tuple(option.name for option in self.options if option.offered)

    @property
    def searched(self) -> tuple[str, ...]:
        """Return the options whose values are found by searching."""
        return tuple(option.name for option in self.options if option.searched)

    @property
    def chosen_first(self) -> str | None:
        """Return the option on which another's values depend, as flairs on a community, or None."""
        return next((option.offered_by for option in self.options if option.offered_by), None)

    def require_photos(self) -> Photos:
        """Return `photos`, for the connector of a platform that accepts them."""
        if self.photos is None:
            raise AssertionError(f"The page of {self.name} says nothing of photos.")
        return self.photos

    def option(self, name: str) -> Option | None:
        """Return an option by its name, None if the platform does not have it."""
        return next((option for option in self.options if option.name == name), None)


class MadeWhenMet(Mapping[Platform, _Made]):
    """A mapping with one value for each platform, made when it is first needed."""

    def __init__(self, make: Callable[[Platform], _Made]) -> None:
        self._make = make
        self._made: dict[Platform, _Made] = {}

    def __getitem__(self, platform: Platform) -> _Made:
        if platform not in self._made:
            self._made.setdefault(platform, self._make(platform))  # two threads get the same
        return self._made[platform]

    def __iter__(self) -> Iterator[Platform]:
        return iter(Platform)

    def __len__(self) -> int:
        return len(Platform)


class MissingStepError(Exception):
    """A platform was added without one of the steps that CONTRIBUTING.md names."""

    def __init__(self, missing: str, step: int) -> None:
        super().__init__(f'{missing}: step {step} of "Adding a platform" in CONTRIBUTING.md.')


def read_declaration(module: str, name: str, *, step: int) -> Any:  # noqa: ANN401 - whoever asks knows
    """Return a declaration of a platform's module. Raises MissingStepError, which names `step`."""
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if not module.startswith(error.name or module):
            raise
        raise MissingStepError(f"There is no {module}", step) from error
    if not hasattr(found, name):
        raise MissingStepError(f"{module} declares no {name}", step)
    return getattr(found, name)


def _page(platform: Platform) -> Facts:
    page = f"chalicelib.domain.platforms.pages.{platform.name.lower()}"
    try:
        facts: Facts = read_declaration(page, "FACTS", step=2)
    except TypeError as error:
        raise MissingStepError(f"A fact is missing in {page} ({error})", 2) from error
    return facts


FACTS: Final[Mapping[Platform, Facts]] = MadeWhenMet(_page)


def all_settings() -> tuple[Setting, ...]:
    """Return the settings of all platforms, each once."""
    return tuple(dict.fromkeys(one for facts in FACTS.values() for one in facts.settings))
