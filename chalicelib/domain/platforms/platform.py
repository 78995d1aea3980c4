"""The eleven platforms and what each takes: lengths, kinds of file, whether a post can be deleted.

One table that captions, media rules, uploads and the API read; `None` as a cap means no cap. Order
and wire values are docs/api.md's ("What the service does"), the numbers docs/api.md "Limits" and
docs/api.md "Posts".
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from chalicelib.domain.dataclass import dataclass


class Platform(StrEnum):
    """A platform as the wire names it, in docs/api.md's order."""

    INSTAGRAM = "instagram"
    TIKTOK = "tiktok"
    YOUTUBE = "youtube"
    LINKEDIN = "linkedin"
    X = "x"
    FACEBOOK = "facebook"
    THREADS = "threads"
    PINTEREST = "pinterest"
    BLUESKY = "bluesky"
    REDDIT = "reddit"
    GOOGLE_BUSINESS_PROFILE = "google business profile"


class MediaKind(StrEnum):
    """What a file is, as the wire names it."""

    VIDEO = "video"
    IMAGE = "image"


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


def _minutes(minutes: int, seconds: int = 0) -> timedelta:
    return timedelta(minutes=minutes, seconds=seconds)


LIMITS: Mapping[Platform, Limits] = MappingProxyType(
    {
        Platform.INSTAGRAM: Limits(
            caption=2_200, longest_video=_minutes(3), needs_media=True, can_delete=False
        ),
        Platform.TIKTOK: Limits(
            caption=2_200, longest_video=_minutes(3), needs_media=True, can_delete=False
        ),
        Platform.YOUTUBE: Limits(
            caption=5_000, longest_video=_minutes(3), needs_media=True, takes_photo=False
        ),
        Platform.LINKEDIN: Limits(caption=3_000, longest_video=_minutes(10)),
        Platform.X: Limits(caption=280, longest_video=_minutes(2, 20)),
        Platform.FACEBOOK: Limits(caption=63_206, longest_video=_minutes(4)),
        Platform.THREADS: Limits(caption=500, longest_video=_minutes(5)),
        Platform.PINTEREST: Limits(caption=800, needs_media=True),
        Platform.BLUESKY: Limits(caption=300),
        Platform.REDDIT: Limits(caption=40_000),
        Platform.GOOGLE_BUSINESS_PROFILE: Limits(caption=1_500, takes_video=False),
    }
)

NAMES: Mapping[Platform, str] = MappingProxyType(
    {
        Platform.INSTAGRAM: "Instagram",
        Platform.TIKTOK: "TikTok",
        Platform.YOUTUBE: "YouTube",
        Platform.LINKEDIN: "LinkedIn",
        Platform.X: "X",
        Platform.FACEBOOK: "Facebook",
        Platform.THREADS: "Threads",
        Platform.PINTEREST: "Pinterest",
        Platform.BLUESKY: "Bluesky",
        Platform.REDDIT: "Reddit",
        Platform.GOOGLE_BUSINESS_PROFILE: "Google Business Profile",
    }
)
"""How a sentence for a person names each platform."""
