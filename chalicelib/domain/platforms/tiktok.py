"""TikTok's own rules: what a creator may choose, and which choices a post needs or cannot have.

The creator's options are read from the platform each time before a person chooses (docs/api.md
"TikTok creator options"). A draft may lack `privacy_level`, but is not sent without it; a choice
that can never be posted is refused at once (docs/api.md "Target options").
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final, Self

from chalicelib.domain.errors import TiktokRules
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok_form import INDICATE, NOT_PRIVATE, TiktokForm
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

SELF_ONLY: Final = "SELF_ONLY"
_LABELS: Final = {
    "PUBLIC_TO_EVERYONE": "Everyone",
    "MUTUAL_FOLLOW_FRIENDS": "Friends",
    "FOLLOWER_OF_CREATOR": "Followers",
    SELF_ONLY: "Only you",
}
KNOWN_LEVELS: Final = frozenset(_LABELS)
"""Every level TikTok offers to anyone; which of them one creator has, only TikTok can tell."""

_SANDBOX_LEVELS: Final = ("PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", SELF_ONLY)
RARE_LEVELS: Final = KNOWN_LEVELS.difference(_SANDBOX_LEVELS)
"""Levels that no test account offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyLevel:
    """Who can see a post; `label` is for people."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interactions:
    """What the creator lets viewers do with a post."""

    comment: bool
    duet: bool
    stitch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatorOptions:
    """What a creator can choose for the next post (docs/api.md "TikTok creator options")."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: tuple[PrivacyLevel, ...]
    max_video_seconds: int
    interactions: Interactions
    form: TiktokForm | None = None

    @property
    def offered(self) -> frozenset[str]:
        """Return the values that `privacy_level` can have."""
        return frozenset(level.value for level in self.privacy_levels)

    def suiting(self, kind: MediaKind) -> Self:
        """Return the options for a file of this kind: nobody can duet or stitch a photo."""
        if kind is MediaKind.VIDEO:
            return self
        return replace(self, interactions=replace(self.interactions, duet=False, stitch=False))


def privacy_level(value: str) -> PrivacyLevel:
    """Return TikTok's level with our label for it; an unknown one is its own label."""
    return PrivacyLevel(value=value, label=_LABELS.get(value, value))


def levels_of(*, test: bool) -> frozenset[str]:
    """Return the levels that an account may offer, without asking TikTok."""
    return frozenset(_SANDBOX_LEVELS) if test else KNOWN_LEVELS


def sandbox_creator(account_id: str, handle: str) -> CreatorOptions:
    """Return what a test account offers: a public creator with everything allowed."""
    return CreatorOptions(
        account_id=account_id,
        handle=handle,
        nickname=handle.removeprefix("@"),
        can_post=True,
        privacy_levels=tuple(privacy_level(value) for value in _SANDBOX_LEVELS),
        max_video_seconds=600,
        interactions=Interactions(comment=True, duet=True, stitch=True),
    )


def check_options(
    options: Mapping[str, Json], *, field: str, offered: Collection[str] = KNOWN_LEVELS
) -> None:
    """Refuse choices that can never be posted; missing ones may be added later.

    `field` is the path of the options, e.g. `targets[0].options`; `offered` are the creator's
    levels if they are known. Raises TiktokRules, which names the option at fault.
    """
    for wrong in _unfit(options, field, offered):
        raise wrong


def _unfit(
    options: Mapping[str, Json], field: str, offered: Collection[str]
) -> Iterator[TiktokRules]:
    level = options.get("privacy_level")
    if level is not None and not (isinstance(level, str) and level in offered):
        yield TiktokRules(
            f"The account does not offer this privacy_level. {_choices(offered)}",
            field=f"{field}.privacy_level",
        )
    if level == SELF_ONLY and options.get("branded_content") is True:
        yield TiktokRules(
            f"{NOT_PRIVATE} Choose another privacy_level than SELF_ONLY.",
            field=f"{field}.privacy_level",
        )


def check_ready(
    options: Mapping[str, Json], *, field: str, offered: Collection[str] = KNOWN_LEVELS
) -> None:
    """Check everything in `check_options`, and that no choice is missing that TikTok requires.

    Raises TiktokRules, also without a `privacy_level` or for a commercial disclosure that does not
    say whose business it promotes.
    """
    for wrong in not_ready(options, field=field, offered=offered):
        raise wrong


def not_ready(
    options: Mapping[str, Json], *, field: str, offered: Collection[str] = KNOWN_LEVELS
) -> Iterator[TiktokRules]:
    """Yield everything that keeps a post with these options from being sent."""
    yield from _unfit(options, field, offered)
    if options.get("privacy_level") is None and options.get("draft") is not True:
        yield TiktokRules(
            f"TikTok needs a privacy_level; there is no default. {_choices(offered)}",
            field=f"{field}.privacy_level",
        )
    discloses = options.get("disclose_commercial") is True
    if discloses and not (options.get("your_brand") or options.get("branded_content")):
        yield TiktokRules(
            f"{INDICATE} Set your_brand, branded_content or both to true.",
            field=f"{field}.disclose_commercial",
        )


def _choices(offered: Collection[str]) -> str:
    if not offered:
        return "The account's settings allow no choice at the moment; change them in TikTok."
    known = [value for value in _LABELS if value in offered]
    return f"Choose one of {', '.join([*known, *sorted(set(offered) - KNOWN_LEVELS)])}."
