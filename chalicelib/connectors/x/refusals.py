"""What this service refuses in X's place, before anything is sent: docs.x.com, "Create Post"."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.connectors.x.errors import ONE_CASHTAG
from chalicelib.domain.outcome import FailureCode


class XRefusal(OwnRefusal):
    """The closed set."""

    BYTE_ORDER_MARK = (
        FailureCode.CAPTION_REJECTED,
        "X does not accept byte order marks in a text.",
    )
    CASHTAGS = FailureCode.CAPTION_REJECTED, ONE_CASHTAG
    LONG_COMMENT = (
        FailureCode.INVALID_OPTIONS,
        "X counts first_comment as longer than {most} characters.",
    )
    NO_COMMUNITY = FailureCode.INVALID_OPTIONS, "share_with_followers needs a community_id."
    NO_FILE = FailureCode.INVALID_OPTIONS, "media_title and media_description need a file."
