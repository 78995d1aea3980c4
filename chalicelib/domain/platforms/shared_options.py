"""Options that the pages of several platforms share."""

from typing import Final

from chalicelib.domain.platforms.option import (
    ALT_TEXT,
    COVER,
    OLDER_ALT,
    ContentKind,
    Fields,
    Group,
    Option,
    When,
)
from chalicelib.domain.platforms.option_rules import (
    Choice,
    Flag,
    Link,
    Number,
    OneOrMany,
    Text,
)

TRIM: Final = Option(
    "trim",
    Choice({"start": "Its beginning", "end": "Its end"}),
    label="Part of a long video",
    help="Which part goes out of a video that is too long for the platform.",
)
"""An option of every platform (docs/api.md "Target options")."""

ID: Final = Text(longest=64)
COUNTRY: Final = Text(longest=2, pattern="[A-Z]{2}")
LANGUAGE: Final = Text(longest=35, pattern="[A-Za-z0-9-]+")
MADE_BY_AI: Final = "Discloses that the content was made or changed by AI."
TEXT_ALONE: Final = frozenset({ContentKind.TEXT})
PHOTOS: Final = frozenset({ContentKind.PHOTO})
VIDEOS: Final = frozenset({ContentKind.VIDEO})
FILES: Final = PHOTOS | VIDEOS
NOT_AS_STORY: Final = When("post_type", ("story",))


def ai_label(only: frozenset[ContentKind] = frozenset(), unless: When | None = None) -> Option:
    """Return the AI disclosure, the same everywhere: EU AI Act (2024/1689), Article 50."""
    return Option(
        "is_ai_generated",
        Flag(),
        label="Made with AI",
        help=MADE_BY_AI,
        only=only,
        unless=unless,
    )


def cover_second(unless: When | None = None) -> Option:
    """Return the option for a video's cover that is a moment of the video."""
    return Option(
        "cover_second",
        Number(most=900),
        label="Cover (second)",
        help="Second of the video at which its cover is taken.",
        only=VIDEOS,
        unless=unless,
    )


def cover_picture(unless: When | None = None) -> Option:
    """Return the option for a video's cover that is a photo of its own."""
    return Option(
        COVER,
        ID,
        label="Cover (a photo of yours)",
        help="Id of an uploaded photo that becomes the video's cover.",
        only=VIDEOS,
        unless=unless,
    )


def fit(unless: When | None = None) -> Option:
    """Return the option for photos of a shape that the platform does not accept."""
    return Option(
        "fit",
        Choice({"pad": "White bars", "crop": "Cut it", "keep": "Keep its shape"}),
        label="Fit of the photo",
        help="What is done with a photo of a shape that the platform does not accept; with keep, "
        "it goes out as it is and may be refused.",
        default="pad",
        only=PHOTOS,
        unless=unless,
    )


def _percent(name: str, label: str, help_: str, *, least: int) -> Option:
    number = Number(least=least, most=100, whole=False)
    return Option(name, number, label=label, help=help_, group=Group.REQUIRED)


CROP: Final = Option(
    "crop",
    Fields(
        of=(
            _percent("left", "From the left (%)", "How much is cut off on the left.", least=0),
            _percent("top", "From the top (%)", "How much is cut off at the top.", least=0),
            _percent("width", "Width (%)", "How much of the photo's width goes out.", least=1),
            _percent("height", "Height (%)", "How much of the photo's height goes out.", least=1),
        ),
    ),
    label="Crop",
    help="The part of the photo that goes out, in percent of its width and height as displayed. "
    "The file itself is not cut: without this option, the whole photo goes out.",
    group=Group.COMMON,
    only=PHOTOS,
)
"""An option of every platform that accepts photos; `fit` is for shapes that it does not accept."""

LINK_CARD: Final = Option(
    "link",
    Link(),
    label="Link card",
    help="Link shown as a card if there is no file: by default the caption's first.",
    note="; false: none",
    group=Group.COMMON,
    only=TEXT_ALONE,
)
"""An option of platforms that show a link as a card (`texts/card_links.py`)."""


def first_comment(longest: int, what: str = "comment", unless: When | None = None) -> Option:
    """Return the option for a comment below the live post, of at most `longest` characters."""
    return Option(
        "first_comment",
        Text(longest=longest),
        label="First comment",
        help=f"Posted as a {what} right after the post.",
        group=Group.COMMON,
        unless=unless,
    )


def alt_text(
    rule: Text,
    *,
    of: str = "a photo",
    only: frozenset[ContentKind] = PHOTOS,
    unless: When | None = None,
) -> Option:
    """Return the option for a file's alt text; `of` says what can have one."""
    return Option(
        ALT_TEXT,
        rule,
        label="Alt text",
        help=f"What {of} shows, for those who cannot see it; without it, the file's own alt text.",
        group=Group.COMMON,
        only=only,
        unless=unless,
    )


def older_alt(rule: OneOrMany, *, only: frozenset[ContentKind] = PHOTOS) -> Option:
    """Return the option under its older name, which works unless `alt_text` is given too."""
    return Option(
        OLDER_ALT,
        rule,
        label="Alt text",
        help="The older name of alt_text, which still works; alt_text takes precedence.",
        only=only,
        is_old=True,
    )


ALT: Final = Text(longest=2_000)
ALT_TEXTS: Final = OneOrMany(of=ALT, most=20)
