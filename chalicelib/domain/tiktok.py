"""TikTok's own rules: who may see a post, and what a creator's account offers.

A privacy level is required and never preset; a draft may still lack it. Branded content cannot be
private (SPEC "TikTok rules"). Drafting asks `check_options`, scheduling `check_ready`; the API
shows `CreatorOptions`, which real accounts read fresh from TikTok.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from chalicelib.domain.errors import TiktokRules
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms import MediaKind

_PRIVATE = "SELF_ONLY"
_LABELS = {
    "PUBLIC_TO_EVERYONE": "Everyone",
    "MUTUAL_FOLLOW_FRIENDS": "Friends",
    "FOLLOWER_OF_CREATOR": "Followers",
    _PRIVATE: "Only you",
}
_PUBLIC_ACCOUNT = ("PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", _PRIVATE)
_SANDBOX_LONGEST_VIDEO_S = 600


@dataclass(frozen=True, slots=True)
class PrivacyLevel:
    """Who may see a post: TikTok's value and our words for it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interactions:
    """What viewers of a post could be allowed to do with it."""

    comment: bool
    duet: bool
    stitch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatorOptions:
    """What a creator's account lets us choose at this moment (SPEC "TikTok creator options")."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: tuple[PrivacyLevel, ...]
    max_video_seconds: int
    interactions: Interactions

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the values of the privacy levels on offer."""
        return tuple(level.value for level in self.privacy_levels)

    def posting(self, kind: MediaKind) -> "CreatorOptions":
        """Return what is offered for a file of this kind: photos have neither duet nor stitch."""
        if kind is MediaKind.VIDEO:
            return self
        return replace(self, interactions=replace(self.interactions, duet=False, stitch=False))


def privacy_levels(values: Iterable[str]) -> tuple[PrivacyLevel, ...]:
    """Put words to the values that TikTok offers; a value new to us keeps its own name."""
    return tuple(PrivacyLevel(value, _LABELS.get(value, value)) for value in values)


def sandbox_creator_options(account_id: str, handle: str) -> CreatorOptions:
    """Return what a test account offers: as a public account with everything switched on."""
    return CreatorOptions(
        account_id=account_id,
        handle=handle,
        nickname=handle,
        can_post=True,
        privacy_levels=privacy_levels(_PUBLIC_ACCOUNT),
        max_video_seconds=_SANDBOX_LONGEST_VIDEO_S,
        interactions=Interactions(comment=True, duet=True, stitch=True),
    )


def check_options(
    options: Mapping[str, Json], levels: Collection[str] | None = None, *, field: str
) -> None:
    """Check what can never go out; `field` is where the options stand: `targets[0].options`.

    `levels` are those that the account offers; None where they are not known, then any of TikTok's
    own will do. Raises TiktokRules.
    """
    level = options.get("privacy_level")
    if level is None:
        return
    offered = tuple(_LABELS) if levels is None else tuple(levels)
    if level not in offered:
        raise TiktokRules(_choose_from(offered), field=f"{field}.privacy_level")
    if level == _PRIVATE and options.get("branded_content") is True:
        raise TiktokRules(
            "Branded content cannot be private. Choose a wider privacy_level than SELF_ONLY.",
            field=f"{field}.privacy_level",
        )


def check_ready(
    options: Mapping[str, Json], levels: Collection[str] | None = None, *, field: str
) -> None:
    """Check that the options can go out as they are; arguments as for `check_options`.

    Raises TiktokRules, also when no privacy level was chosen.
    """
    if options.get("privacy_level") is None:
        offered = tuple(_LABELS) if levels is None else tuple(levels)
        raise TiktokRules(_choose_from(offered), field=f"{field}.privacy_level")
    check_options(options, levels, field=field)


def _choose_from(offered: tuple[str, ...]) -> str:
    if not offered:
        return "The creator's settings on TikTok leave no privacy_level to choose."
    return f"TikTok needs a privacy_level that the account offers: {', '.join(offered)}."
