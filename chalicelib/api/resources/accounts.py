"""Endpoints of connected accounts and of what each offers to choose for a target's options.

Connecting an account is no matter of the API.
"""

from collections.abc import Sequence

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import In, Out, Query
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.errors import (
    AccountNotFound,
    PlatformUnreachable,
    TiktokUnreachable,
    TiktokUnsupported,
)
from chalicelib.domain.platforms.choices import Choices
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.times.audience import Region
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.accounts import Account, Health

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
    """List the workspace's accounts, oldest first."""

    data: list[AccountOut]
    test_accounts: bool = Field(description="Whether the workspace has a test account.")

    @staticmethod
    def of(result: Sequence[Account], call: AnyCall) -> JsonObject:
        """Write the accounts."""
        return {
            "data": [AccountOut.of(account, call) for account in result],
            "test_accounts": any(account.test for account in result),
        }


class TiktokQuery(Query):
    """What is to be posted."""

    media: str = Field(default="video", pattern="^(video|image)$")


class PrivacyLevelOut(Out):
    """Who can see a post."""

    value: str
    label: str


class InteractionsOut(Out):
    """What viewers may do with a post."""

    comment: bool
    duet: bool
    stitch: bool


class CreatorOptionsOut(Out):
    """What the creator can choose for the next post, fresh from TikTok."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: list[PrivacyLevelOut]
    max_video_seconds: int
    interactions: InteractionsOut

    @staticmethod
    def of(result: CreatorOptions, _call: AnyCall) -> JsonObject:
        """Write a creator's options."""
        allowed = result.interactions
        return {
            "account_id": result.account_id,
            "handle": result.handle,
            "nickname": result.nickname,
            "can_post": result.can_post,
            "privacy_levels": [
                {"value": level.value, "label": level.label} for level in result.privacy_levels
            ],
            "max_video_seconds": result.max_video_seconds,
            "interactions": {
                "comment": allowed.comment,
                "duet": allowed.duet,
                "stitch": allowed.stitch,
            },
        }


@endpoint(
    "GET",
    "/v1/accounts",
    summary="List the workspace's accounts, oldest first",
    scope=Scope.READ,
    returns=AccountsOut,
)
def list_accounts(call: Call) -> Sequence[Account]:
    """Answer the accounts."""
    return call.services.accounts.list(call.caller)


@endpoint(
    "GET",
    "/v1/accounts/{account_id}/tiktok",
    summary="Get a TikTok creator's current posting options, fresh from TikTok",
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
    summary="Set an account's audience regions; only the first three count",
    scope=Scope.WRITE,
    body=RegionsIn,
    example={"audience_regions": ["Europe", "UK"]},
    returns=AccountOut,
    raises=(AccountNotFound,),
)
def set_audience_regions(call: Call[RegionsIn]) -> Account:
    """Set an account's regions."""
    return call.services.accounts.set_regions(
        call.caller, call.path["account_id"], tuple(call.body.audience_regions)
    )


LONGEST_SUBREDDIT = 30


class ChoicesQuery(Query):
    """What is asked about besides the account."""

    subreddit: str | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_SUBREDDIT,
        description="A community on Reddit whose flairs are listed too, as `flair_id`.",
    )
    fresh: bool = Field(
        default=False, description="Asks the platform anew; else up to 10 minutes old."
    )


class ChoiceOut(Out):
    """One choice: the option's value, and what people call it."""

    id: str
    name: str


class ChoicesOut(Out):
    """What can be chosen, by the option's name; empty where there is nothing to choose."""

    data: dict[str, list[ChoiceOut]]

    @staticmethod
    def of(result: Choices, _call: AnyCall) -> JsonObject:
        """Write the choices."""
        return {
            "data": {
                option: [{"id": choice.id, "name": choice.name} for choice in choices]
                for option, choices in result.offered.items()
            }
        }


@endpoint(
    "GET",
    "/v1/accounts/{account_id}/choices",
    summary="List the boards, communities, flairs, playlists and categories an account can use",
    scope=Scope.WRITE,
    query=ChoicesQuery,
    returns=ChoicesOut,
    raises=(AccountNotFound, TiktokUnsupported, PlatformUnreachable),
)
def get_choices(call: Call[None, ChoicesQuery]) -> Choices:
    """Answer what an account offers."""
    return call.services.choices.list(
        call.caller,
        call.path["account_id"],
        subreddit=call.query.subreddit,
        fresh=call.query.fresh,
    )


ENDPOINTS = (list_accounts, get_tiktok_options, get_choices, set_audience_regions)
