"""What this service refuses in Facebook's place: developers.facebook.com/docs/pages-api."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class FacebookRefusal(OwnRefusal):
    """The closed set."""

    NO_FILE = (
        FailureCode.INVALID_OPTIONS,
        "A story or reel on Facebook needs a file, not just text.",
    )
    REEL_OF_PHOTO = FailureCode.INVALID_OPTIONS, "A reel on Facebook must be a video."
