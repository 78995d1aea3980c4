"""What this service refuses in TikTok's place: developers.tiktok.com/doc/content-posting-api."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class TikTokRefusal(OwnRefusal):
    """The closed set."""

    NO_DRAFTS = (
        FailureCode.PERMISSION_MISSING,
        (
            "This account's sign-in lets TikTok take no drafts."
            " Reconnect it by the sign-in named draft."
        ),
    )
    CREATORS_RULE = FailureCode.INVALID_OPTIONS, "{why}"
    """The sentence of `check` about a choice that TikTok's form does not offer this creator."""

    LONG = (
        FailureCode.VIDEO_TOO_LONG,
        "TikTok accepts videos of at most {most} seconds from this creator.",
    )
    UNTOLD = (
        FailureCode.OUTCOME_UNKNOWN,
        "TikTok does not say whether it has the whole video. Check TikTok before you retry.",
    )
    IN_INBOX = (
        FailureCode.OUTCOME_UNKNOWN,
        (
            "TikTok put the post into the app's inbox instead of publishing it. "
            "Publish it there; a retry then finds it."
        ),
    )
    INCOMPLETE = (
        FailureCode.PLATFORM_UNAVAILABLE,
        "TikTok did not receive the whole video in time. Retry it.",
    )
