"""The sandbox platform: its stored posts, the words that steer it, and test accounts' choices.

The sandbox connector makes posts, its store keeps them, the local stack's pages show them
(docs/api.md "Sandbox"). Words in a caption steer it like a payment service's test cards:
`sandbox:flaky:2` makes the first two attempts fail. A word can be anywhere in the effective
caption and ends at the next space. The word `sandbox:lacks:<option>` in an account's handle removes
the choices of an option. All offered values are known, so any other value does not exist; only
profiles always exist.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from chalicelib.domain.platforms.choices import (
    BOARD,
    CATEGORY,
    FLAIR,
    MENTIONS,
    PLAYLIST,
    SECTION,
    SUBREDDIT,
    WHOLE,
    Choice,
    ChoiceQuery,
    Choices,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxEntry:
    """One post that the sandbox platform accepted.

    It can be found from `visible_at` on; `removed` tells that it was deleted there. `sent` is what
    the live platform would have received, `files` are the names under which its bytes are stored.
    """

    remote_id: str
    account_id: str
    platform: Platform
    handle: str
    caption: str
    media_id: str | None
    media_kind: str | None
    options: Mapping[str, Json] = field(default_factory=dict)
    target_id: str
    created_at: datetime
    visible_at: datetime
    removed: bool = False
    sent: Mapping[str, Json] | None = None
    files: Mapping[str, str] = field(default_factory=dict)


LACKS: Final = "sandbox:lacks:"
_COMMUNITIES: Final = (
    Choice("goldenhour_test", "r/goldenhour_test"),
    Choice("bakers_corner", "r/bakers_corner"),
)
_PROFILE: Final = "u_"
_DEPENDENT: Final = frozenset({FLAIR, SECTION})
_PLACES: Final = (
    Choice("830000000000000001", "Lighthouse Bakery, Quai Rauba Capeu, Nice, France"),
    Choice("830000000000000002", "Old Port, Marseille, France"),
)
_PEOPLE: Final = (
    Choice("noras-bakery", "Nora's Bakery"),
    Choice("lighthouse.example", "Lighthouse Bakery"),
)
_OFFERED: Final = MappingProxyType(
    {
        BOARD: (
            Choice("810000000000000001", "Recipes"),
            Choice("810000000000000002", "Shop window"),
        ),
        SUBREDDIT: _COMMUNITIES,
        FLAIR: (
            Choice("5a1b2c3d-0000-4000-8000-000000000001", "News"),
            Choice("5a1b2c3d-0000-4000-8000-000000000002", "Question"),
        ),
        SECTION: (
            Choice("820000000000000001", "Bread"),
            Choice("820000000000000002", "Cakes"),
        ),
        PLAYLIST: (
            Choice("PLsandbox0000000000000000000000001", "Everything"),
            Choice("PLsandbox0000000000000000000000002", "Behind the counter"),
        ),
        CATEGORY: (
            Choice("1", "Film & Animation"),
            Choice("2", "Autos & Vehicles"),
            Choice("10", "Music"),
            Choice("15", "Pets & Animals"),
            Choice("17", "Sports"),
            Choice("19", "Travel & Events"),
            Choice("20", "Gaming"),
            Choice("22", "People & Blogs"),
            Choice("23", "Comedy"),
            Choice("24", "Entertainment"),
            Choice("25", "News & Politics"),
            Choice("26", "Howto & Style"),
            Choice("27", "Education"),
            Choice("28", "Science & Technology"),
        ),
    }
)


def sandbox_choices(platform: Platform, handle: str, query: ChoiceQuery = WHOLE) -> Choices:
    """Return what a test account offers; a chosen community has flairs, a chosen board sections.

    Words in the query find places and people. TikTok test accounts offer `sandbox_creator`.
    """
    facts, chosen = FACTS[platform], query.chosen
    options = [name for name in facts.offered if name in _OFFERED]
    made = _make_choices([name for name in options if name not in _DEPENDENT], handle)
    if facts.chosen_first == SUBREDDIT and chosen.get(SUBREDDIT):
        made = _with_flairs(options, handle, chosen[SUBREDDIT])
    if facts.chosen_first == BOARD and chosen.get(BOARD):
        is_there = made.offered[BOARD] and not made.lacks(BOARD, chosen[BOARD])
        sections = _OFFERED[SECTION] if is_there else ()
        made = replace(made, offered={**made.offered, SECTION: sections})
    if query.words:
        found = tuple(one for one in _PLACES if query.words.lower() in one.name.lower())
        made = replace(made, offered={**made.offered, **dict.fromkeys(facts.searched, found)})
        if facts.searches_people:
            people = [one for one in _PEOPLE if query.words.lower() in one.name.lower()]
            made = replace(made, offered={**made.offered, MENTIONS: tuple(people)})
    return made


def _with_flairs(options: Iterable[str], handle: str, subreddit: str) -> Choices:
    community = subreddit.strip("/").lower().removeprefix("r/")
    is_profile = community.startswith((_PROFILE, "u/"))
    made = _make_choices(options, handle, profile=community if is_profile else None)
    if community in {choice.id for choice in _COMMUNITIES}:
        return made
    return replace(made, offered={**made.offered, FLAIR: ()})


def _make_choices(options: Iterable[str], handle: str, *, profile: str | None = None) -> Choices:
    kept = list(options)
    offered = {option: () if f"{LACKS}{option}" in handle else _OFFERED[option] for option in kept}
    if profile is not None and f"{LACKS}{SUBREDDIT}" not in handle:
        named = Choice(f"u_{profile.removeprefix('u/').removeprefix('u_')}", "A profile")
        offered[SUBREDDIT] = (*offered[SUBREDDIT], named)
    return Choices(offered=offered, complete=frozenset(kept))


_WORD = re.compile(r"sandbox:([a-z_0-9]+)(?::([A-Za-z0-9_]+))?(?::([0-9]+))?")
_MOST_SECONDS, _DIGITS = 86_400, 18
"""Only the first 18 digits are read: Python reads no number of more than 4,300 digits."""


@dataclass(frozen=True, slots=True)
class SandboxWords:
    """The steering words of one caption, each with its values."""

    words: dict[str, str]
    seconds_behind: dict[str, str] = field(default_factory=dict)

    def has(self, word: str) -> bool:
        """Tell whether the caption contains the word."""
        return word in self.words

    def text(self, word: str) -> str:
        """Return the word's value, "" without one."""
        return self.words.get(word, "")

    def number(self, word: str) -> int:
        """Return the word's value as a number, 0 without one, at most 86,400."""
        return _number(self.text(word))

    def seconds(self, word: str) -> timedelta:
        """Return the word's value as a duration, given in seconds."""
        return timedelta(seconds=self.number(word))

    def wait(self, word: str) -> timedelta:
        """Return the word's second value as a duration, given in seconds."""
        return timedelta(seconds=_number(self.seconds_behind.get(word, "")))


def _number(value: str) -> int:
    return min(int(value[:_DIGITS]), _MOST_SECONDS) if value.isascii() and value.isdigit() else 0


def sandbox_words(caption: str) -> SandboxWords:
    """Return the steering words of a caption; the first of each kind counts."""
    words: dict[str, str] = {}
    seconds_behind: dict[str, str] = {}
    for name, value, seconds in _WORD.findall(caption):
        if name not in words:
            words[name], seconds_behind[name] = value, seconds
    return SandboxWords(words, seconds_behind)
