"""Options that several platforms' pages declare alike."""

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
    label="Keep of a long video",
    help="Which part of a video too long for the platform goes out.",
)
"""Known everywhere (docs/api.md "Target options")."""

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
    """Return the disclosure that has one name everywhere: EU AI Act (2024/1689), Article 50."""
    return Option(
        "is_ai_generated",
        Flag(),
        label="Made with AI",
        help=MADE_BY_AI,
        only=only,
        unless=unless,
    )


def cover_second(unless: When | None = None) -> Option:
    """Return the option that takes a video's cover from itself."""
    return Option(
        "cover_second",
        Number(most=900),
        label="Cover (second)",
        help="Second of the video at which its cover is taken.",
        only=VIDEOS,
        unless=unless,
    )


def cover_picture(only: frozenset[ContentKind] = VIDEOS, unless: When | None = None) -> Option:
    """Return the option that gives a video a cover of its own."""
    return Option(
        COVER,
        ID,
        label="Cover (a photo of yours)",
        help="Id of an uploaded photo that becomes the video's cover.",
        only=only,
        unless=unless,
    )


def fit(unless: When | None = None) -> Option:
    """Return the option that says what becomes of a photo of a shape that is not taken."""
    return Option(
        "fit",
        Choice({"pad": "White bars", "crop": "Cut it", "keep": "Keep its shape"}),
        label="Fit of the photo",
        help="What becomes of a photo of a shape that the platform says it does not take; with "
        "keep it goes out as it is and may be refused.",
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
            _percent("left", "From the left (%)", "What is left out at the left.", least=0),
            _percent("top", "From the top (%)", "What is left out at the top.", least=0),
            _percent("width", "Width (%)", "How much of the photo's width goes out.", least=1),
            _percent("height", "Height (%)", "How much of the photo's height goes out.", least=1),
        ),
    ),
    label="Crop",
    help="The part of the photo that goes out, in percent of its width and height as it is seen. "
    "The file stays whole: without it all of the photo goes out.",
    group=Group.COMMON,
    only=PHOTOS,
)
"""Known wherever photos are taken; `fit` says what becomes of a shape that is not taken."""

LINK_CARD: Final = Option(
    "link",
    Link(),
    label="Link card",
    help="Link shown as a card if there is no file: by default the caption's first.",
    note="; false: none",
    group=Group.COMMON,
    only=TEXT_ALONE,
)
"""Where the platform shows a card of a link (`texts/card_links.py`)."""


def first_comment(longest: int, what: str = "comment", unless: When | None = None) -> Option:
    """Return the option that says something under the live post."""
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
    """Return the option that describes the file; `of` says what can be described."""
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
    """Return the name that `alt_text` had before; it works where it did, behind the new one."""
    return Option(
        OLDER_ALT,
        rule,
        label="Alt text",
        help="The older name of alt_text, which still works; alt_text wins over it.",
        only=only,
        is_old=True,
    )


ALT: Final = Text(longest=2_000)
ALT_TEXTS: Final = OneOrMany(of=ALT, most=20)
