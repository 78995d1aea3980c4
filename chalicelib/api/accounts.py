"""Endpoints of connected accounts (SPEC "Accounts"); connecting one is no matter of the API."""

from collections.abc import Sequence

from chalicelib.api.endpoint import Call, endpoint
from chalicelib.api.schemas_accounts import AccountOut, AccountsOut, RegionsIn
from chalicelib.api.schemas_tiktok import CreatorOptionsOut, TiktokQuery
from chalicelib.domain.access import Scope
from chalicelib.domain.accounts import Account
from chalicelib.domain.errors import AccountNotFound, TiktokUnreachable, TiktokUnsupported
from chalicelib.domain.platforms import MediaKind
from chalicelib.domain.tiktok import CreatorOptions


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
    "GET",
    "/v1/accounts/{account_id}/tiktok",
    summary="What a TikTok creator can choose for the next post, fresh from TikTok",
    scope=Scope.WRITE,
    query=TiktokQuery,
    returns=CreatorOptionsOut,
    raises=(AccountNotFound, TiktokUnsupported, TiktokUnreachable),
)
def get_tiktok_options(call: Call[None, TiktokQuery]) -> CreatorOptions:
    """Answer a creator's options."""
    kind = MediaKind(call.query.media)
    return call.services.accounts.tiktok_options(call.caller, call.path["account_id"], kind)


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
