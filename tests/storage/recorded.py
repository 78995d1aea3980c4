"""Values with every attribute that they can have, for the rows that were recorded of them."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from chalicelib.domain.analytics.counters import DayCounters, Kind, Standing, WentLive
from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.post_metrics import (
    Snapshot,
    StoredPostMetrics,
    StoredTargetMetrics,
)
from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import Checkpoint, PlatformAnswer, Sent
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.posts.history import Action, Attempt, Event
from chalicelib.domain.posts.post import Approval, Attachment, Post
from chalicelib.domain.posts.progress import Lease, Progress
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.access import Plan, Role, Scope
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.plans import Charge
from chalicelib.domain.workspace.sessions import Link, LinkKind, Session
from chalicelib.domain.workspace.workspaces import ApiKey, Member, Workspace
from chalicelib.storage.media.prepared_copies import PreparedCopy
from chalicelib.storage.media.pull_links import PullLink
from chalicelib.storage.workspace.items import StoredKey

AT = datetime(2026, 11, 22, 3, 4, 5, 678901, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
POST, WORKSPACE, TARGET, MEMBER = "0a" * 16, "0b" * 16, "0c" * 16, "0d" * 16
MEDIA, ACCOUNT, KEY = "0e" * 16, "0f" * 16, "1a" * 16

PHOTO = Attachment(
    id=MEDIA,
    kind=MediaKind.IMAGE,
    mime="image/jpeg",
    filename="brötchen.jpg",
    size_bytes=12,
    width=3,
    height=4,
)
BARE_TARGET = Target(id=TARGET, account_id=ACCOUNT, platform=Platform.X, handle="@lighthouse")
FULL_TARGET = Target(
    id=TARGET,
    account_id=ACCOUNT,
    platform=Platform.THREADS,
    handle="@lighthouse",
    place=2,
    status=TargetStatus.PUBLISHING,
    caption_override="Only here: brötchen",
    options={"reply_control": "everyone", "nested": {"a": [1, 2.5, None, True]}},
    scheduled_at=AT,
    due_at=LATER,
    url="https://threads.example/1",
    remote_id="17",
    error_code="rate_limited",
    error_message="Slower.",
    trimmed=True,
    published_at=LATER,
    charge=Charge(counter="USE#2026-11", x_units=3),
    progress=Progress(
        wake_at=LATER,
        lease=Lease(token="lease-1", until=LATER),
        wakes=1,
        tries=2,
        checkpoint=Checkpoint("container", {"id": "9", "parts": [1, 2]}),
        checkpoint_since=AT,
        sent=Sent(text="Only here: brötchen", media_ids=(MEDIA,), at=AT, not_after=LATER),
        unanswered=True,
        retries=True,
        catching_up=True,
        late_since=AT,
        looked_for=LATER,
        sends_as="x-video",
        trims=True,
    ),
    version=7,
    post_version=6,
)
OTHER_TEXT_SENT = Target(
    id=TARGET,
    account_id=ACCOUNT,
    platform=Platform.BLUESKY,
    handle="@lighthouse",
    progress=Progress(sent=Sent(text="Bread", media_ids=(), at=AT)),
)
BARE_POST = Post(
    id=POST,
    workspace_id=WORKSPACE,
    caption="",
    attachment=None,
    approval=None,
    created_at=AT,
    created_by=MEMBER,
    targets=(),
)
FULL_POST = Post(
    id=POST,
    workspace_id=WORKSPACE,
    caption="Bread\nand more",
    attachment=PHOTO,
    approval=Approval.PENDING,
    created_at=AT,
    created_by=MEMBER,
    targets=(FULL_TARGET,),
    idempotency_key="once",
    queued_at=LATER,
    trial_counted=True,
    deleted_at=LATER,
    version=5,
)
EVENT = Event(
    id=KEY, action=Action.TARGET_AT_RISK, by="system", at=AT, detail={"code": "auth_expired"}
)
BARE_ATTEMPT = Attempt(id=KEY, target_id=TARGET, ok=True, status="published", at=AT)
FULL_ATTEMPT = Attempt(
    id=KEY,
    target_id=TARGET,
    ok=False,
    status="failed",
    at=AT,
    error_code="rate_limited",
    error_message="Slower.",
    remote_id="17",
    found="looked",
    lateness_s=0.123,
    answer=PlatformAnswer(status=400, code="188", sentence="Spam.", is_for_people=True),
)
BARE_MEDIA = Media(
    id=MEDIA,
    workspace_id=WORKSPACE,
    mime=MediaType.JPEG,
    filename="brötchen.jpg",
    size_bytes=12,
    width=3,
    height=4,
    created_at=AT,
)
FULL_MEDIA = Media(
    id=MEDIA,
    workspace_id=WORKSPACE,
    mime=MediaType.MP4,
    filename="oven.mp4",
    size_bytes=120,
    width=1080,
    height=1920,
    created_at=AT,
    duration_s=12.345,
    video_codec="h264",
    audio_codec="aac",
    fps=29.97,
    index_first=True,
    has_edits=True,
    file_removed=True,
)
BARE_UPLOAD = UnfinishedUpload(
    id=MEDIA, workspace_id=WORKSPACE, filename="oven.mp4", state=FileState.UPLOADING, created_at=AT
)
FULL_UPLOAD = UnfinishedUpload(
    id=MEDIA,
    workspace_id=WORKSPACE,
    filename="oven.mp4",
    state=FileState.REFUSED,
    created_at=AT,
    size_bytes=7,
    code="bad_media",
    message="No video.",
    reserved_bytes=9,
    storage_limit=11,
    source_url="https://bakery.example/oven.mp4",
    token="t",
)
BARE_COPY = PreparedCopy(recipe="x-video", made_at=AT, refused="media_rejected", detail="Why.")
FULL_COPY = PreparedCopy(
    recipe="x-video",
    made_at=AT,
    same=True,
    size_bytes=9,
    mime=MediaType.JPEG,
    width=1,
    height=2,
    duration_s=1.5,
)
LINK = PullLink(
    key="media/1",
    mime=MediaType.JPEG,
    filename="brötchen.jpg",
    size_bytes=12,
    expires_at=LATER.replace(microsecond=0),
)
BARE_WORKSPACE = Workspace(
    id=WORKSPACE,
    name="Lighthouse Bakery",
    plan=Plan.TRIAL,
    timezone="UTC",
    approvals=False,
    created_at=AT,
)
FULL_WORKSPACE = Workspace(
    id=WORKSPACE,
    name="Lighthouse Bakery",
    plan=Plan.STUDIO,
    timezone="Pacific/Kiritimati",
    approvals=True,
    created_at=AT,
    raised_storage=10**12,
    version=4,
)
BARE_MEMBER = Member(
    id=MEMBER,
    workspace_id=WORKSPACE,
    name="Ada",
    role=Role.OWNER,
    timezone="UTC",
    created_at=AT,
)
FULL_MEMBER = Member(
    id=MEMBER,
    workspace_id=WORKSPACE,
    name="Ada",
    role=Role.CONTRIBUTOR,
    timezone="UTC",
    created_at=AT,
    removed_at=LATER,
    signed_out_at=AT,
)
STORED_KEY = StoredKey(
    key=ApiKey(
        id=KEY,
        workspace_id=WORKSPACE,
        member_id=MEMBER,
        name="laptop",
        scopes=frozenset({Scope.READ, Scope.WRITE}),
        created_at=AT,
        revoked_at=LATER,
    ),
    hash="5e" * 32,
)
BARE_ACCOUNT = Account(
    id=ACCOUNT,
    workspace_id=WORKSPACE,
    platform=Platform.X,
    handle="@lighthouse",
    test=True,
    created_at=AT,
)
FULL_ACCOUNT = Account(
    id=ACCOUNT,
    workspace_id=WORKSPACE,
    platform=Platform.FACEBOOK,
    handle="@lighthouse",
    test=False,
    created_at=AT,
    health=Health.WARN,
    health_reason="It ends soon.",
    audience_regions=("Europe", "UK"),
    remote_identity="44",
    token_expires_at=LATER,
    token_version=3,
    settings={"page": {"id": "9"}},
)
SLOT = QueueSlot(id=KEY, weekdays=(0, 4), time="19:00", label="Evening")
SESSION = Session(
    hash="6f" * 32,
    person_id=MEMBER,
    created_at=AT,
    seen_at=LATER,
    device="Firefox on Linux",
    reach=frozenset({WORKSPACE}),
    proven_at=LATER,
    proven_in=WORKSPACE,
)
BARE_LINK = Link(
    hash="7a" * 32,
    kind=LinkKind.SIGN_IN,
    workspace_id=WORKSPACE,
    made_by=MEMBER,
    created_at=AT,
    expires_at=LATER,
)
FULL_LINK = Link(
    hash="7a" * 32,
    kind=LinkKind.CONNECT,
    workspace_id=WORKSPACE,
    made_by=MEMBER,
    created_at=AT,
    expires_at=LATER,
    subject=ACCOUNT,
    platform=Platform.X,
    return_to="/app/accounts",
)
LIVE = WentLive(post_id=POST, target_id=TARGET, platform=Platform.X, at=AT, first=True)
MEASURED = Snapshot(AT.replace(microsecond=678000), Metrics(views=9, likes=2, comments=None))
METRICS = StoredPostMetrics(
    post_id=POST,
    live_day=date(2026, 11, 22),
    targets={
        TARGET: StoredTargetMetrics(
            platform=Platform.X,
            live_at=AT,
            hour=3,
            days={date(2026, 11, 23): MEASURED},
            first_day=MEASURED,
            missed_at=LATER,
            resting_until=LATER,
            removed=True,
        ),
        KEY: StoredTargetMetrics(platform=Platform.THREADS, live_at=AT, hour=4),
    },
    version=2,
)
DAY = DayCounters(
    day=date(2026, 11, 22),
    counters=Counter({(Kind.POSTS, ""): 2, (Kind.VIEWS, "x"): 9}),
    top=(Standing(post_id=POST, views=9, platforms=(Platform.X,)),),
    version=3,
)
LEARNED = Learned(timezone="UTC", lifts={Platform.X: (1, 2, 3)})
ACCOUNTS: Mapping[str, tuple[str, ...]] = {ACCOUNT: ("Europe", "UK")}
