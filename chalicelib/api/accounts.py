"""Endpoints of connected accounts (SPEC "Accounts"); connecting one is no matter of the API."""

from collections.abc import Sequence

from chalicelib.api.endpoint import Call, endpoint
from chalicelib.api.schemas_accounts import AccountOut, AccountsOut, RegionsIn
from chalicelib.domain.access import Scope
from chalicelib.domain.accounts import Account
from chalicelib.domain.errors import AccountNotFound


@endpoint(
    "GET",
    "/v1/accounts",
    summary="Every account of the workspace, oldest first",
    scope=Scope.READ,
    returns=AccountsOut,
)
def list_accounts(call: Call) -> Sequence[Account]:
    """Answer the accounts."""
    return call.services.accounts.list(call.caller)


@endpoint(
    "PATCH",
    "/v1/accounts/{account_id}",
    summary="Say where an account's audience is; only the first three regions count",
    scope=Scope.WRITE,
    body=RegionsIn,
    returns=AccountOut,
    raises=(AccountNotFound,),
)
def set_audience_regions(call: Call[RegionsIn]) -> Account:
    """Set an account's regions."""
    return call.services.accounts.set_regions(
        call.caller, call.path["account_id"], tuple(call.body.audience_regions)
    )
