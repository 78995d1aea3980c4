"""Callers that work on the same posts at once, and what each was answered, for the checker.

A tenth of the answers is not waited for: such a call may have taken effect, or not. Everything is
picked by a seed, but not who comes first.
"""

import http.client
import json
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CLIENTS, CALLS, OTHERS = 5, 24, 12
NEVER = 2**62
_KINDS = ("get", *["list"] * 3, "edit", "edit", "exchange", "schedule", "cancel", "delete")
_METHODS = {"get": "GET", "edit": "PATCH", "exchange": "PATCH", "delete": "DELETE"}
_LISTS = ("", "&sort=scheduled", "&status=draft", "&status=scheduled")


class History:
    """What was asked of a stack about some posts, and answered."""

    def __init__(self, data_dir: Path, seed: int) -> None:
        demo = json.loads((data_dir / "demo.json").read_text())
        self.seed, self.port = seed, int(demo["base_url"].rpartition(":")[2])
        self.headers = {"Authorization": f"Bearer {demo['api_key']}"}
        platforms = ("linkedin", "facebook", "bluesky")
        self.accounts = [one["id"] for one in demo["accounts"] if one["platform"] in platforms]
        start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
        self.times = [(start + timedelta(hours=hours)).isoformat() for hours in range(4)]
        self.calls: list[dict[str, Any]] = []

    def record(self) -> None:
        """Make two posts, among others, and let all clients work on them."""
        first = Client(self, CLIENTS)
        made = [first.create() for _ in range(OTHERS + 2)][OTHERS:]
        with ThreadPoolExecutor(CLIENTS) as threads:
            list(threads.map(lambda number: Client(self, number).work(made), range(CLIENTS)))
        for post_id in made:
            first.call("get", post_id)


@dataclass
class Client:
    """One caller: `tags` and `targets` are what it saw last of each post."""

    history: History
    number: int
    tags: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Pick by the history's seed."""
        self.picked = random.Random(f"{self.history.seed}/{self.number}")

    def create(self) -> str:
        """Make a post; return its id."""
        body = {"caption": "Bread", "targets": [{"account_id": self.history.accounts[0]}]}
        call, made = self._ask("POST", "/v1/posts", body)
        self._keep({**call, "Kind": "create", "Post": made["id"]}, made)
        return str(made["id"])

    def work(self, posts: Sequence[str]) -> None:
        """Look at each post, then make some calls."""
        for post_id in posts:
            self.call("get", post_id)
        for _ in range(CALLS):
            kind, post_id = self.picked.choice(_KINDS), self.picked.choice(posts)
            if kind == "list":
                self._list(posts)
            elif kind != "delete" or self.picked.random() < 0.1:
                self.call(kind, post_id)

    def call(self, kind: str, post_id: str) -> None:
        """Make one call about a post, perhaps for the state that was seen last."""
        at, account = (
            self.picked.choice(self.history.times),
            self.picked.choice(self.history.accounts),
        )
        target, words = self.targets.get(post_id, ""), f"{self.number} {self.picked.random()}"
        edited = {"id": target, "caption_override": f"{words} here", "scheduled_at": at}
        bodies: dict[str, object] = {
            "edit": {"caption": words, "targets": [edited]},
            "exchange": {"remove": [target], "add": [{"account_id": account, "scheduled_at": at}]},
            "schedule": {"at": at},
        }
        tag = self.tags.get(post_id, "") if kind != "get" and self.picked.random() < 0.3 else ""
        verb = f"/{kind}" if kind in ("schedule", "cancel") else ""
        call, found = self._ask(
            _METHODS.get(kind, "POST"),
            f"/v1/posts/{post_id}{verb}",
            bodies.get(kind),
            {"If-Match": tag} if tag else {},
            is_heard=kind == "get" or self.picked.random() < 0.9,
        )
        call |= {"Kind": kind, "Post": post_id, "IfMatch": _revision(tag), "Target": target}
        call |= {"Caption": words, "Override": f"{words} here", "Account": account, "At": at}
        self._keep(call, found if "targets" in found else None)

    def _list(self, posts: Sequence[str]) -> None:
        """Ask for a list: it says of each of the posts how it is, or that it does not fit."""
        asked = self.picked.choice(_LISTS)
        call, found = self._ask("GET", f"/v1/posts?limit=200{asked}")
        call |= {"Kind": "list", "Only": asked.partition("status=")[2]}
        listed = {one["id"]: one for one in found["data"]}
        for post_id in posts:
            self._keep({**call, "Post": post_id}, listed.get(post_id))

    def _ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        *,
        is_heard: bool = True,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Ask; return when, and how it was answered, and the answer's body."""
        call = {"Client": self.number, "Called": time.monotonic_ns(), "Code": 0, "Answered": NEVER}
        sent = None if body is None else json.dumps(body)
        whole = http.client.HTTPConnection("127.0.0.1", self.history.port, timeout=60)
        with closing(whole) as connection:
            connection.request(method, path, sent, {**self.history.headers, **(headers or {})})
            if not is_heard:
                time.sleep(self.picked.random() / 20)
                return call, {}
            answer = connection.getresponse()
            found = json.loads(answer.read() or b"{}")
        call |= {"Code": answer.status, "Answered": time.monotonic_ns()}
        return call, {**found, "tag": answer.headers.get("ETag", "")}

    def _keep(self, call: dict[str, Any], found: dict[str, Any] | None) -> None:
        """Keep a call, with what it showed of a post."""
        seen = None
        if found is not None:
            target: dict[str, Any] = next(iter(found["targets"]), {})
            seen = {
                "Caption": found["caption"],
                "Override": target.get("caption_override") or "",
                "Status": found["status"],
                "At": target.get("scheduled_at") or "",
                "Account": target.get("account_id") or "",
                "Target": target.get("id", ""),
                "Revision": _revision(found.get("tag", "")),
            }
            if "tag" in found:
                self.tags[call["Post"]], self.targets[call["Post"]] = found["tag"], seen["Target"]
        self.history.calls.append({**call, "Seen": seen})


def _revision(tag: str) -> str:
    return tag.strip('"').partition("-")[0]
