"""Google's errors about a project or an organization, common to all its APIs."""

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode

_OF_PROJECT = (
    "BILLING_DISABLED",
    "CONSUMER_INVALID",
    "CONSUMER_SUSPENDED",
    "insufficientAuthorizedParty",
    "ipRefererBlocked",
)
_OF_ORGANIZATION = ("domainPolicy", "ORG_RESTRICTION_VIOLATION")


def errors_of_project(name: str) -> ErrorTable:
    """Return the error table's rows about a project or an organization, common to all APIs.

    developers.google.com/youtube/v3/docs/core_errors; github.com/googleapis/googleapis,
    google/api/error_reason.proto.
    """
    closed = ErrorEntry(
        FailureCode.PLATFORM_UNAVAILABLE,
        f"Google does not let this service's project call {name} any more, or not from this"
        " address. Its operator must look at the project in Google's console.",
        ours=True,
        app_wide=True,
    )
    organization = ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        f"The administrator of the account's organization has switched {name}, or this service,"
        " off for it. Ask that administrator.",
        blame=Blame.ACCOUNT,
    )
    return {
        **dict.fromkeys(_OF_PROJECT, closed),
        **dict.fromkeys(_OF_ORGANIZATION, organization),
    }
