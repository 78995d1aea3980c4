"""The whole API over a real emulator, without a socket: requests go straight to the pipeline.

    post = room.draft("linkedin", caption="Fresh bread")
    room.act(post, "schedule", {"at": room.in_(hours=1)})
    room.pass_time(timedelta(hours=1))
    assert room.show(post)["status"] == "published"

A `House` is one deployment with a clock that stands still; each `Room` in it is a workspace seen
through one key. Accounts are connected when a test first names their platform.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan, Role, Scope
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.sandbox_here import SandboxHere
from tests.support.frozen_clock import FrozenClock
from tests.support.people import a_written_workspace
from tests.support.under_policy import running
from tests.support.waking import waking_until

Document: TypeAlias = dict[str, Any]
"""A JSON object, as a client gets it."""

UNKNOWN_ID = "0192f0c1a7b87c3d9e5f60718293a4b5"
NEEDED: Mapping[str, Document] = {
    "pinterest": {"board": "810000000000000001"},
    "reddit": {"subreddit": "goldenhour_test"},
}
"""The options without which a platform takes nothing: what test accounts offer."""

_BOUNDARY = "one-of-a-kind"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client got."""

    response: Response

    @property
    def status(self) -> int:
        return self.response.status

    @property
    def json(self) -> Document:
        document = json.loads(self.response.body)
        assert isinstance(document, dict)
        return document

    @property
    def code(self) -> str:
        """Return the code of an answer in the `error` shape."""
        return str(self.json["error"]["code"])

    @property
    def refusal(self) -> tuple[int, str]:
        """Return status and code of a refusal."""
        return self.status, self.code

    @property
    def field(self) -> str | None:
        """Return the input that a refusal blames."""
        blamed: str | None = self.json["error"].get("field")
        return blamed

    @property
    def problems(self) -> list[tuple[str, list[str | int]]]:
        """Return type and place of each problem of a 422 `detail`."""
        assert self.status == 422
        return [(problem["type"], problem["loc"]) for problem in self.json["detail"]]


@dataclass(frozen=True, slots=True)
class House:
    """One deployment: its edge, its operator, its clock and what the sandbox platform took."""

    deployment: Deployment
    pipeline: Pipeline
    operator: Deployment
    clock: FrozenClock
    sandbox: SandboxHere

    def room(
        self, *, plan: Plan = Plan.STUDIO, timezone: str = "UTC", approvals: bool = False
    ) -> "Room":
        """Make a workspace and return it as its owner, Ada, sees it with every scope."""
        table, now = self.deployment.stores.directory_table, self.clock()
        workspace_id, key = a_written_workspace(
            table, now, plan=plan, timezone=timezone, approvals=approvals
        )
        return Room(self, workspace_id, key)


@dataclass(frozen=True, slots=True)
class Room:
    """A workspace as one key sees it."""

    house: House
    workspace_id: str
    key: str
    accounts: dict[str, str] = field(default_factory=dict)

    # Requests.

    def ask(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        raw: bytes | None = None,
        query: Mapping[str, str | list[str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request with this room's key."""
        sent = b"" if body is None else json.dumps(body).encode()
        request = Request(
            method=method,
            path=path,
            query={
                name: [value] if isinstance(value, str) else value
                for name, value in (query or {}).items()
            },
            headers={"authorization": f"Bearer {self.key}", **(headers or {})},
            body=sent if raw is None else raw,
        )
        return Answer(self.house.pipeline.answer(request))

    def get(self, path: str, query: Mapping[str, str | list[str]] | None = None) -> Answer:
        return self.ask("GET", path, query=query)

    def post(self, path: str, body: object = None, *, key: str | None = None) -> Answer:
        """Send a POST, with an Idempotency-Key if there is one."""
        headers = {} if key is None else {"idempotency-key": key}
        return self.ask("POST", path, body=body, headers=headers)

    def patch(self, post: Document, changes: Document) -> Answer:
        """Edit a post."""
        return self.ask("PATCH", f"/v1/posts/{post['id']}", body=changes)

    def delete(self, post: Document) -> Answer:
        return self.ask("DELETE", f"/v1/posts/{post['id']}")

    def act(self, post: Document, verb: str, body: object = None) -> Answer:
        """Call one of a post's verbs: schedule, queue, publish-now, cancel, retry, duplicate."""
        return self.post(f"/v1/posts/{post['id']}/{verb}", body)

    def unpublish(self, post: Document, place: int = 0) -> Answer:
        """Take one target's live post off its platform."""
        return self.act(post, f"targets/{post['targets'][place]['id']}/unpublish")

    def show(self, post: Document) -> Document:
        """Return a post as it is now."""
        answer = self.get(f"/v1/posts/{post['id']}")
        assert answer.status == 200, answer
        return answer.json

    def statuses(self, post: Document) -> list[str]:
        """Return the statuses of a post's targets as they are now."""
        return [target["status"] for target in self.show(post)["targets"]]

    def actions(self, post: Document) -> list[str]:
        """Return the actions in a post's history."""
        events = self.get(f"/v1/posts/{post['id']}/history").json["events"]
        return [event["action"] for event in events]

    def find(self, query: Mapping[str, str | list[str]] | None = None) -> list[str]:
        """Return the ids of the posts that a list answers."""
        answer = self.get("/v1/posts", query)
        assert answer.status == 200, answer
        return [post["id"] for post in answer.json["data"]]

    # Things to work with.

    def account(self, platform: str = "linkedin") -> str:
        """Return the workspace's test account on a platform, connected on first use."""
        if platform not in self.accounts:
            self.accounts[platform] = self.connect(platform)
        return self.accounts[platform]

    def connect(self, platform: str, handle: str = "@lighthouse") -> str:
        """Connect another test account; return its id."""
        account = self.house.operator.people.connections.connect_test_account(
            self.workspace_id, platform=Platform(platform), handle=handle
        )
        return account.id

    def disconnect(self, account_id: str) -> None:
        self.house.operator.people.connections.disconnect(account_id)

    def create(self, *platforms: str, caption: str = "Fresh bread", **more: object) -> Answer:
        """Ask for a draft on test accounts of these platforms."""
        targets = [
            {"account_id": self.account(platform), "options": NEEDED.get(platform, {})}
            for platform in platforms
        ]
        return self.post("/v1/posts", {"caption": caption, "targets": targets, **more})

    def draft(self, *platforms: str, caption: str = "Fresh bread", **more: object) -> Document:
        """Make a draft, on LinkedIn unless told otherwise."""
        answer = self.create(*(platforms or ("linkedin",)), caption=caption, **more)
        assert answer.status == 201, answer
        return answer.json

    def scheduled(
        self, *platforms: str, at: str | None = None, caption: str = "Fresh bread", **more: object
    ) -> Document:
        """Make a post that goes out in an hour, or at `at`."""
        post = self.draft(*platforms, caption=caption, **more)
        answer = self.act(post, "schedule", {"at": at or self.in_(hours=1)})
        assert answer.status == 200, answer
        return answer.json

    def sent(self, *platforms: str, caption: str = "Fresh bread", **more: object) -> Document:
        """Make a post, publish it now and run the engine once; return it as it then is."""
        post = self.draft(*platforms, caption=caption, **more)
        answer = self.act(post, "publish-now")
        assert answer.status == 200, answer
        self.run_due()
        return self.show(post)

    def upload(self, data: bytes, filename: str = "oven.mp4") -> str:
        """Upload a file; return its id."""
        answer = self.send_file(data, filename)
        assert answer.status == 201, answer
        return str(answer.json["id"])

    def send_file(
        self, data: bytes, filename: str, *, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a file in a form."""
        disposition = f'Content-Disposition: form-data; name="file"; filename="{filename}"'
        head, end = f"--{_BOUNDARY}\r\n{disposition}\r\n\r\n", f"\r\n--{_BOUNDARY}--\r\n"
        kind = {"content-type": f"multipart/form-data; boundary={_BOUNDARY}"}
        return self.ask(
            "POST",
            "/v1/media",
            raw=head.encode() + data + end.encode(),
            headers={**kind, **(headers or {})},
        )

    # People.

    def member(self, role: Role, *, scopes: Iterable[Scope] = Scope, name: str = "Grace") -> "Room":
        """Return the same workspace as a new member with this role sees it."""
        administration = self.house.operator.people.administration
        member = administration.add_member(self.workspace_id, name=name, role=role)
        made = administration.create_key(member.id, scopes=frozenset(scopes))
        return replace(self, key=made.secret)

    # Time.

    def in_(self, **time: float) -> str:
        """Return the moment after such a time as the wire spells it: `in_(hours=1)`."""
        return (self.house.clock() + timedelta(**time)).isoformat()

    def waking(self, until: datetime) -> list[TargetRef]:
        """Return what of this workspace wakes until then, soonest first."""
        deployment = self.house.deployment
        with running(None):
            refs = waking_until(deployment.clients.dynamodb, deployment.tables, until)
        return [ref for ref in refs if ref.workspace_id == self.workspace_id]

    def run_due(self) -> None:
        """Run every target that is due at this moment, once, as `prepare` may."""
        for ref in self.waking(self.house.clock()):
            with running("prepare"):
                self.house.deployment.engine.publish_worker.run(ref)

    def pass_time(self, time: timedelta) -> None:
        """Let time go by, running each target when it wakes."""
        clock = self.house.clock
        end = clock() + time
        while refs := self.waking(end):
            clock.now = max(clock(), refs[0].wake_at)
            self.run_due()
        clock.now = end
