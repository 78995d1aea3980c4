"""Endpoints that set a post in motion or stop it, or tell what will stop it.

Each is all or nothing over the post's targets and answers with the post as it then is (docs/api.md
"States and transitions"). `check` changes nothing and answers with every problem that is known
before its time (docs/api.md "Checking a post").
"""

from typing import Annotated

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import Call, endpoint
from chalicelib.api.http.fields import A_TIME
from chalicelib.api.resources.post_schemas import PostOut, ScheduleIn
from chalicelib.domain.errors import (
    AccountRemoved,
    CantRemove,
    FileRemoved,
    MediaRequired,
    NothingToCancel,
    NothingToPublish,
    NothingToRetry,
    NothingToSchedule,
    NotLive,
    OptionRequired,
    OptionUnknown,
    PlanLimit,
    PostNotFound,
    QueueFull,
    RemoveFailed,
    Stale,
    TargetNotInPost,
    TiktokRules,
)
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.problems import CheckedPost, Level
from chalicelib.domain.workspace.access import Scope

_OF_WHAT_GOES_OUT = (
    FileRemoved,
    AccountRemoved,
    MediaRequired,
    TiktokRules,
    OptionRequired,
    OptionUnknown,
    PlanLimit,
)


class PostProblemOut(Out):
    """One thing that will, or may, keep a target from going out."""

    target_id: str
    level: Level = Field(description="An error will happen, a warning may.")
    code: str = Field(
        description="What the API or the failed target would say; `unchecked` where nobody knows, "
        "`no_preview` for a link whose page cannot be read, `option_ignored` for an option that "
        "the post goes out without, `photo_reshaped` for a photo that gets white bars or is cut, "
        "`animation_stilled` for an animated photo of which one picture is seen, "
        "`caption_doubtful` for a text that the platform may refuse against its own rule."
    )
    message: str
    field: str | None = Field(description="Where it is, such as `targets[0].options.board`.")


class CheckOut(Out, Of[CheckedPost]):
    """Every problem of every target that has yet to go out."""

    ready: Annotated[bool, From("is_ready")] = Field(description="False while there is an error.")
    data: Annotated[list[PostProblemOut], From("problems")]


@endpoint(
    summary="List the known problems of a post (read-only)",
    scope=Scope.READ,
    returns=CheckOut,
    raises=(PostNotFound,),
)
def check(call: Call) -> CheckedPost:
    """Answer every problem at once."""
    return call.services.checking.checks.check(call.caller, call.path["post_id"])


@endpoint(
    summary="Schedule every unscheduled target: at one time, its own, or its next golden hour",
    scope=Scope.PUBLISH,
    body=ScheduleIn,
    example={"at": A_TIME},
    body_optional=True,
    returns=PostOut,
    raises=(
        PostNotFound,
        Stale,
        NothingToSchedule,
        *_OF_WHAT_GOES_OUT,
    ),
    takes_if_match=True,
)
def schedule(call: Call[ScheduleIn]) -> Post:
    """Give every unscheduled target its time."""
    return call.services.posting.scheduling.schedule(
        call.caller, call.path["post_id"], at=call.body.at
    )


@endpoint(
    summary="Schedule the draft targets for the next free queue time",
    scope=Scope.PUBLISH,
    returns=PostOut,
    raises=(
        PostNotFound,
        Stale,
        NothingToSchedule,
        QueueFull,
        *_OF_WHAT_GOES_OUT,
    ),
    takes_if_match=True,
)
def queue(call: Call) -> Post:
    """Give the draft targets the next free queue time."""
    return call.services.posting.scheduling.queue(call.caller, call.path["post_id"])


@endpoint(
    summary="Publish every target that is not live or being posted, now",
    scope=Scope.PUBLISH,
    returns=PostOut,
    raises=(
        PostNotFound,
        Stale,
        NothingToPublish,
        *_OF_WHAT_GOES_OUT,
    ),
    takes_if_match=True,
)
def publish_now(call: Call) -> Post:
    """Send what can be sent."""
    return call.services.posting.scheduling.publish_now(call.caller, call.path["post_id"])


@endpoint(
    summary="Cancel every scheduled target; live ones are left alone",
    scope=Scope.PUBLISH,
    returns=PostOut,
    raises=(PostNotFound, Stale, NothingToCancel),
    takes_if_match=True,
)
def cancel(call: Call) -> Post:
    """Stop what has not gone out."""
    return call.services.posting.scheduling.cancel(call.caller, call.path["post_id"])


@endpoint(
    summary="Retry the failed targets now",
    scope=Scope.PUBLISH,
    returns=PostOut,
    raises=(
        PostNotFound,
        Stale,
        NothingToRetry,
        *_OF_WHAT_GOES_OUT,
    ),
    takes_if_match=True,
)
def retry(call: Call) -> Post:
    """Send again what failed."""
    return call.services.posting.scheduling.retry(call.caller, call.path["post_id"])


@endpoint(
    summary="Delete one target's live post on its platform, permanently",
    scope=Scope.DELETE_PUBLISHED,
    returns=PostOut,
    raises=(
        PostNotFound,
        TargetNotInPost,
        NotLive,
        CantRemove,
        AccountRemoved,
        RemoveFailed,
    ),
)
def unpublish(call: Call) -> Post:
    """Take one live post off its platform."""
    return call.services.checking.live_posts.unpublish(
        call.caller, call.path["post_id"], call.path["target_id"]
    )
