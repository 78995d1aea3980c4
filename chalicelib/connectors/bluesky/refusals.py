"""What this service refuses in Bluesky's place: docs.bsky.app, and what its servers may name."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class BlueskyRefusal(OwnRefusal):
    """The closed set."""

    LONG_COMMENT = (
        FailureCode.INVALID_OPTIONS,
        "Bluesky takes at most {most} characters and {most_bytes:,} bytes in first_comment.",
    )
    NOT_LET_IN = (
        FailureCode.PLATFORM_UNAVAILABLE,
        "Bluesky's video service did not take the pass of the account's server.",
    )
    INACTIVE = (
        FailureCode.ACCOUNT_RESTRICTED,
        "Bluesky has suspended or deactivated the account.",
    )
    NO_SERVER = (
        FailureCode.UNKNOWN,
        "The account's identity names a server that cannot be used. {why}",
    )
    UNUSABLE = (
        FailureCode.UNKNOWN,
        "The server that signs this account in names an address that cannot be used. {why}",
    )
