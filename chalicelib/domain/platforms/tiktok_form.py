"""What TikTok's reviewers require a form for a post to show and ask, in TikTok's own words.

developers.tiktok.com/doc/content-sharing-guidelines, "Required UX Implementation in Your App". The
sentences are TikTok's, word for word: a form with other words was refused. `check` returns those
that depend on a post; GET /v1/accounts/{id}/tiktok?include=form returns them all for a form.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.setting import Setting
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

CREATOR_LABEL: Final = "tiktok_label"
INDICATE: Final = "You need to indicate if your content promotes yourself, a third party, or both."
NOT_PRIVATE: Final = "Branded content visibility cannot be set to private."
PROMOTIONAL: Final = "Your photo/video will be labeled as 'Promotional content'"
PARTNERSHIP: Final = "Your photo/video will be labeled as 'Paid partnership'"
DECLARATION: Final = "By posting, you agree to TikTok's Music Usage Confirmation"
BRANDED_DECLARATION: Final = (
    "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation"
)
LINKS: Final[Mapping[str, str]] = {
    "Music Usage Confirmation": (
        "https://www.tiktok.com/legal/page/global/music-usage-confirmation/en"
    ),
    "Branded Content Policy": "https://www.tiktok.com/legal/page/global/bc-policy/en",
}
AFTERWARDS: Final = (
    "After publishing, it may take a few minutes until the post is processed and visible on the"
    " profile."
)
UNAUDITED: Final = (
    "TikTok has not audited this service's application: until it has, posts go out only on accounts"
    " that are private, only with privacy_level SELF_ONLY, and of at most five people a day."
)


AUDIT: Final = Setting(
    name="tiktok_audit",
    default="pending",
    pattern="pending|passed",
    example="pending or passed",
)
"""GOLDENHOUR_TIKTOK_AUDIT: whether TikTok has audited the application, which an operator knows."""


def is_audited(settings: Mapping[str, str], *, test: bool = False) -> bool:
    """Tell whether TikTok has audited this deployment's application, according to its operator.

    Test accounts need no audit: they behave as without one only if an operator set `pending`.
    """
    return settings.get(AUDIT.name, "passed" if test else AUDIT.default) == "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TiktokForm:
    """What a form for a file of one kind shows; everything is off until a person switches it on.

    `label_of` and `declaration_of` say which sentences belong to which ticked boxes.
    """

    interactions: tuple[str, ...]
    indicate: str = INDICATE
    not_private: str = NOT_PRIVATE
    labels: Mapping[str, str]
    declarations: Mapping[str, str]
    links: Mapping[str, str]
    afterwards: str = AFTERWARDS
    unaudited: str | None = None


def form_for(kind: MediaKind, *, is_audited: bool) -> TiktokForm:
    """Return what a form shows for a file of a kind."""
    is_video = kind is MediaKind.VIDEO
    return TiktokForm(
        interactions=("comment", "duet", "stitch") if is_video else ("comment",),
        labels={"your_brand": PROMOTIONAL, "branded_content": PARTNERSHIP},
        declarations={"": DECLARATION, "branded_content": BRANDED_DECLARATION},
        links=LINKS,
        unaudited=None if is_audited else UNAUDITED,
    )


def label_of(options: Mapping[str, Json]) -> str | None:
    """Return how TikTok labels a post with these options, None if it does not."""
    if options.get("disclose_commercial") is not True:
        return None
    if options.get("branded_content") is True:
        return PARTNERSHIP
    return PROMOTIONAL if options.get("your_brand") is True else None


def declaration_of(options: Mapping[str, Json]) -> str:
    """Return the sentence on what a person agrees to by posting with these options."""
    return BRANDED_DECLARATION if label_of(options) == PARTNERSHIP else DECLARATION


def creator_warnings(
    options: Mapping[str, Json], offered: Collection[str], *, audited: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield what a person must be told before a post goes out: code, sentence and option."""
    label = label_of(options)
    if label is not None:
        yield CREATOR_LABEL, f"{label}. {declaration_of(options)}.", "disclose_commercial"
    is_seen = options.get("privacy_level") not in (None, "SELF_ONLY")
    is_public = "PUBLIC_TO_EVERYONE" in offered
    if not audited and options.get("draft") is not True and (is_seen or is_public):
        yield "tiktok_unaudited", UNAUDITED, "privacy_level"
