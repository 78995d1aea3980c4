"""The platforms, and the kinds of file. What is true of each platform stands on its page (`facts`).

Order and wire values are docs/api.md's ("What the service does").
"""

from enum import StrEnum


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
