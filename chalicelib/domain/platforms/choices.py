"""An account's choices for its options, and a community's requirements for every post.

Connectors read both from their platform, the sandbox makes them up. The API lists boards,
communities, flairs, playlists and categories, and checks find options whose value does not exist
(docs/api.md "Choices"). Demands are Reddit's rules for posts, known before a post is due. Their
patterns for titles are not tried: strangers wrote them, and some never finish matching.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum, auto
from typing import Final

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.titles import reddit_title
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

BOARD: Final = "board"
SUBREDDIT: Final = "subreddit"
FLAIR: Final = "flair_id"
SECTION: Final = "board_section"
PLAYLIST: Final = "playlist"
CATEGORY: Final = "category"
PRIVACY_LEVEL: Final = "privacy_level"
MENTIONS: Final = "mentions"
"""Who can be mentioned: by an option on LinkedIn, by a handle in the caption on Bluesky."""

_TOLD: Final = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that can be chosen: the option's value, and its name for people."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceQuery:
    """A query for choices: the values already chosen, by option, and words to search for."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    words: str | None = None


WHOLE: Final = ChoiceQuery()
"""The query for everything that an account offers without a search."""


class BodyPolicy(Enum):
    """Whether a community's posts may or must have a text below the title."""

    FREE = auto()
    REQUIRED = auto()
    FORBIDDEN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """A requirement that a post does not meet, or, unless `sure`, perhaps does not meet."""

    option: str | None
    message: str
    sure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """A community's demands; lengths are in characters."""

    flair: bool = False
    shortest_title: int = 0
    longest_title: int | None = None
    title_needs: tuple[str, ...] = ()
    title_bars: tuple[str, ...] = ()
    title_has_pattern: bool = False
    body: BodyPolicy = BodyPolicy.FREE
    shortest_body: int = 0
    longest_body: int | None = None
    body_needs: tuple[str, ...] = ()
    body_bars: tuple[str, ...] = ()

    def unmet(
        self, text: str, options: Mapping[str, Json], *, is_text_post: bool
    ) -> Iterator[Unmet]:
        """Yield what a post does not meet; only posts without a file may have to have a text."""
        title, body = reddit_title(text, options)
        if self.flair and not options.get("flair_id"):
            yield Unmet(option="flair_id", message="The community requires a flair on every post.")
        for message in _wrong(
            "title",
            title,
            (self.shortest_title, self.longest_title),
            (self.title_needs, self.title_bars),
        ):
            yield Unmet(option="title", message=message)
        if self.title_has_pattern:
            message = "The community requires titles in a form that its rules describe."
            yield Unmet(option="title", message=message, sure=False)
        yield from (Unmet(option=None, message=m) for m in self._wrong_body(body, is_text_post))

    def _wrong_body(self, body: str, is_text_post: bool) -> Iterator[str]:  # noqa: FBT001 - private
        if self.body is BodyPolicy.FORBIDDEN:
            if body:
                yield "The community allows only titles: write no text below the title."
            return
        if not is_text_post:
            return
        if self.body is BodyPolicy.REQUIRED and not body:
            yield "The community requires a text below the title."
        if body:
            limits = (self.shortest_body, self.longest_body)
            yield from _wrong("text", body, limits, (self.body_needs, self.body_bars))


def _wrong(
    what: str,
    text: str,
    limits: tuple[int, int | None],
    words: tuple[tuple[str, ...], tuple[str, ...]],
) -> Iterator[str]:
    shortest, longest = limits
    if len(text) < shortest:
        yield f"The community wants a {what} of {shortest} characters or more."
    if longest is not None and len(text) > longest:
        yield f"The community wants a {what} of {longest} characters at most."
    needs, bars, plain = *words, text.casefold()
    if needs and not any(word.casefold() in plain for word in needs):
        yield f"The community wants one of these in the {what}: {', '.join(needs)}."
    barred = [word for word in bars if word.casefold() in plain]
    if barred:
        yield f"The community does not want this in the {what}: {', '.join(barred)}."


NO_DEMANDS: Final = Demands()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What an account offers, by option.

    `complete` names the options of which all values are known: other values do not exist.
    `longest_video_s` is a TikTok creator's limit in seconds, `cannot_post` the reason why nothing
    can be posted at the moment, `demands` a Reddit community's requirements, `closed` the reason,
    by option, why the account's own settings do not allow it.
    """

    offered: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    complete: frozenset[str] = frozenset()
    longest_video_s: int | None = None
    cannot_post: str | None = None
    demands: Demands = NO_DEMANDS
    closed: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, option: str, value: Json) -> bool:
        """Tell whether a value of an option is known not to exist."""
        if option not in self.complete:
            return False
        wanted = _bare(option, value)
        return all(_bare(option, choice.id) != wanted for choice in self.offered.get(option, ()))


NOTHING: Final = Choices()
"""For an account that offers no choices, or whose choices were not read."""


def demanded_message(platform: Platform, option: str) -> str:
    """Return the message that an option is missing and where to find its values."""
    return (
        f"{FACTS[platform].name} needs `{option}` in the options; "
        "GET /v1/accounts/{account_id}/choices lists what the account has."
    )


def unknown_message(platform: Platform, option: str, choices: Choices) -> str:
    """Return the message that a value does not exist and which ones do."""
    offered = choices.offered.get(option, ())
    named = ", ".join(f"{choice.id} ({choice.name})" for choice in offered[:_TOLD])
    more = f" and {len(offered) - _TOLD} more" if len(offered) > _TOLD else ""
    there = f"There are {named}{more}." if named else "The account has none."
    return f"{FACTS[platform].name} has no such `{option}` for this account. {there}"


def _bare(option: str, value: Json) -> str:
    """Return a value for comparing: a community's name in lower case without its prefix."""
    text = str(value).strip()
    if option != SUBREDDIT:
        return text
    name = text.strip("/").lower().removeprefix("r/")
    return f"u_{name.removeprefix('u/')}" if name.startswith("u/") else name
