"""Endpoints of connected accounts and of what each offers to choose for a target's options.

Connecting an account is no matter of the API.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import COMMA_SEPARATED, ONE_AT_LEAST, UP_TO_MOST, In, Line, Query
from chalicelib.domain.errors import (
    AccountNotFound,
    PlatformUnreachable,
    TiktokUnreachable,
    TiktokUnsupported,
)
from chalicelib.domain.platforms.choices import BOARD, SUBREDDIT, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.times.audience import Region
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.http.messages import JsonObject

MOST_REGIONS_SENT = 100


class RegionsIn(In):
    """Where an account's audience is; only the first three count."""

    audience_regions: list[Region] = Field(
        max_length=MOST_REGIONS_SENT, examples=[["Europe", "UK"]]
    )


class AccountOut(Out, Of[Account]):
    """A connected account."""

    id: str
    platform: Platform
    handle: str
    test: bool
    health: Health = Field(description="A broken account must be reconnected in the app.")
    audience_regions: list[Region]


def _has_test_account(accounts: Sequence[Account]) -> bool:
    return any(account.test for account in accounts)


class AccountsOut(Out, Of[Sequence[Account]]):
    """List the workspace's accounts, oldest first."""

    data: Annotated[list[AccountOut], From(list)]
    test_accounts: Annotated[bool, From(_has_test_account)] = Field(
        description="Whether the workspace has a test account."
    )


class TiktokQuery(Query):
    """What is to be posted."""

    media: str = Field(default="video", pattern="^(video|image)$")
    include: Annotated[tuple[Literal["form"], ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED] = (
        Field(
            default=(),
            description="Adds `form`: what TikTok demands that a form shows, in its own words.",
        )
    )


class PrivacyLevelOut(Out):
    """Who can see a post."""

    value: str
    label: str


class InteractionsOut(Out):
    """What viewers may do with a post."""

    comment: bool
    duet: bool
    stitch: bool


class TiktokFormOut(Out):
    """What a form shows beside a post for TikTok; everything is off until a person says so."""

    interactions: list[str] = Field(description="Switches to show, each off at first.")
    indicate: str = Field(description="While it promotes something, but nothing says whom.")
    not_private: str = Field(description="Where branded content meets SELF_ONLY.")
    labels: dict[str, str] = Field(
        description="How TikTok labels the post, by option; branded_content wins."
    )
    declarations: dict[str, str] = Field(
        description='What stands above the button, always: by option, "" for every other post.'
    )
    links: dict[str, str] = Field(description="Where words of the declarations lead.")
    afterwards: str
    unaudited: str | None = Field(description="What holds until TikTok audits the application.")


class TiktokCreatorOut(Out, Of[CreatorOptions]):
    """What the creator can choose for the next post, fresh from TikTok."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: list[PrivacyLevelOut]
    max_video_seconds: int
    interactions: InteractionsOut
    form: TiktokFormOut | None = Field(default=None, description="With `include=form`.")

    @classmethod
    def serialize(cls, value: CreatorOptions, call: AnyCall | None) -> JsonObject:
        """Write the options, with the form if it is wanted."""
        written = super().serialize(value, call)
        if call is None or "form" not in getattr(call.query, "include", ()):
            del written["form"]
        return written


@endpoint(
    summary="List the workspace's accounts, oldest first",
    scope=Scope.READ,
    returns=AccountsOut,
)
def list_accounts(call: Call) -> Sequence[Account]:
    """Answer the accounts."""
    return call.services.workspace.accounts.list(call.caller)


@endpoint(
    summary="Get a TikTok creator's current posting options, fresh from TikTok",
    scope=Scope.WRITE,
    query=TiktokQuery,
    returns=TiktokCreatorOut,
    raises=(AccountNotFound, TiktokUnsupported, TiktokUnreachable),
)
def get_tiktok_options(call: Call[None, TiktokQuery]) -> CreatorOptions:
    """Answer a creator's options."""
    kind = MediaKind(call.query.media)
    return call.services.workspace.accounts.creator_options(
        call.caller, call.path["account_id"], kind
    )


LONGEST_SUBREDDIT = 30
LONGEST_BOARD = LONGEST_WORDS = 100


class ChoicesQuery(Query):
    """What is asked about besides the account."""

    subreddit: Line | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_SUBREDDIT,
        description="A community on Reddit whose flairs are listed too, as `flair_id`.",
    )
    board: Line | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_BOARD,
        description="A board on Pinterest whose sections are listed too, as `board_section`.",
    )
    q: Line | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_WORDS,
        description="Words to find places by: `place_id` on Facebook, `location_id` on Threads and "
        "on Instagram by the sign-in with Facebook; and people or pages to mention: `mentions` on "
        "Bluesky and LinkedIn.",
    )
    fresh: bool = Field(
        default=False,
        description="Asks the platform again; without it the answer may be 10 minutes old.",
    )


class ChoiceOut(Out):
    """One choice: the option's value, and what people call it."""

    id: str
    name: str


class ChoicesOut(Out, Of[Choices]):
    """What can be chosen, by the option's name; empty where there is nothing to choose."""

    data: Annotated[dict[str, list[ChoiceOut]], From("offered")]


@endpoint(
    summary="List the boards, communities, playlists and places that an account can use",
    scope=Scope.WRITE,
    query=ChoicesQuery,
    returns=ChoicesOut,
    raises=(AccountNotFound, TiktokUnsupported, PlatformUnreachable),
)
def get_choices(call: Call[None, ChoicesQuery]) -> Choices:
    """Answer what an account offers."""
    query = call.query
    chosen = {SUBREDDIT: query.subreddit, BOARD: query.board}
    asked = ChoiceQuery(chosen={n: v for n, v in chosen.items() if v is not None}, words=query.q)
    account_id = call.path["account_id"]
    return call.services.workspace.accounts.read_choices(
        call.caller, account_id, asked, fresh=query.fresh
    )


@endpoint(
    summary="Set an account's audience regions; only the first three count",
    scope=Scope.WRITE,
    body=RegionsIn,
    example={"audience_regions": ["Europe", "UK"]},
    returns=AccountOut,
    raises=(AccountNotFound,),
)
def set_audience_regions(call: Call[RegionsIn]) -> Account:
    """Set an account's regions."""
    return call.services.workspace.accounts.set_regions(
        call.caller, call.path["account_id"], tuple(call.body.audience_regions)
    )
