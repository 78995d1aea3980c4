"""What a target must have to go out: a caption or a file, and a kind of file its platform takes.

Checked at schedule, queue, publish-now and at a PATCH of what is scheduled (docs/api.md "Posts");
drafts may lack anything. A video that is too long is no reason to refuse: it fails when its time
comes, unless `options.trim` says which part to keep.
"""

from collections.abc import Iterator

from chalicelib.domain.errors import MediaRequired
from chalicelib.domain.platforms.platform import LIMITS, NAMES, Limits, MediaKind, Platform


def unfit_media(
    platform: Platform, *, caption: str, kind: MediaKind | None, field: str
) -> Iterator[MediaRequired]:
    """Yield why the platform cannot post this caption with this kind of file, None for no file.

    No file where one is needed, a kind it does not take, or neither a file nor a caption with
    anything in it; each names `field`.
    """
    limits, name = LIMITS[platform], NAMES[platform]
    if kind is None and limits.needs_media:
        yield MediaRequired(f"{name} needs {_needed(limits)}.", field=field)
    elif kind is None and not caption.strip():
        yield MediaRequired("A post needs a caption, a photo or a video.", field=field)
    elif kind is not None and not limits.takes(kind):
        yield MediaRequired(f"{name} takes no {_word(kind)}s, only {_needed(limits)}.", field=field)


def longest_video_s(platform: Platform, *, creator_s: int | None = None) -> float | None:
    """Return the most seconds of video that are sent, None for no cap.

    `creator_s` is what a TikTok creator's own settings allow (`max_video_seconds`), if known.
    """
    longest = LIMITS[platform].longest_video
    if longest is None:
        return None
    seconds = longest.total_seconds()
    return seconds if creator_s is None else min(seconds, creator_s)


def is_too_long(
    platform: Platform, duration_s: float | None, *, creator_s: int | None = None
) -> bool:
    """Tell whether a video must be trimmed before it is sent; photos have no duration (None)."""
    longest = longest_video_s(platform, creator_s=creator_s)
    return duration_s is not None and longest is not None and duration_s > longest


def _needed(limits: Limits) -> str:
    taken = [f"a {_word(kind)}" for kind in reversed(MediaKind) if limits.takes(kind)]
    return " or ".join(taken)


def _word(kind: MediaKind) -> str:
    return "video" if kind is MediaKind.VIDEO else "photo"
