"""What this service refuses in YouTube's place: developers.google.com/youtube/v3/docs/videos."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class YouTubeRefusal(OwnRefusal):
    """The closed set."""

    NO_VIDEO = FailureCode.MEDIA_REJECTED, "YouTube accepts only videos."
    LONG_TEXT = (
        FailureCode.CAPTION_REJECTED,
        (
            "YouTube allows descriptions of up to 5,000 bytes, and this caption has {found:,}."
            " Shorten it."
        ),
    )
    ANGLES = (
        FailureCode.CAPTION_REJECTED,
        "YouTube does not allow < or > in a description. Write the caption without them.",
    )
    TAGS = (
        FailureCode.INVALID_OPTIONS,
        "YouTube allows 500 characters of tags in all, and these have {found}. Use fewer.",
    )
    LOST = FailureCode.PLATFORM_UNAVAILABLE, "YouTube lost the upload several times."
    STUCK = FailureCode.PLATFORM_UNAVAILABLE, "YouTube does not keep any of the file it is sent."
    NOT_TICKED = (
        FailureCode.PERMISSION_MISSING,
        "A permission that posting needs was not granted on Google's page. Tick all of them.",
    )
