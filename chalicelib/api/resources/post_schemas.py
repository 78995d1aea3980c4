"""Bodies, queries and answers of `/v1/posts` (docs/api.md "Posts").

`posts` and `scheduling` declare them. Bodies check the shape only; captions, accounts and states
are rules of the services. Answers are plain dicts, the models say how they look.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from chalicelib.api.http.answers import Of, Out
from chalicelib.api.http.endpoint import AnyCall
from chalicelib.api.http.fields import (
    COMMA_SEPARATED,
    LONGEST_CURSOR,
    LONGEST_ID,
    ONE_AT_LEAST,
    UP_TO_MOST,
    Id,
    In,
    Line,
    Moment,
    Options,
    Query,
    QueryMoment,
    Text,
)
from chalicelib.api.resources.analytics import MetricsOut, by_account
from chalicelib.api.resources.labels import LabelOut
from chalicelib.domain.analytics.metrics import PostMetrics
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import MOST_TARGETS
from chalicelib.domain.posts.labels import Label
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.query import Sort
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.http.messages import JsonObject
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

MOST_ADDED = 20
MOST_REMOVED = 20
MOST_MEDIA_IDS = 100
LONGEST_SEARCH = 1_000


class TargetIn(In):
    """An account the post shall go to."""

    account_id: Id
    caption_override: Text | None = None
    options: Options = Field(default_factory=dict)
    scheduled_at: Moment | None = None


class CreatePostIn(In):
    """A new draft."""

    caption: Text = Field(default="", examples=["New in the shop: the spring collection"])
    media_ids: list[Id] = Field(default_factory=list, max_length=MOST_MEDIA_IDS)
    targets: list[TargetIn] = Field(min_length=1, max_length=MOST_TARGETS)


class TargetChangeIn(In):
    """What shall change on one target; null leaves a field as it is."""

    id: Id
    caption_override: Annotated[
        Text | None, Field(description="An empty string clears the override.")
    ] = None
    options: Options | None = None
    scheduled_at: Moment | None = None


class PatchPostIn(In):
    """What shall change on a post; null leaves a field as it is."""

    caption: Text | None = None
    media_ids: Annotated[
        list[Id] | None,
        Field(
            description="The post's file, as at creation; an empty list takes it away.",
            max_length=MOST_MEDIA_IDS,
        ),
    ] = None
    targets: list[TargetChangeIn] | None = Field(default=None, max_length=MOST_TARGETS)
    add: list[TargetIn] | None = Field(default=None, max_length=MOST_ADDED)
    remove: list[Id] | None = Field(default=None, max_length=MOST_REMOVED)


class ScheduleIn(In):
    """One time for all unscheduled targets; without it each goes at its own."""

    at: Moment | None = None


AskedId = Annotated[str, Field(max_length=LONGEST_ID)]
"""An id that only chooses: what is none chooses nothing."""


class PostsQuery(Query):
    """Filters over the workspace's posts."""

    status: Annotated[tuple[PostStatus, ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED] = ()
    platform: Annotated[tuple[Platform, ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED] = Field(
        default=(), description="Only posts with a target on one of these."
    )
    account_id: Annotated[tuple[AskedId, ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED] = Field(
        default=(), description="Only posts with a target of one of these accounts."
    )
    sort: Sort = Field(
        default=Sort.CREATED,
        description=(
            "`created`: newest first. `scheduled`: by time, earliest first; a post stands at its "
            "earliest time within the window, and posts without a time come last."
        ),
    )
    q: Line = Field(default="", max_length=LONGEST_SEARCH, description="Text a caption contains.")
    since: QueryMoment | None = Field(
        default=None,
        alias="from",
        description="Only posts with a target due at this time or later.",
    )
    until: QueryMoment | None = Field(
        default=None, alias="to", description="End of the time window, not included."
    )
    label: AskedId | None = Field(default=None, description="Only posts with the label of this id.")
    limit: int = Field(default=50, ge=1, le=200)
    include: Annotated[
        tuple[Literal["metrics", "labels"], ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED
    ] = Field(
        default=(),
        description="Adds to each post its `metrics`, with the counts of each account, or its "
        "`labels`.",
    )
    cursor: str | None = Field(
        default=None,
        max_length=LONGEST_CURSOR,
        description="From the Link header of the page before; leave it as it is.",
    )

    def as_parameters(self) -> dict[str, str]:
        """Return the same filters as query parameters, for a link."""
        sent = {
            "status": ",".join(self.status),
            "platform": ",".join(self.platform),
            "account_id": ",".join(self.account_id),
            "sort": "" if self.sort is Sort.CREATED else self.sort,
            "q": self.q,
            "label": self.label or "",
            "from": _time(self.since),
            "to": _time(self.until),
            "limit": str(self.limit),
            "include": ",".join(self.include),
        }
        return {name: value for name, value in sent.items() if value}


class TargetOut(Out):
    """One account on a post."""

    id: str
    account_id: str | None = Field(description="Null once the account was disconnected.")
    platform: Platform
    handle: str
    status: TargetStatus
    caption_override: str | None
    options: dict[str, object]
    scheduled_at: datetime | None
    url: str | None = Field(description="The live post, once published.")
    error_code: FailureCode | None
    error_message: str | None
    trimmed: bool
    published_at: datetime | None

    @classmethod
    def serialize(cls, value: Target, call: AnyCall | None) -> JsonObject:
        """Write a target; to callers its account shows as null once it is gone."""
        written = super().serialize(value, call)
        if call is not None and value.account_id not in call.caller.accounts:
            written["account_id"] = None
        return written


class PostOut(Out, Of[Post]):
    """A post and its targets."""

    IS_REVISED: ClassVar = True

    id: str
    caption: str
    media_ids: list[str]
    status: PostStatus
    approval: Approval | None
    created_at: datetime
    targets: list[TargetOut]


class ListedPostOut(PostOut):
    """A post of a list."""

    metrics: MetricsOut | None = Field(default=None, description="With `include=metrics`.")
    labels: list[LabelOut] | None = Field(default=None, description="With `include=labels`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPosts:
    """A page of posts; `metrics` and `labels` by post id, None unless they are wanted."""

    posts: Sequence[Post]
    metrics: Mapping[str, PostMetrics] | None = None
    labels: Mapping[str, Sequence[Label]] | None = None


class PostsOut(Out, Of[ListedPosts]):
    """A page of posts, newest first; a Link header leads to the next one."""

    data: list[ListedPostOut]

    @classmethod
    def serialize(cls, value: ListedPosts, call: AnyCall | None) -> JsonObject:
        """Write a page, each post with what is wanted of it besides."""
        return {"data": [_write_listed(post, value, call) for post in value.posts]}


def _write_listed(post: Post, listed: ListedPosts, call: AnyCall | None) -> JsonObject:
    written = PostOut.serialize(post, call)
    if listed.metrics is not None:
        own = listed.metrics[post.id]
        counts = {**MetricsOut.serialize(own, None), "accounts": by_account(own, call)}
        written = {**written, "metrics": counts}
    if listed.labels is not None:
        labels: list[Json] = [LabelOut.serialize(one, call) for one in listed.labels[post.id]]
        written = {**written, "labels": labels}
    return written


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
