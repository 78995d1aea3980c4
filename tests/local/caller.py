"""A caller of a running stack with the demo workspace's key, and the operator's commands."""

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.support.emulator import PROJECT


class Caller:
    """Calls the API of the stack on a data directory."""

    def __init__(self, data_dir: Path) -> None:
        demo = json.loads((data_dir / "demo.json").read_text())
        self.base_url, self._key = demo["base_url"], demo["api_key"]
        self.accounts = {each["platform"]: each["id"] for each in demo["accounts"]}
        self.account = self.accounts["linkedin"]

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that a call with the key carries."""
        return {"Authorization": f"Bearer {self._key}"}

    def call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - any JSON
        """Make one call and return its JSON."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = Request(self.base_url + path, data, headers, method=method)  # noqa: S310 - ours
        with urlopen(request, timeout=240) as answer:  # noqa: S310 - ours
            text = answer.read()
            return json.loads(text) if text else None

    def draft(self, caption: str, *accounts: str) -> str:
        """Make a post for the accounts, or for the one on LinkedIn; return its id."""
        targets = [{"account_id": account} for account in accounts or (self.account,)]
        made = self.call("POST", "/v1/posts", {"caption": caption, "targets": targets})
        return str(made["id"])

    def schedule(self, post_id: str, in_s: float) -> None:
        """Schedule a post for so many seconds from now."""
        at = datetime.now(UTC) + timedelta(seconds=in_s)
        self.call("POST", f"/v1/posts/{post_id}/schedule", {"at": at.isoformat()})

    def scheduled(self, caption: str, in_s: float, *accounts: str) -> str:
        """Make a post and schedule it; return its id."""
        post_id = self.draft(caption, *accounts)
        self.schedule(post_id, in_s)
        return post_id

    def statuses(self, post_id: str) -> list[str]:
        """Return the statuses of a post's targets."""
        targets = self.call("GET", f"/v1/posts/{post_id}")["targets"]
        return [target["status"] for target in targets]

    def listed(self, status: str) -> list[str]:
        """Return the ids of the newest posts with a status."""
        found = self.call("GET", f"/v1/posts?status={status}")["data"]
        return [post["id"] for post in found]

    def sandbox(self) -> Counter[str]:
        """Return how many posts the sandbox platform took of each caption."""
        return Counter(post["caption"] for post in self.call("GET", "/sandbox/posts")["data"])


def command(data_dir: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run an operator's command on a data directory."""
    return subprocess.run(
        [sys.executable, "-m", "chalicelib", *words],
        cwd=PROJECT,
        env={**os.environ, "GOLDENHOUR_DATA_DIR": str(data_dir), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
