"""What this service refuses in Pinterest's place: developers.pinterest.com/docs/api/v5/pins-create.

The limits that the sentences name are those of `post.py`.
"""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import Blame, FailureCode

_NEEDS_BOARD = "Pinterest needs `board` in the options: the id of a board, digits only."


class PinterestRefusal(OwnRefusal):
    """The closed set."""

    NO_FILE = FailureCode.MEDIA_REJECTED, "A pin needs a photo or a video."
    NO_BOARD = FailureCode.INVALID_OPTIONS, _NEEDS_BOARD
    NO_BOARD_OF = (
        FailureCode.INVALID_OPTIONS,
        f"{_NEEDS_BOARD} When the account was connected there were: {{boards}}.",
    )
    SECTION = (
        FailureCode.INVALID_OPTIONS,
        "`board_section` is the id of a section of the board, digits only.",
    )
    LINK = (
        FailureCode.INVALID_OPTIONS,
        "`link` must be a full http(s) address of at most {most} characters.",
    )
    PHOTO_KIND = FailureCode.MEDIA_REJECTED, "Pinterest accepts JPEG and PNG photos."
    SMALL = (
        FailureCode.MEDIA_REJECTED,
        "Pinterest does not accept photos with a side under {least} pixels.",
    )
    SHORT = (
        FailureCode.MEDIA_REJECTED,
        "Pinterest does not accept videos under {least} seconds.",
    )
    LONG = (
        FailureCode.VIDEO_TOO_LONG,
        "Pinterest does not accept videos over {most} minutes.",
    )
    SHAPE = (
        FailureCode.MEDIA_REJECTED,
        "Pinterest accepts videos no wider than 1.91:1 and no taller than 1:2.",
    )
    LOST = (
        FailureCode.MEDIA_UNAVAILABLE,
        "Pinterest has lost the video twice.",
        Blame.PLATFORM,
    )
