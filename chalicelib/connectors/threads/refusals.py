"""What this service refuses in Threads' place: developers.facebook.com/docs/threads."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class ThreadsRefusal(OwnRefusal):
    """The closed set."""

    LINKS = (
        FailureCode.CAPTION_REJECTED,
        "Threads allows at most {most} links, and this post has {found}.",
    )
