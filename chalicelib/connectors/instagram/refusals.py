"""What this service refuses in Instagram's place.

developers.facebook.com/docs/instagram-platform/reference/ig-user/media.
"""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class InstagramRefusal(OwnRefusal):
    """The closed set."""

    REEL_OF_PHOTO = FailureCode.INVALID_OPTIONS, "A reel on Instagram must be a video."
    TAGS_WITHOUT_PLACE = (
        FailureCode.INVALID_OPTIONS,
        "Instagram needs x and y for everybody in user_tags on a photo.",
    )
    CROWDED = (
        FailureCode.CAPTION_REJECTED,
        "Instagram allows at most {most} {signs}, and this caption has {found}.",
    )
    NOT_PROFESSIONAL = (
        FailureCode.PERMISSION_MISSING,
        "Instagram lets only professional accounts publish. Make it a business or creator account.",
    )
