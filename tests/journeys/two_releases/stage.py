"""A stage that two releases serve at once: any call may go to either."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import Account
from chalicelib.settings import Settings
from infra.packaging.libraries import PROJECT
from tests.support.emulator import CREDENTIALS, DYNAMODB_URL
from tests.support.frozen_clock import FrozenClock
from tests.support.people import a_written_workspace

_FUNCTIONS = Path(__file__).with_name("functions.py")
_NEEDED = ("app.py", "chalicelib", ".chalice/config.json")
_BOUNDARY = "one-of-a-kind"


def unpack(commit: str, folder: Path) -> Path:
    """Lay out what a stage runs as a commit has it; a copy without a history says so."""
    asked = ["git", "rev-parse", "--is-shallow-repository"]
    clone = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=False)
    if clone.stdout.strip() != "false":
        pytest.skip("this copy has no history, and the release before is a commit of it")
    packed = subprocess.run(
        ["git", "archive", "--format=zip", commit, *_NEEDED],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    with zipfile.ZipFile(io.BytesIO(packed.stdout)) as files:
        files.extractall(folder)
    return folder


def changed(folder: Path, changes: Mapping[str, tuple[str, str]]) -> Path:
    """Lay out this checkout with one text exchanged in each of some files: the release after it."""
    (folder / ".chalice").mkdir()
    for name in ("app.py", ".chalice/config.json"):
        shutil.copy(PROJECT / name, folder / name)
    # What is compiled is right for all but these; another process may just be writing more of it.
    half_written = shutil.ignore_patterns("*.pyc.*")
    shutil.copytree(PROJECT / "chalicelib", folder / "chalicelib", ignore=half_written)
    for name, (was, becomes) in changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(was) == 1, (name, was)
        (folder / name).write_text(text.replace(was, becomes), encoding="utf-8")
    return folder


class Release:
    """The functions of one release, in a process of its own."""

    def __init__(self, tree: Path, environment: Mapping[str, str]) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_FUNCTIONS)],
            cwd=tree,
            env={**kept, **CREDENTIALS, **environment, "PYTHONPATH": str(tree)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, asked: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        """Have it do one thing; it says on its standard error what went wrong."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"it could not do {asked}"
        return json.loads(line)

    def end(self) -> None:
        """Let it end by itself, as there is no more to do."""
        self._process.communicate()


@dataclass(slots=True, kw_only=True)
class SharedStage:
    """Tables and queues, both releases, and a workspace.

    `requests` is the release that answers the next request.
    """

    before: Release
    after: Release
    deployment: Deployment
    clock: FrozenClock
    workspace_id: str
    key: str
    requests: Release = field(init=False)

    def __post_init__(self) -> None:
        self.requests = self.after

    def asked(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request of the API; return status and JSON of the answer."""
        sent = "" if body is None else json.dumps(body)
        return self._answered(method, path, sent, "application/json")

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """Send one that must be answered well; return the JSON of the answer."""
        status, answer = self.asked(method, path, body)
        assert status < 300, (method, path, answer)
        return answer

    def upload(self, data: bytes, filename: str) -> str:
        """Upload a file as a form; return its id."""
        disposition = f'Content-Disposition: form-data; name="file"; filename="{filename}"'
        head, end = f"--{_BOUNDARY}\r\n{disposition}\r\n\r\n", f"\r\n--{_BOUNDARY}--\r\n"
        form = head + data.decode("latin-1") + end
        kind = f"multipart/form-data; boundary={_BOUNDARY}"
        status, answer = self._answered("POST", "/v1/media", form, kind)
        assert status < 300, answer
        return str(answer["id"])

    def connect(self, platform: Platform) -> str:
        """Connect a test account, as the operator does; return its id."""
        connections = self.deployment.people.connections
        account = connections.connect_test_account(
            self.workspace_id, platform=platform, handle="@lighthouse"
        )
        return account.id

    def refreshed(self, release: Release, account: Account, access: str) -> str:
        """Have a release keep a new token of an account; return the token that it found."""
        names = {"workspace_id": account.workspace_id, "account_id": account.id, "access": access}
        asked = {"at": self.clock().isoformat(), "do": "refresh", **names}
        return str(release.ask(asked))

    def want_all_notices(self, release: Release) -> None:
        """Have the owner want every notice that a release knows."""
        asked = {"do": "notices", "workspace_id": self.workspace_id}
        release.ask({"at": self.clock().isoformat(), **asked})

    def rule(self, worker: Release, function: str) -> None:
        """Run a function as its rule does."""
        worker.ask({"at": self.clock().isoformat(), "do": "rule", "function": function})

    def work(self, *workers: Release) -> list[str]:
        """Hand the messages of all queues to the workers in turn; return whom each woke."""
        queues = self.after.ask({"at": self.clock().isoformat(), "do": "queues"})
        woken: list[str] = []
        while found := [one for name in queues for one in self._messages(name)]:
            for url, message in found:
                function = queues[url.rpartition("/")[2]]
                asked = {"do": "message", "function": function, "body": message["Body"]}
                worker = workers[len(woken) % len(workers)]
                answer = worker.ask({"at": self.clock().isoformat(), **asked})
                assert answer == {"batchItemFailures": []}, (function, message["Body"])
                sqs = self.deployment.clients.sqs
                sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
                woken.append(function)
        return woken

    def sent(self) -> list[tuple[str, str]]:
        """Return target and text of everything that the platforms took."""
        entries = self.deployment.sandbox_store.entries()
        return sorted((one.target_id, one.caption) for one in entries)

    def _messages(self, name: str) -> Iterator[tuple[str, Any]]:
        sqs = self.deployment.clients.sqs
        url = sqs.get_queue_url(QueueName=name)["QueueUrl"]
        found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)
        yield from ((url, message) for message in found.get("Messages", []))

    def _answered(self, method: str, path: str, body: str, kind: str) -> tuple[int, Any]:
        headers = {"authorization": f"Bearer {self.key}", "content-type": kind}
        asked = {"do": "request", "method": method, "path": path, "headers": headers, "body": body}
        status, text = self.requests.ask({"at": self.clock().isoformat(), **asked})
        return status, json.loads(text) if text.startswith(("{", "[")) else text


@contextmanager
def shared_stage(settings: Settings, before: Path, after: Path = PROJECT) -> Iterator[SharedStage]:
    """Run the releases of two trees over resources that are there."""
    own_tables = os.environ.get(DYNAMODB_URL)
    environment = {
        "GOLDENHOUR_STAGE": "shared",
        "GOLDENHOUR_RESOURCE_PREFIX": settings.resource_prefix,
        "AWS_ENDPOINT_URL": settings.endpoint_url or "",
        **({} if own_tables is None else {DYNAMODB_URL: own_tables}),
    }
    clock = FrozenClock()
    deployment = Deployment(settings, clock=clock)
    table = deployment.stores.directory_table
    workspace_id, key = a_written_workspace(
        table, clock(), plan=Plan.STUDIO, timezone="UTC", approvals=False
    )
    releases = [Release(tree, environment) for tree in (before, after)]
    try:
        yield SharedStage(
            before=releases[0],
            after=releases[1],
            deployment=deployment,
            clock=clock,
            workspace_id=workspace_id,
            key=key,
        )
    finally:
        for release in releases:
            release.end()
