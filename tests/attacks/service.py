"""A whole service of the test's own, and tenants of it: attackers and their neighbours.

service = ...                              # a fixture of conftest
eve = service.tenant("trial")              # a key of a workspace of its own
with neighbour.beside() as seen, attack():
    seen.beside = neighbour.measured()
assert seen.is_well_served, seen
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.local.attachment import attach
from tests.cli.operator import Operator
from tests.local.running_stack import Stack, eventually
from tests.support.sample_media import samples

PATIENCE_S = 60.0
_A_REST_S = 0.5
_OFTEN = 5
_AT_TIMES = 3
"""So that a busy moment of the machine is not taken for the attack."""
_ENOUGH_S = 2.0
"""What is done within this nobody calls slow: every attack here once took it to a minute, and the
machine has other tests to run."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """A workspace's owner, who calls with a key."""

    base_url: str
    workspace_id: str
    member_id: str
    key: str = field(repr=False)
    accounts: dict[str, str]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def call(self, method: str, path: str, body: object = None, **more: Any) -> requests.Response:  # noqa: ANN401
        """Make one call on a connection of its own."""
        url, headers = self.base_url + path, self.headers
        more = {"timeout": PATIENCE_S, "headers": headers, "json": body, **more}
        return requests.request(method, url, **more)  # noqa: S113 - it is among them

    def made(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Make a call that succeeds; return its JSON."""
        answer = self.call(method, path, body)
        assert answer.ok, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def uploaded(self, name: str = "plain.jpg", data: bytes | None = None) -> str:
        """Upload a file; return its id."""
        content = samples()[name].data if data is None else data
        answer = self.call("POST", "/v1/media", files={"file": (name, content)})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def post_now(self, caption: str, *platforms: str, media: str | None = None) -> str:
        """Publish at once; return the post's id."""
        body: dict[str, Any] = {
            "caption": caption,
            "targets": [{"account_id": self.accounts[each]} for each in platforms],
        }
        if media is not None:
            body["media_ids"] = [media]
        post_id = str(self.made("POST", "/v1/posts", body)["id"])
        self.made("POST", f"/v1/posts/{post_id}/publish-now")
        return post_id

    def is_out(self, post_id: str) -> bool:
        """Tell whether every target of a post is out."""
        targets = self.made("GET", f"/v1/posts/{post_id}")["targets"]
        return all(target["status"] == "published" for target in targets)


@dataclass(frozen=True, slots=True)
class Service:
    """The running service."""

    stack: Stack

    @property
    def address(self) -> tuple[str, int]:
        return ("127.0.0.1", self.stack.port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.stack.port}"

    def tenant(self, plan: str = "trial", *platforms: str) -> Tenant:
        """Make a workspace with test accounts and a key."""
        made = self.ask(
            *("workspace", "create", "--name", "Somebody", "--plan", plan),
            *("--timezone", "UTC", "--owner-name", "Somebody"),
        )
        workspace, owner = str(made["workspace_id"]), str(made["member_id"])
        key = str(self.ask("key", "create", "--member", owner)["api_key"])
        accounts = {
            each: str(
                self.ask(
                    *("account", "connect", workspace, "--test"),
                    *("--platform", each, "--handle", f"@{each}"),
                )["account_id"]
            )
            for each in platforms
        }
        return Tenant(self.url, workspace, owner, key, accounts)

    def ask(self, *words: str) -> Mapping[str, object]:
        """Carry out an operator's command in this process, which is cheap; return its document."""
        stack = {
            "GOLDENHOUR_DATA_DIR": str(self.stack.data_dir),
            "GOLDENHOUR_PORT": str(self.stack.port),
        }
        with attach({**os.environ, **stack}) as settings:
            return Operator(Deployment(settings)).ask(*words)

    def memory_mb(self, child: str = "front") -> float:
        """Return what a process of the service holds now."""
        return _status_mb(self.stack.children()[child], "VmRSS")

    def cpu_s(self, child: str = "front") -> float:
        """Return the seconds of processor that a process of the service has used."""
        pid = self.stack.children()[child]
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def cpu_at_rest_s(self) -> float:
        """Return what the front has used, once it is done with what other tests left it to do."""

        def rests() -> bool:
            before = self.cpu_s()
            time.sleep(_A_REST_S)
            return self.cpu_s() == before

        eventually(rests, within_s=PATIENCE_S)
        return self.cpu_s()


def _status_mb(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1000


@dataclass(slots=True)
class Seen:
    """What a neighbour's actions took, in seconds, before an attack and beside it."""

    before: dict[str, float] = field(default_factory=dict)
    beside: dict[str, float] = field(default_factory=dict)

    @property
    def is_well_served(self) -> bool:
        """Tell whether each took at most twice as long as usual."""
        return self.took_twice_or(_ENOUGH_S)

    def took_twice_or(self, seconds: float) -> bool:
        """Tell whether each took at most so many seconds, or twice as long as usual."""
        return all(
            took <= max(2 * self.before[what], seconds) for what, took in self.beside.items()
        )


@dataclass(slots=True)
class Neighbour:
    """Somebody who has nothing to do with the attack, and wants to work."""

    tenant: Tenant
    does: tuple[str, ...] = ("request", "upload", "post")

    @contextmanager
    def beside(self) -> Iterator[Seen]:
        """Measure before the block; the block itself measures beside the attack."""
        self.measured()  # the first of everything is slower
        seen = Seen(before=self.measured())
        yield seen
        print(self.report(seen))  # noqa: T201 - with -s

    @staticmethod
    def report(seen: Seen) -> str:
        """Say in one line what was noticed."""
        parts = [f"{w} {seen.before[w]:.2f} -> {s:.2f} s" for w, s in seen.beside.items()]
        return "a neighbour's " + ", ".join(parts)

    def measured(self) -> dict[str, float]:
        """Return what each action takes now."""
        actions: dict[str, Callable[[], None]] = {
            "request": self._asks,
            "upload": self._uploads,
            "post": self._posts,
            "photo": self._posts_a_photo,
            "direct": self._uploads_directly,
        }
        return {
            what: _usual(actions[what], _OFTEN if what == "request" else _AT_TIMES)
            for what in self.does
        }

    def _asks(self) -> None:
        self.tenant.made("GET", "/v1/accounts")

    def _uploads(self) -> None:
        self.tenant.uploaded()

    def _uploads_directly(self) -> None:
        data = samples()["plain.jpg"].data
        wanted = {"filename": "a.jpg", "size_bytes": len(data)}
        begun = self.tenant.made("POST", "/v1/media/uploads", wanted)
        requests.put(begun["url"], data=data, timeout=PATIENCE_S).raise_for_status()
        state = f"/v1/media/uploads/{begun['media_id']}"
        eventually(lambda: self.tenant.made("GET", state)["state"] == "ready", within_s=PATIENCE_S)

    def _posts(self) -> None:
        self._out(self.tenant.post_now(f"beside {time.monotonic()}", "linkedin"))

    def _posts_a_photo(self) -> None:
        media = self.tenant.uploaded("plain.png")
        self._out(self.tenant.post_now(f"photo {time.monotonic()}", "instagram", media=media))

    def _out(self, post_id: str) -> None:
        eventually(lambda: self.tenant.is_out(post_id), within_s=PATIENCE_S)


def _usual(act: Callable[[], object], often: int) -> float:
    """Return what something takes, the middle of a few times."""
    return statistics.median(_seconds(act) for _ in range(often))


def _seconds(act: Callable[[], object]) -> float:
    began = time.monotonic()
    with suppress(requests.RequestException):
        act()
        return time.monotonic() - began
    return PATIENCE_S
