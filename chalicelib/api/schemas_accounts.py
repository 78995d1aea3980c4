"""Bodies and answers of `/v1/accounts` (SPEC "Account")."""

from collections.abc import Sequence

from pydantic import Field

from chalicelib.api.endpoint import AnyCall
from chalicelib.api.fields import In, Out
from chalicelib.api.wire import JsonObject
from chalicelib.domain.accounts import Account, Health
from chalicelib.domain.audience import Region
from chalicelib.domain.platforms import Platform

MOST_REGIONS_SENT = 100


class RegionsIn(In):
    """Where an account's audience is; only the first three count."""

    audience_regions: list[Region] = Field(
        max_length=MOST_REGIONS_SENT, examples=[["Europe", "UK"]]
    )


class AccountOut(Out):
    """A connected account."""

    id: str
    platform: Platform
    handle: str
    test: bool
    health: Health = Field(description="A broken account must be reconnected in the app.")
    audience_regions: list[Region]

    @staticmethod
    def of(result: Account, _call: AnyCall) -> JsonObject:
        """Write an account."""
        return {
            "id": result.id,
            "platform": result.platform,
            "handle": result.handle,
            "test": result.test,
            "health": result.health,
            "audience_regions": list(result.audience_regions),
        }


class AccountsOut(Out):
    """Every account of the workspace, oldest first."""

    data: list[AccountOut]
    test_accounts: bool = Field(description="Whether the workspace has a test account.")

    @staticmethod
    def of(result: Sequence[Account], call: AnyCall) -> JsonObject:
        """Write the accounts."""
        return {
            "data": [AccountOut.of(account, call) for account in result],
            "test_accounts": any(account.test for account in result),
        }
