"""What the service answers, as values.

Written by `make openapi` of the service from its description, not by hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A connected account."""

    id: str
    platform: str
    handle: str
    test: bool
    health: str
    audience_regions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted."""

    views: int
    likes: int
    comments: int
    shares: int
    followers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCounts:
    """What was counted; every field is None until a platform reported."""

    views: int | None = None
    likes: int | None = None
    comments: int | None = None
    shares: int | None = None
    followers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountMetrics:
    """How one account's part of a post does; `counts` is empty until its platform reported."""

    target_id: str
    account_id: str | None
    platform: str
    handle: str
    counts: PlatformCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountList:
    """List the workspace's accounts, oldest first."""

    data: tuple[Account, ...]
    test_accounts: bool

    def __iter__(self) -> Iterator[Account]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMedia:
    """An uploaded file, with its alt text if that was asked for."""

    id: str
    kind: str
    filename: str
    size_bytes: int
    duration_s: float | None
    width: int
    height: int
    too_long_for: Mapping[str, int]
    url: str | None
    file_removed: bool
    created_at: datetime
    alt_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformAnswer:
    """What a platform itself said with a refusal, at most 300 characters of it."""

    status: int
    code: str | None
    subcode: str | None
    trace_id: str | None
    sentence: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt to post a target; `found` tells what a look on the platform showed."""

    target_id: str
    ok: bool
    status: str
    at: datetime
    remote_id: str | None
    error_code: str | None
    error_message: str | None
    found: str | None
    lateness_s: float | None
    blame: str | None
    next_try_at: datetime | None
    tries_until: datetime | None
    platform_answer: PlatformAnswer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostProblem:
    """One thing that will, or may, keep a target from going out."""

    target_id: str
    level: str
    code: str
    message: str
    field: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Every problem of every target that has yet to go out."""

    ready: bool
    data: tuple[PostProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One choice: the option's value, and what people call it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What can be chosen, by the option's name; empty where there is nothing to choose."""

    data: Mapping[str, tuple[Choice, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day's views."""

    date: date
    views: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedMedia:
    """An uploaded file with its alt text."""

    id: str
    kind: str
    filename: str
    size_bytes: int
    duration_s: float | None
    width: int
    height: int
    too_long_for: Mapping[str, int]
    url: str | None
    file_removed: bool
    created_at: datetime
    alt_text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectUpload:
    """Where and how to send the file."""

    media_id: str
    method: str
    url: str
    headers: Mapping[str, str]
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that was done to a post."""

    action: str
    by: str
    at: datetime
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedUpload:
    """An upload that we fetch; `/v1/media/uploads/{media_id}` tells how it stands."""

    media_id: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHour:
    """A platform's next golden hour, in the audience's time zone."""

    at: datetime
    hour: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHours:
    """When the audience is most active."""

    platforms: Mapping[str, GoldenHour]
    activity: tuple[int, ...]
    audience_regions: tuple[str, ...]
    timezone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A post's events and attempts, oldest first."""

    events: tuple[Event, ...]
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interactions:
    """What viewers may do with a post."""

    comment: bool
    duet: bool
    stitch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A label."""

    id: str
    name: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Labels, oldest first."""

    data: tuple[Label, ...]

    def __iter__(self) -> Iterator[Label]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """The X posts of the workspace's calendar month, or of the whole trial."""

    x_posts: int
    x_allowance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Files that are kept, reservations of uploads included."""

    used_bytes: int
    allowed_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """Who calls, and what is left."""

    workspace_id: str
    workspace: str
    plan: str
    timezone: str
    member: str
    role: str
    scopes: tuple[str, ...]
    trial_ends_at: datetime | None
    month: Month
    storage: Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """An uploaded file."""

    id: str
    kind: str
    filename: str
    size_bytes: int
    duration_s: float | None
    width: int
    height: int
    too_long_for: Mapping[str, int]
    url: str | None
    file_removed: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """How one post does."""

    total: Counts
    platforms: Mapping[str, PlatformCounts]
    accounts: tuple[AccountMetrics, ...] = ()
    days: tuple[Day, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformViews:
    """One platform's views."""

    platform: str
    views: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One account on a post."""

    id: str
    account_id: str | None
    platform: str
    handle: str
    status: str
    caption_override: str | None
    options: Mapping[str, object]
    scheduled_at: datetime | None
    url: str | None
    error_code: str | None
    error_message: str | None
    trimmed: bool
    published_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostFields:
    """A post and its targets."""

    id: str
    caption: str
    media_ids: tuple[str, ...]
    status: str
    approval: str | None
    created_at: datetime
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyLevel:
    """Who can see a post."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlot:
    """A weekly time at which queued posts go out."""

    id: str
    weekdays: tuple[int, ...]
    time: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlots:
    """The workspace's weekly times and the next one that is free."""

    data: tuple[QueueSlot, ...]
    next_free: datetime | None

    def __iter__(self) -> Iterator[QueueSlot]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The service answers and publishes."""

    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A post that comes again."""

    id: str
    post_id: str
    every: str
    interval: int
    weekdays: tuple[int, ...]
    until: date | None
    times: int | None
    made: int
    state: str
    reason_code: str | None
    reason: str | None
    created_at: datetime
    ended_at: datetime | None
    post_ids: tuple[str, ...]
    next: tuple[datetime, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesList:
    """Series, newest first."""

    data: tuple[Series, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The service is up."""

    ok: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TopPost:
    """One of the posts seen most."""

    id: str
    caption: str
    views: int
    platforms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How everything that went live in the last days does."""

    days: int
    totals: Counts
    posts_published: int
    series: tuple[Day, ...]
    platforms: tuple[PlatformViews, ...]
    top_posts: tuple[TopPost, ...]
    activity_by_hour: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TiktokForm:
    """What a form shows beside a post for TikTok; everything is off until a person says so."""

    interactions: tuple[str, ...]
    indicate: str
    not_private: str
    labels: Mapping[str, str]
    declarations: Mapping[str, str]
    links: Mapping[str, str]
    afterwards: str
    unaudited: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatorOptions:
    """What the creator can choose for the next post, fresh from TikTok."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: tuple[PrivacyLevel, ...]
    max_video_seconds: int
    interactions: Interactions
    form: TiktokForm | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadState:
    """How a direct upload stands; `code` and `message` say why it was refused."""

    state: str
    code: str | None
    message: str | None
