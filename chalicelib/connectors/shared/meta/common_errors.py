"""Graph's own codes, which mean the same on Facebook, Instagram and Threads.

developers.facebook.com/docs/graph-api/guides/error-handling: 190 has a subcode that says why the
token failed; for some of them a new sign-in alone does not help.
"""

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode

NO_ROLE = "190/492"
NOT_OPENED, NO_APPLICATION = "3", "101"

_CHECKPOINT = ErrorEntry(
    FailureCode.AUTH_EXPIRED,
    "Meta wants the person who connected the account to sign in at facebook.com, or in the app that"
    " the account is used in, and settle what it asks there. Reconnect the account after that.",
    blame=Blame.ACCOUNT,
)
_CALLS_SPENT = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "This service has made all the calls that Meta allows its application for now. It is no limit"
    " of the account.",
    app_wide=True,
)
_ACCOUNTS_CALLS = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "Meta allows so many calls a day for one account, and those of this account are made for now."
    " It is no limit of posts.",
)

_OLD_VERSION = ErrorEntry(
    FailureCode.UNKNOWN,
    "Meta no longer answers how this service asked. Its operator must update it, or set a newer"
    " GOLDENHOUR_GRAPH_VERSION.",
    ours=True,
    app_wide=True,
)

_OF_ONE_EDGE = ("80000", *(str(code) for code in range(80003, 80010)), "80014")
"""Limits of the application's calls for advertising, leads, messages and catalogues."""

COMMON_ERRORS: ErrorTable = {
    "190/458": ErrorEntry(
        FailureCode.AUTH_EXPIRED,
        "The person who connected the account took this service's access away at Meta. Reconnect"
        " the account.",
    ),
    "190/459": _CHECKPOINT,
    "190/460": ErrorEntry(
        FailureCode.AUTH_EXPIRED,
        "The person who connected the account has changed the password or was signed out by Meta."
        " Reconnect the account.",
    ),
    "190/463": FailureCode.AUTH_EXPIRED,
    "190/464": ErrorEntry(
        FailureCode.AUTH_EXPIRED,
        "Meta wants the person who connected the account to confirm it. Sign in at facebook.com, or"
        " in the app that the account is used in, confirm, and reconnect the account.",
        blame=Blame.ACCOUNT,
    ),
    "190/467": FailureCode.AUTH_EXPIRED,
    "190/490": _CHECKPOINT,
    NO_ROLE: ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "The person who connected the account has no role on the Page any more. Have the Page give"
        " one, or let somebody who has one connect it.",
    ),
    "190": FailureCode.AUTH_EXPIRED,
    "102": FailureCode.AUTH_EXPIRED,
    "HTTP 401": FailureCode.AUTH_EXPIRED,
    "104": ErrorEntry(
        FailureCode.PLATFORM_UNAVAILABLE,
        "Meta does not accept the secret that this service signs with. Its operator must set it.",
        ours=True,
        app_wide=True,
    ),
    NO_APPLICATION: ErrorEntry(
        FailureCode.PLATFORM_UNAVAILABLE,
        "Meta does not know this service's application any more, or not as it is set up here. Its"
        " operator must look at it at Meta.",
        ours=True,
        app_wide=True,
    ),
    NOT_OPENED: ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Meta has not opened this call to this service's application. Its operator must have it"
        " set up at Meta.",
        ours=True,
    ),
    **dict.fromkeys(("12", "2635"), _OLD_VERSION),
    "2500": ErrorEntry(
        FailureCode.UNKNOWN,
        "Meta did not understand what this service asked. Its operator should update it.",
        ours=True,
    ),
    "5": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Meta takes calls of this service's application only from certain addresses. Its operator"
        " must add this server's to the application's settings at Meta.",
        ours=True,
        app_wide=True,
    ),
    "10": FailureCode.PERMISSION_MISSING,
    "200": FailureCode.PERMISSION_MISSING,
    "4": _CALLS_SPENT,
    "17": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "Meta allows so many calls an hour for one person, and those of the person who connected"
        " the account are made for now. It is no limit of posts.",
        blame=Blame.PERSON,
    ),
    "32": _CALLS_SPENT,
    "341": _CALLS_SPENT,
    "613": _CALLS_SPENT,
    **dict.fromkeys(_OF_ONE_EDGE, _CALLS_SPENT),
    **dict.fromkeys(("80001", "80002"), _ACCOUNTS_CALLS),
    "368": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Meta has blocked the account for a time, for a breach of its rules or what looks like one."
        " Sign in there to see why and until when. Retry after that.",
    ),
    "506": FailureCode.DUPLICATE_CONTENT,
    "100": FailureCode.INVALID_OPTIONS,
    "-1": FailureCode.PLATFORM_UNAVAILABLE,
    "1": FailureCode.PLATFORM_UNAVAILABLE,
    "2": FailureCode.PLATFORM_UNAVAILABLE,
    "transient": FailureCode.PLATFORM_UNAVAILABLE,
}


COMMON_WORDINGS = {
    "Error validating access token": "190",
    "session has been invalidated": "190",
}
"""The wording of an error about a dead token without a code."""


def fetch_refusal(name: str) -> ErrorEntry:
    """Return the row of a file that a platform could not fetch from this service."""
    return ErrorEntry(
        FailureCode.MEDIA_UNAVAILABLE,
        f"{name} could not fetch the file from this service. If that goes on, its operator must see"
        " to it that Meta reaches the address in GOLDENHOUR_PUBLIC_URL.",
    )
