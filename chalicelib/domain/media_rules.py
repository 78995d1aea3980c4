"""Which file each platform needs or takes, and which video is too long for it.

Scheduling asks `check_media` before a target gets a time, the publish worker asks `is_too_long`
right before it sends. Both read the table of `platforms.py`.
"""

from datetime import timedelta

from chalicelib.domain.errors import MediaRequired
from chalicelib.domain.platforms import LIMITS, NAMES, MediaKind, Platform

_KIND_NAMES = {MediaKind.VIDEO: "videos", MediaKind.IMAGE: "photos"}


def check_media(
    platform: Platform, *, caption: str, kind: MediaKind | None, field: str | None
) -> None:
    """Check that a target has something to post, of a kind that its platform takes.

    `caption` is the text that goes out on this target, `kind` that of the post's file, if any.
    Raises MediaRequired.
    """
    if kind is not None:
        _check_kind(platform, kind, field)
    elif LIMITS[platform].needs_media:
        needed = "a photo or video" if LIMITS[platform].takes_photo else "a video"
        raise MediaRequired(
            f"{NAMES[platform]} needs {needed}. Upload one and name it in media_ids.", field=field
        )
    elif not caption.strip():
        raise MediaRequired(
            f"There is nothing to post on {NAMES[platform]}: write a caption or attach a file.",
            field=field,
        )


def is_too_long(platform: Platform, duration_s: float | None, cap: timedelta | None = None) -> bool:
    """Tell whether a video of this length (seconds; None for a photo) must be trimmed first.

    `cap` is a shorter limit of the account's own, such as TikTok's `max_video_seconds`.
    """
    if duration_s is None:
        return False
    limits = [limit for limit in (LIMITS[platform].longest_video, cap) if limit is not None]
    return any(duration_s > limit.total_seconds() for limit in limits)


def _check_kind(platform: Platform, kind: MediaKind, field: str | None) -> None:
    if LIMITS[platform].takes(kind):
        return
    other = MediaKind.IMAGE if kind is MediaKind.VIDEO else MediaKind.VIDEO
    raise MediaRequired(
        f"{NAMES[platform]} takes {_KIND_NAMES[other]}, not {_KIND_NAMES[kind]}.", field=field
    )
