"""Who a key is: its workspace, its member, what it may do and what is left of the allowances."""

from datetime import datetime
from operator import attrgetter
from typing import Annotated

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import Call, endpoint
from chalicelib.domain.workspace.access import Caller, Plan, Role, Scope, permissions
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.workspace_use import WorkspaceUse


@dataclass(frozen=True, slots=True)
class Me:
    """A caller, and what the workspace has used."""

    caller: Caller
    use: WorkspaceUse

    @property
    def scopes(self) -> list[Scope]:
        """What key and role both allow."""
        allowed = self.caller.scopes & permissions(self.caller.role)
        return [scope for scope in Scope if scope in allowed]


class MonthOut(Out):
    """The X posts of the workspace's calendar month, or of the whole trial."""

    x_posts: int = Field(description="Used; one with a link counts as 10.")
    x_allowance: int


class StorageOut(Out):
    """Files that are kept, reservations of uploads included."""

    used_bytes: Annotated[int, From("stored_bytes")]
    allowed_bytes: Annotated[int, From("storage_limit")]


class MeOut(Out, Of[Me]):
    """Who calls, and what is left."""

    workspace_id: Annotated[str, From(attrgetter("caller.workspace_id"))]
    workspace: Annotated[str, From(attrgetter("use.workspace.name"))] = Field(
        description="The workspace's name."
    )
    plan: Annotated[Plan, From(attrgetter("caller.plan"))]
    timezone: Annotated[str, From(attrgetter("caller.timezone"))] = Field(
        description="The workspace's, an IANA name."
    )
    member: Annotated[str, From(attrgetter("caller.member_name"))] = Field(
        description="The name of the key's owner."
    )
    role: Annotated[Role, From(attrgetter("caller.role"))]
    scopes: list[Scope] = Field(description="What the key and the role both allow.")
    trial_ends_at: Annotated[datetime | None, From(attrgetter("caller.trial_ends_at"))]
    month: Annotated[MonthOut, From("use")]
    storage: Annotated[StorageOut, From("use")]


@endpoint(
    summary="Who the key is, and what is left of the allowances",
    scope=None,
    returns=MeOut,
)
def get_me(call: Call) -> Me:
    """Answer who calls."""
    return Me(call.caller, call.services.people.team.use(call.caller))
