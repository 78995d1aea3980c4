"""Endpoints that make, read, change and delete posts, and their history (docs/api.md "Posts").

Nothing here goes out to a platform; `scheduling` has the endpoints that set posts in motion.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import (
    Call,
    NoContent,
    Reply,
    endpoint,
    reply_once,
    reply_with_page,
)
from chalicelib.api.http.fields import A_TIME, AN_ID
from chalicelib.api.resources.post_schemas import (
    CreatePostIn,
    ListedPosts,
    PatchPostIn,
    PostOut,
    PostsOut,
    PostsQuery,
)
from chalicelib.domain.cursors import Listed, read_cursor
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import (
    AccountRemoved,
    AlreadyLive,
    CaptionTooLong,
    DuplicateAccount,
    FileRemoved,
    MediaNotFound,
    MediaRequired,
    NoPlatforms,
    OptionRequired,
    OptionUnknown,
    PlanLimit,
    PostNotFound,
    RoleForbids,
    ScopeMissing,
    Stale,
    TiktokRules,
    UnknownAccount,
    UnknownTarget,
)
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.domain.posts.drafting import NewPost
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.history import Action, History
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.workspace.access import Scope
from chalicelib.services.in_parallel import in_parallel


class EventOut(Out):
    """Something that was done to a post."""

    action: Action
    by: str
    at: datetime
    detail: dict[str, object]


class PlatformAnswerOut(Out):
    """What a platform itself said with a refusal, at most 300 characters of it."""

    status: int = Field(description="The HTTP status.")
    code: str | None
    subcode: str | None
    trace_id: str | None = Field(description="What the platform's support asks for.")
    sentence: str | None


class AttemptOut(Out):
    """One attempt to post a target; `found` tells what a look on the platform showed."""

    target_id: str
    ok: bool
    status: str
    at: datetime
    remote_id: str | None = Field(description="The platform's own id of the live post.")
    error_code: FailureCode | None
    error_message: str | None
    found: str | None
    lateness_s: float | None = Field(description="Seconds after the time it was due.")
    blame: Blame | None = Field(description="Who or what must change before it goes out.")
    next_try_at: datetime | None = Field(description="When the service tries again by itself.")
    tries_until: datetime | None = Field(description="After when it makes no more tries.")
    platform_answer: Annotated[PlatformAnswerOut | None, From("answer")]


class HistoryOut(Out, Of[History]):
    """A post's events and attempts, oldest first."""

    events: list[EventOut]
    attempts: list[AttemptOut]


@endpoint(
    summary="Create a draft; nothing is posted",
    scope=Scope.WRITE,
    body=CreatePostIn,
    example={
        "caption": "New in the shop: the spring collection",
        "media_ids": [],
        "targets": [{"account_id": AN_ID, "scheduled_at": A_TIME}],
    },
    returns=PostOut,
    status=201,
    shown_at="/v1/posts/{id}",
    takes_idempotency_key=True,
    raises=(
        MediaNotFound,
        UnknownAccount,
        DuplicateAccount,
        MediaRequired,
        CaptionTooLong,
        TiktokRules,
        OptionUnknown,
        PlanLimit,
    ),
)
def create_post(call: Call[CreatePostIn]) -> Reply[Post]:
    """Make a draft, or answer the one that the same Idempotency-Key made, and say so."""
    return reply_once(
        call.services.posting.drafts.create(
            call.caller, call.body.to_domain(NewPost), idempotency_key=call.idempotency_key
        )
    )


@endpoint(
    summary="List posts, newest first; a Link header leads to the next page",
    scope=Scope.READ,
    query=PostsQuery,
    returns=PostsOut,
)
def list_posts(call: Call[None, PostsQuery]) -> Reply[ListedPosts]:
    """Answer a page of posts, with the way to the next one (RFC 8288)."""
    query = call.query
    if query.since is not None and query.until is not None and query.since > query.until:
        raise InvalidInput("`from` must not be after `to`.", loc=("query", "from"))
    found = call.services.stores.post_lists.find(
        call.caller.workspace_id,
        PostQuery(
            statuses=frozenset(query.status),
            platforms=frozenset(query.platform),
            account_ids=frozenset(query.account_id),
            sort=query.sort,
            text=query.q,
            label=query.label,
            since=query.since,
            until=query.until,
            limit=query.limit,
            cursor=_cursor(call),
        ),
    )
    services, posts = call.services, found.posts
    listed = ListedPosts(
        posts=posts,
        metrics=services.people.analytics.of_posts(call.caller, posts)
        if "metrics" in query.include
        else None,
        labels=services.posting.labels.of_posts(call.caller, posts)
        if "labels" in query.include
        else None,
    )
    return reply_with_page(call, listed, query.as_parameters(), Listed.POSTS, found.cursor)


def _cursor(call: Call[None, PostsQuery]) -> str | None:
    cursor, has_place = call.query.cursor, call.query.sort is Sort.SCHEDULED
    if cursor is None:
        return None
    return read_cursor(call.caller, cursor, Listed.POSTS, has_place=has_place)


@endpoint(
    summary="Get a post",
    scope=Scope.READ,
    returns=PostOut,
    raises=(PostNotFound,),
)
def get_post(call: Call) -> Post:
    """Answer a post as it is now."""
    return call.services.stores.posts.get(call.caller.workspace_id, call.path["post_id"])


@endpoint(
    summary="Edit a post; targets that are live or being posted are left alone",
    also_needs=(
        "A change that names a scheduled target or affects one (the shared caption, the file, an "
        "added or a removed account) needs `post.publish` besides, of the key and of the role: "
        "else 403 and nothing changed or, in a workspace with approvals, 200 and the post becomes "
        "`pending`."
    ),
    scope=Scope.WRITE,
    body=PatchPostIn,
    example={"caption": "New in the shop today: the spring collection"},
    returns=PostOut,
    raises=(
        PostNotFound,
        ScopeMissing,
        RoleForbids,
        Stale,
        AlreadyLive,
        FileRemoved,
        UnknownTarget,
        UnknownAccount,
        DuplicateAccount,
        NoPlatforms,
        CaptionTooLong,
        MediaRequired,
        TiktokRules,
        OptionRequired,
        OptionUnknown,
        PlanLimit,
    ),
    takes_if_match=True,
)
def edit_post(call: Call[PatchPostIn]) -> Post:
    """Change a post, all or nothing."""
    return call.services.posting.drafts.edit(
        call.caller, call.path["post_id"], call.body.to_domain(PostChanges)
    )


@endpoint(
    summary="Delete a post from the service; live posts remain on their platforms",
    also_needs="If any target is live, it needs `post.delete_published` besides.",
    scope=Scope.WRITE,
    returns=NoContent,
    status=204,
    raises=(PostNotFound, Stale, ScopeMissing, RoleForbids),
    takes_if_match=True,
)
def delete_post(call: Call) -> None:
    """Delete a post; one that is live somewhere also needs post.delete_published."""
    call.services.posting.drafts.delete(call.caller, call.path["post_id"])


@endpoint(
    summary="Duplicate a post as a new draft, without its times",
    scope=Scope.WRITE,
    returns=PostOut,
    status=201,
    shown_at="/v1/posts/{id}",
    takes_idempotency_key=True,
    raises=(PostNotFound, AccountRemoved, PlanLimit),
)
def duplicate_post(call: Call) -> Reply[Post]:
    """Make a draft of a post."""
    return reply_once(
        call.services.posting.drafts.duplicate(
            call.caller, call.path["post_id"], idempotency_key=call.idempotency_key
        )
    )


@endpoint(
    summary="Get a post's history: its events, and every attempt to post it",
    scope=Scope.READ,
    returns=HistoryOut,
    raises=(PostNotFound,),
)
def get_history(call: Call) -> History:
    """Answer a post's events and attempts."""
    posts, post_id = call.services.stores.posts, call.path["post_id"]
    _, history = in_parallel(
        lambda: posts.get(call.caller.workspace_id, post_id), lambda: posts.history(post_id)
    )
    return history
