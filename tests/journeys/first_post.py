"""What anybody tries first, as a caller of a running stack sees it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import requests

from tests.local.running_stack import Stack, eventually


@dataclass(frozen=True, slots=True)
class FirstPosts:
    """A caller with the demo key."""

    stack: Stack

    def draft(self, caption: str) -> str:
        """Make a draft for a test account; return its id."""
        accounts = self._call("GET", "/v1/accounts")["data"]
        targets = [{"account_id": one["id"]} for one in accounts if one["platform"] == "bluesky"]
        post = self._call("POST", "/v1/posts", {"caption": caption, "targets": targets})
        return str(post["id"])

    def publish_now(self, post_id: str) -> None:
        """Send a post, and wait until it is out."""
        self._call("POST", f"/v1/posts/{post_id}/publish-now")
        self.await_published(post_id, within_s=30)

    def schedule(self, post_id: str, in_: timedelta) -> None:
        """Schedule a post."""
        at = (datetime.now(UTC) + in_).isoformat()
        self._call("POST", f"/v1/posts/{post_id}/schedule", {"at": at})

    def await_published(self, post_id: str, *, within_s: float) -> None:
        """Wait until a post is out."""
        eventually(self._is_published(post_id), within_s=within_s)

    def received(self) -> list[str]:
        """Return the captions that the sandbox platform took."""
        return sorted(one["caption"] for one in self._call("GET", "/sandbox/posts")["data"])

    def _is_published(self, post_id: str) -> Callable[[], bool]:
        return lambda: bool(self._call("GET", f"/v1/posts/{post_id}")["status"] == "published")

    def _call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        demo = json.loads((self.stack.data_dir / "demo.json").read_text())
        answer = requests.request(
            method,
            demo["base_url"] + path,
            json=body,
            headers={"Authorization": f"Bearer {demo['api_key']}"},
            timeout=240,
        )
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found
