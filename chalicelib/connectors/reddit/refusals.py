"""What this service refuses in Reddit's place, or reads from a bare number: reddit.com/dev/api."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class RedditRefusal(OwnRefusal):
    """The closed set."""

    NO_COMMUNITY = (
        FailureCode.INVALID_OPTIONS,
        "Reddit needs a community: set subreddit to its name, or to u_name for a profile.",
    )
    NO_TITLE = (
        FailureCode.INVALID_OPTIONS,
        "Reddit needs a title: set title, or write a caption.",
    )
    OTHER_KIND = (
        FailureCode.INVALID_OPTIONS,
        "The post's file does not fit its kind on Reddit, {kind}.",
    )
    NO_ADDRESS = (
        FailureCode.INVALID_OPTIONS,
        "A link on Reddit needs an http or https address.",
    )
    UNUSED_LINK = FailureCode.INVALID_OPTIONS, "link needs the kind link."
    UNUSED_FLAIR_TEXT = FailureCode.INVALID_OPTIONS, "flair_text needs a flair_id."
    FLAIR_ID = FailureCode.INVALID_OPTIONS, "flair_id is not the id of a flair on Reddit."
    NO_STILL = (
        FailureCode.PROCESSING_FAILED,
        "Reddit needs a still picture of every video, and none could be made from this one.",
    )
    NO_FILES = (
        FailureCode.INVALID_OPTIONS,
        "This Reddit community does not accept posts of this kind.",
    )
    PROBABLY_FLAIR = (
        FailureCode.INVALID_OPTIONS,
        "Reddit refused the post, most likely because the community has no such flair.",
    )
    FILE_TYPE = FailureCode.MEDIA_REJECTED, "Reddit does not accept files of this type."
    NEVER_SHOWN = (
        FailureCode.PROCESSING_TIMEOUT,
        "Reddit accepted the post but does not show it. Check Reddit; a retry checks first, too.",
    )
    UNREADABLE = (
        FailureCode.PERMISSION_MISSING,
        "Reddit does not show what this account has posted. Check Reddit before you retry.",
    )
    WITHHELD = (
        FailureCode.PERMISSION_MISSING,
        "The sign-in to Reddit lacks permissions: {missing}.",
    )
    SUSPENDED = (
        FailureCode.ACCOUNT_RESTRICTED,
        "Reddit has suspended the account. Sign in there to see why.",
    )
