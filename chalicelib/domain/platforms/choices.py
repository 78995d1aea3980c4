"""What an account can choose for its options: boards, communities, flairs, playlists, categories.

Connectors read them from their platform, the sandbox makes them up. The API lists them, and they
say which option of a target is known not to exist (docs/api.md "Choices").
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from chalicelib.domain.platforms.demands import NO_DEMANDS, Demands
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

BOARD: Final = "board"
SUBREDDIT: Final = "subreddit"
FLAIR: Final = "flair_id"
SECTION: Final = "board_section"
PLAYLIST: Final = "playlist"
CATEGORY: Final = "category"
PRIVACY_LEVEL: Final = "privacy_level"

_TOLD: Final = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen: the option's value, and what people call it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceQuery:
    """What an account is asked about: what is chosen already, by option, and words to search by."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    words: str | None = None


WHOLE: Final = ChoiceQuery()
"""All that an account offers by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What an account offers, by option.

    `complete` names the options of which this is everything there is: another value is known not
    to exist. `longest_video_s` is what a TikTok creator's settings allow, `cannot_post` why nothing
    can be posted at the moment, `demands` what a community of Reddit wants of every post, `closed`
    why the account's own settings take an option away.
    """

    offered: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    complete: frozenset[str] = frozenset()
    longest_video_s: int | None = None
    cannot_post: str | None = None
    demands: Demands = NO_DEMANDS
    closed: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, option: str, value: Json) -> bool:
        """Tell whether it is known that there is no such value of an option."""
        if option not in self.complete:
            return False
        wanted = _bare(option, value)
        return all(_bare(option, choice.id) != wanted for choice in self.offered.get(option, ()))


NOTHING: Final = Choices()
"""Of an account that offers no choices, or whose choices nobody has asked for."""


def demanded_message(platform: Platform, option: str) -> str:
    """Say that an option is missing and where its values are found."""
    return (
        f"{FACTS[platform].name} needs `{option}` in the options; "
        "GET /v1/accounts/{account_id}/choices lists what the account has."
    )


def unknown_message(platform: Platform, option: str, choices: Choices) -> str:
    """Say that a choice does not exist and what does."""
    offered = choices.offered.get(option, ())
    named = ", ".join(f"{choice.id} ({choice.name})" for choice in offered[:_TOLD])
    more = f" and {len(offered) - _TOLD} more" if len(offered) > _TOLD else ""
    there = f"There are {named}{more}." if named else "The account has none."
    return f"{FACTS[platform].name} has no such `{option}` for this account. {there}"


def _bare(option: str, value: Json) -> str:
    """Return a value as it is compared: a community's name without prefix, in any case."""
    text = str(value).strip()
    if option != SUBREDDIT:
        return text
    name = text.strip("/").lower().removeprefix("r/")
    return f"u_{name.removeprefix('u/')}" if name.startswith("u/") else name
