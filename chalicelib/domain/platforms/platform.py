"""The platforms, and the kinds of file. What is true of each platform is on its page (`facts`).

The order is that of docs/api.md "Limits".
"""

from enum import StrEnum


class Platform(StrEnum):
    """A platform by its name in requests and answers."""

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
    """What a file is, by its name in requests and answers."""

    VIDEO = "video"
    IMAGE = "image"
