"""A post, a history and services that note what they are asked, for tests of posts' endpoints."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from chalicelib.api.paths import every_endpoint
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.history import Action, Attempt, Event, History
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.query import Page, PostQuery
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.asgi.messages import Request, Response
from tests.api.http.pipelines import NOW, POST_ID, a_caller, a_pipeline

ACCOUNT_ID = "a" * 32
GONE_ACCOUNT_ID = "b" * 32
TARGET_ID = "c" * 32
CALLER = a_caller(accounts=[ACCOUNT_ID])

LIVE = Target(
    id=TARGET_ID,
    account_id=ACCOUNT_ID,
    platform=Platform.BLUESKY,
    handle="ada.example",
    status=TargetStatus.PUBLISHED,
    caption_override="for Bluesky",
    options={"trim": "start"},
    scheduled_at=NOW,
    url="https://bsky.example/1",
    published_at=NOW + timedelta(seconds=2),
)
ORPHAN = Target(
    id="d" * 32,
    account_id=GONE_ACCOUNT_ID,
    platform=Platform.X,
    handle="ada",
    status=TargetStatus.FAILED,
    error_code="account_removed",
    error_message="The account was disconnected.",
)
POST = Post(
    id=POST_ID,
    workspace_id=CALLER.workspace_id,
    caption="Hello",
    attachment=None,
    approval=Approval.APPROVED,
    created_at=NOW,
    created_by="Ada",
    targets=(LIVE, ORPHAN),
)
HISTORY = History(
    events=(Event(id="e" * 32, action=Action.CREATED, by="Ada", at=NOW, detail={"targets": 2}),),
    attempts=(Attempt(id="f" * 32, target_id=TARGET_ID, ok=True, status="published", at=NOW),),
)


@dataclass(slots=True)
class Recorder:
    """Drafts, posts, post_lists, scheduling and live_posts in one: notes what it is asked."""

    making: Making = Making.NEW
    cursor: str | None = None
    asked: list[object] = field(default_factory=list)

    def create(
        self, _caller: Caller, draft: NewPost, *, idempotency_key: str | None = None
    ) -> tuple[Post, Making]:
        self.asked += [draft, idempotency_key]
        return POST, self.making

    def edit(self, _caller: Caller, post_id: str, changes: PostChanges) -> Post:
        self.asked += [post_id, changes]
        return POST

    def delete(self, _caller: Caller, post_id: str) -> None:
        self.asked.append(post_id)

    def find(self, _workspace_id: str, query: PostQuery) -> Page:
        self.asked.append(query)
        return Page(posts=(POST,), cursor=self.cursor)

    def get(self, _workspace_id: str, post_id: str) -> Post:
        self.asked.append(post_id)
        return POST

    def history(self, _post_id: str) -> History:
        return HISTORY

    def schedule(self, _caller: Caller, post_id: str, *, at: datetime | None = None) -> Post:
        self.asked += [post_id, at]
        return POST

    def unpublish(self, _caller: Caller, post_id: str, target_id: str) -> Post:
        self.asked += [post_id, target_id]
        return POST

    def noted(self, _caller: Caller, post_id: str) -> Post:
        self.asked.append(post_id)
        return POST

    def duplicate(
        self, _caller: Caller, post_id: str, *, idempotency_key: str | None = None
    ) -> tuple[Post, Making]:
        assert idempotency_key is None
        self.asked.append(post_id)
        return POST, Making.NEW

    queue = publish_now = cancel = retry = noted


def answer(request: Request, services: Recorder) -> Response:
    parts = dict.fromkeys(("drafts", "posts", "post_lists", "scheduling", "live_posts"), services)
    return a_pipeline(*every_endpoint(), caller=CALLER, parts=parts).answer(request)
