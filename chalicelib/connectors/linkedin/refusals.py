"""What this service refuses in LinkedIn's place: learn.microsoft.com/linkedin, "Posts API".

Of videos "Videos API": 3 s to 30 min, 75 KB to 500 MB.
"""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import Blame, FailureCode


class LinkedInRefusal(OwnRefusal):
    """The closed set."""

    SMALL = (
        FailureCode.MEDIA_REJECTED,
        "LinkedIn accepts videos of at least 75 KB. Upload one of better quality, or a longer one.",
    )
    SHORT = (
        FailureCode.MEDIA_REJECTED,
        "LinkedIn accepts videos of at least 3 seconds. Upload a longer one.",
    )
    NOT_TAKEN = (
        FailureCode.MEDIA_UNAVAILABLE,
        "LinkedIn did not take the upload.",
        Blame.PLATFORM,
    )
    UNMENTIONED = (
        FailureCode.INVALID_OPTIONS,
        "mentions names {name}, and the caption has no @{name}.",
    )
    OTHER_AUTHOR = (
        FailureCode.INVALID_OPTIONS,
        "author is another LinkedIn page. Connect it as a separate account.",
    )
    PAGE_CONNECTIONS = (
        FailureCode.INVALID_OPTIONS,
        "visibility CONNECTIONS is for members; a page has none.",
    )
    HALF_BUTTON = FailureCode.INVALID_OPTIONS, "cta_label and cta_url go together."
    MEMBERS_BUTTON = (
        FailureCode.INVALID_OPTIONS,
        "cta_label is for pages, not for members.",
    )
    TITLE = FailureCode.INVALID_OPTIONS, "title needs a video."
