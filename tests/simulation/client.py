"""A hostile client of the API: it creates, schedules and changes its mind at the worst moments.

Each post has one script drawn from the seed. Every call is kept with when it began and ended and
what came of it: yes, no, or nobody knows. `promises.py` judges the run by these notes.
"""

import json
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from chalicelib.kit.asgi.messages import Request
from chalicelib.kit.dynamodb.items import plain
from tests.simulation.cloud import Cloud, Gap, body_of
from tests.simulation.models.expressions import Wire
from tests.simulation.virtual_time.scheduler import Scheduler

WORDS = (
    *("",) * 14,
    "sandbox:flaky:2",
    "sandbox:slow:60",
    "sandbox:ambiguous",
    "sandbox:taken_5xx",
    "sandbox:lost",
    "sandbox:hidden:60",
    "sandbox:untellable",
    "sandbox:hang:3",
    "sandbox:hang:45",
    "sandbox:limit:120",
    "sandbox:slow_upload:30",
    "sandbox:fail:caption_rejected",
    "sandbox:refuse:1:120",
    "sandbox:refuse:2:20",
)
PLATFORMS = ("linkedin", "x", "facebook", "threads", "bluesky")
_ACTIONS = (
    *("cancel", "delete", "caption", "later", "earlier", "publish-now", "show", "schedule"),
    *("queue", "retry"),
)
_DELETED_IN_OUTAGE, _CALL_S = 0.3, 60.0
_WRONG_KEY, _OURS = 401, 500
OF_A_WORKSPACE = 10_000
"""Posts are numbered through all workspaces, each from such a number on."""
TWIN = 5_000
"""How much further on a post's twin is numbered."""
_LINK = "https://bread.example/ "
_AROUND_S = (-700.0, -600.0, -30.0, -5.0, -1.0, -0.1, 0.0, 0.1, 1.0, 5.0, 30.0, 120.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """One call that changes a post; `sure` is True for yes, False for no, None for unknown.

    What nobody answered may still be at work: it has no end.
    """

    action: str
    begun: float
    ended: float
    sure: bool | None
    text: str | None = None
    at: datetime | None = None
    statuses: Mapping[str, str] = field(default_factory=dict)
    """What the answer said of each target, by its id; after a delete, what the rows said."""
    times: Mapping[str, datetime] = field(default_factory=dict)
    under_way: tuple[str, ...] = ()
    """Which targets were being tried when a delete was answered, in an order that runs share."""


@dataclass(slots=True)
class Story:
    """One post's script as it went."""

    number: int
    word: str = ""
    link: str = ""
    """What makes a post on X count ten times."""
    post_id: str = ""
    target_ids: list[str] = field(default_factory=list)
    calls: list[Called] = field(default_factory=list)
    decisions: list[Called] = field(default_factory=list)
    """What reviewers decided, and about which text."""
    version: int = 0
    with_photo: bool = False

    def caption(self) -> str:
        """Return the next version of the post's text, which is its twin's too."""
        self.version += 1
        return f"Bread {self.text_of} version {self.version}. {self.link}{self.word}".strip()

    @property
    def has_steps(self) -> bool:
        """Tell whether a try of it may wait, for a file or for its platform."""
        return self.with_photo or "slow" in self.word

    @property
    def text_of(self) -> int:
        """Return by what number its text goes: a twin has the first one's."""
        return self.number - TWIN if self.number % OF_A_WORKSPACE >= TWIN else self.number


@dataclass(slots=True, kw_only=True)
class Client:
    """The caller behind one key."""

    cloud: Cloud
    key: str
    accounts: Mapping[str, str]
    writers_key: str
    """What writes and edits posts: where posts are approved, a contributor's."""
    photo: str
    workspace_id: str = ""
    had_used: Mapping[str, int] = field(default_factory=dict)
    """What of each month's posts on X was used before the run, where they are counted by it."""
    signed: frozenset[str] = frozenset()
    """Platforms whose accounts are signed in to: what they took is found by lists alone."""
    place: int = 0
    words: tuple[str, ...] = WORDS
    """What its posts ask of the sandbox."""
    second_key: str | None = None
    """What half of its calls are made with until one is refused: it may be revoked."""
    second_key_id: str = ""
    refused_since: float = math.inf
    """When the revocation of the second key was answered."""
    let_in: list[str] = field(default_factory=list)
    """Calls that were answered with the second key after that."""
    identities: Mapping[str, str] = field(default_factory=dict)
    """What platforms call the accounts that are signed in to, by their ids."""
    disconnecting: dict[str, float] = field(default_factory=dict)
    """When each account that is no more began to be disconnected."""
    stopped: dict[str, float] = field(default_factory=dict)
    """Which targets were to go out through an account when its disconnection was answered."""
    stories: list[Story] = field(default_factory=list)
    review: Callable[["Client", Story, datetime], None] | None = None
    """Lets reviewers decide about a post, where posts are approved."""
    neighbours: "list[Client]" = field(default_factory=list)
    """The callers of other workspaces."""

    @property
    def mark(self) -> str:
        """What tells this workspace's chance from the others'; the first one has none."""
        return f" {self.place}" if self.place else ""

    @property
    def scheduler(self) -> Scheduler:
        return self.cloud.world.scheduler

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        idempotency: str = "",
    ) -> tuple[int | None, Any]:
        """Send a request; return status and document, or None when no answer came."""
        is_written = method in ("POST", "PATCH") and "caption" in (body or {})
        key = self.writers_key if is_written else self.key
        is_second = self.second_key is not None and not is_written and self._tosses()
        headers = {"authorization": f"Bearer {self.second_key if is_second else key}"}
        if idempotency:
            headers["idempotency-key"] = idempotency
        sent, begun = b"" if body is None else json.dumps(body).encode(), self.cloud.world.now
        answer = self.cloud.ask(Request(method=method, path=path, headers=headers, body=sent))
        status = None if answer is None else answer.status
        if is_second and status == _WRONG_KEY:
            self.second_key = None
            return self.ask(method, path, body, idempotency=idempotency)
        is_let_in = status is not None and status < _OURS  # a failure of ours tells nothing
        if is_second and is_let_in and begun >= self.refused_since:
            self.let_in.append(f"{method} {path} was answered with {status}")
        return (None, None) if answer is None else (status, body_of(answer))

    def _tosses(self) -> bool:
        return self.cloud.world.chance.random() < 0.5

    def play(self, number: int, due: datetime, platforms: list[str]) -> None:
        """Play one post's script to its end."""
        story, seed = Story(number), self.cloud.world.plan.seed
        self.stories.append(story)
        chance = random.Random(f"script {seed} {story.text_of}")
        story.word, story.with_photo = chance.choice(self.words), chance.random() < 0.5
        story.link = _LINK if self.had_used and chance.random() < 0.5 else ""
        if story.text_of != number:
            chance = random.Random(f"script {seed} {number}")
        if not self._create(story, platforms, with_photo=story.with_photo):
            return
        if self.review is not None:
            self.review(self, story, due)
        self._do(story, "schedule", due)
        actions = chance.choices(_ACTIONS, k=chance.choice((0, 1, 1, 2, 3)))
        if self.cloud.world.plan.has_outage and chance.random() < _DELETED_IN_OUTAGE:
            self._wait_until(due + timedelta(seconds=chance.uniform(0.0, 60.0)))
            self._do(story, "delete", None)
            return
        for action in actions:
            moment = due + timedelta(seconds=chance.choice(_AROUND_S) + chance.uniform(-0.5, 0.5))
            self._wait_until(moment)
            shift = timedelta(seconds=chance.choice((1, 20, 300, 900)))
            at = {"later": due + shift, "earlier": due - shift, "schedule": due + shift}.get(action)
            self._do(story, action, at)

    def _wait_until(self, moment: datetime) -> None:
        left = (moment - self.scheduler.true_time()).total_seconds()
        if left > 0:
            self.scheduler.sleep(left)

    def _create(self, story: Story, platforms: list[str], *, with_photo: bool) -> bool:
        """Make the draft, asking again under the same key until there is an answer."""
        body = {
            "caption": story.caption(),
            "media_ids": [self.photo] if with_photo else [],
            "targets": [{"account_id": self.accounts[name]} for name in platforms],
        }
        begun = self.cloud.world.now
        for _ in range(10):
            status, made = self.ask("POST", "/v1/posts", body, idempotency=f"post {story.number}")
            if status in (200, 201):
                story.post_id = made["id"]
                story.target_ids = [target["id"] for target in made["targets"]]
                story.calls.append(
                    self._called("create", begun, status < 300, made, text=body["caption"])
                )
                return True
            self.scheduler.sleep(5.0)
        return False

    def _do(self, story: Story, action: str, at: datetime | None) -> None:
        """Make one call and note it."""
        path, begun, text = f"/v1/posts/{story.post_id}", self.cloud.world.now, None
        if at is not None:
            at = max(at, self.scheduler.true_time())
        match action:
            case "show":
                self.ask("GET", path)
                return
            case "delete":
                status, said = self.ask("DELETE", path)
            case "caption":
                text = story.caption()
                status, said = self.ask("PATCH", path, {"caption": text})
            case "later" | "earlier":
                assert at is not None
                targets = [{"id": i, "scheduled_at": at.isoformat()} for i in story.target_ids]
                status, said = self.ask("PATCH", path, {"targets": targets})
            case "schedule":
                assert at is not None
                status, said = self.ask("POST", f"{path}/schedule", {"at": at.isoformat()})
            case _:
                status, said = self.ask("POST", f"{path}/{action}")
        sure = None if status is None or status >= 500 else status < 300
        story.calls.append(self._called(action, begun, sure, said, text=text, at=at, story=story))

    def _called(  # noqa: PLR0913 - a note has many columns
        self,
        action: str,
        begun: float,
        sure: bool | None,  # noqa: FBT001 - yes, no or unknown
        said: Any,  # noqa: ANN401 - JSON
        *,
        text: object = None,
        at: datetime | None = None,
        story: Story | None = None,
    ) -> Called:
        targets = said["targets"] if isinstance(said, dict) and "targets" in said else []
        statuses = {target["id"]: str(target["status"]) for target in targets}
        under_way = tuple[str, ...]()
        if action == "delete" and story is not None:
            rows = self._target_rows(story)  # the API does not tell any more
            statuses = {name: row["status"]["S"] for name, row in rows.items()}
            under_way = tuple(
                name for name, row in sorted(rows.items()) if _is_tried(plain(row), story)
            )
        times = {
            target["id"]: datetime.fromisoformat(target["scheduled_at"])
            for target in targets
            if target["scheduled_at"] is not None
        }
        return Called(
            action=action,
            begun=begun,
            ended=math.inf if sure is None else self.cloud.world.now,
            sure=sure,
            text=None if text is None else str(text),
            at=at,
            statuses=statuses,
            times=times,
            under_way=under_way,
        )

    def note_disconnected(self, account_id: str) -> None:
        """Note what was still to go out through an account that is disconnected now."""
        for story in self.stories:
            for target_id, row in self._target_rows(story).items():
                if row["account_id"]["S"] == account_id and row["status"]["S"] == "scheduled":
                    self.stopped[target_id] = self.cloud.world.now

    def is_lost(self, story: Story) -> bool:
        """Tell whether a restore may have undone something that the story's calls rely on.

        What went out unknown to the backup can be cancelled before anybody has looked for it.
        """
        return any(
            call.ended >= gap.backup_s
            and (call.begun <= gap.resumed_s or self._went_out_in(gap, story))
            for gap in self.cloud.gaps
            for call in (*story.calls, *story.decisions)
        )

    def _went_out_in(self, gap: Gap, story: Story) -> bool:
        mine = (t for t in self.cloud.platform.taken if t.entry.target_id in story.target_ids)
        return any(gap.backup_s - _CALL_S <= one.sent_s <= gap.resumed_s for one in mine)

    def account_rows(self) -> list[Mapping[str, Any]]:
        """Return the rows of the accounts that are connected."""
        rows = (
            plain(row)
            for partition in self.cloud.directory().values()
            for sk, row in partition.items()
            if sk.startswith("ACCOUNT#")
        )
        return [row for row in rows if row["id"] in self.accounts.values()]

    def _target_rows(self, story: Story) -> dict[str, Wire]:
        return {
            sk.removeprefix("TARGET#"): row
            for sk, row in self.cloud.rows_of(story.post_id).items()
            if sk.startswith("TARGET#")
        }


def _is_tried(row: Mapping[str, Any], story: Story) -> bool:
    """Tell whether a try of a target is under way: a worker has it, or it waits for a step."""
    waits_for_a_step = story.has_steps and not (row["retries"] or row["unanswered"])
    return "lease_token" in row or waits_for_a_step
