"""The endpoint that lists what an account can choose for its options."""

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import Out, Query
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.errors import AccountNotFound, PlatformUnreachable, TiktokUnsupported
from chalicelib.domain.platforms.choices import Choices
from chalicelib.domain.workspace.access import Scope

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
    summary="The boards, communities, flairs, playlists and such that an account can choose from",
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
