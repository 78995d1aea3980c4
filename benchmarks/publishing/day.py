"""A day of 10,000 posts on one small server, in time-lapse: memory, and how the directory grows.

The stack syncs as `serve` does. Posts are drafted, scheduled some seconds ahead and go out while
the next are written; after each thousand, once all are out, memory and files are measured.
"""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.stack import Stack, running

POSTS = 10_000
ROUND = 1_000
_CLIENTS = 4
_AHEAD_S = 5
_SPREAD_S = 20
_LONGEST_S = 300
_PLATFORMS = ("linkedin", "facebook", "threads", "bluesky")
_CAPTION = "Fresh bread, number {}: two hundred characters as people write them. " + "Rye. " * 26


def run(posts: int = POSTS) -> list[Figure]:
    """Print, after each thousand posts, memory, sizes, and how long the thousand took."""
    with running(environment={"GOLDENHOUR_SYNC": "full"}) as stack:
        _tell(stack, 0, 0.0)
        before = _sizes(stack.folder)
        for done in range(0, posts, ROUND):
            began = time.monotonic()
            _post(stack, range(done, done + ROUND))
            _await_all(stack, done + ROUND)
            _tell(stack, done + ROUND, time.monotonic() - began)
        grown = _sizes(stack.folder)
        for name, size in grown.items():
            each = (size - before.get(name, 0)) / posts * ROUND / 1_048_576
            print(f"  {name:12} grows by {each:.2f} MB per 1,000 posts")
        resident, proportional = stack.memory_mb()
        double = len(stack.taken()) - len({entry["target_id"] for entry in stack.taken()})
        print(f"  {posts} posts out, {double} twice")
    return [
        Figure(f"after a day of {posts:,} posts, MB resident", resident),
        Figure("the same, shared pages counted once, MB", proportional),
    ]


def _post(stack: Stack, numbers: range) -> None:
    accounts = [stack.account(platform) for platform in _PLATFORMS]

    def schedule(number: int) -> None:
        targets = [{"account_id": accounts[number % len(accounts)]}]
        body = {"caption": _CAPTION.format(number), "targets": targets}
        post = stack.call("POST", "/v1/posts", body)
        at = datetime.now(UTC) + timedelta(seconds=_AHEAD_S + number % _SPREAD_S)
        stack.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})

    with ThreadPoolExecutor(_CLIENTS) as clients:
        list(clients.map(schedule, numbers))


def _await_all(stack: Stack, count: int) -> None:
    ends_at = time.monotonic() + _LONGEST_S
    while _out(stack) < count:
        if time.monotonic() > ends_at:
            print(f"  only {_out(stack)} of {count} are out")
            return
        time.sleep(2)
    while any(stack.call("GET", "/v1/posts?status=publishing")["data"]):
        time.sleep(1)


def _out(stack: Stack) -> int:
    """Count what is out without making the stack list all of it."""
    with closing(sqlite3.connect(stack.folder / "sandbox" / "tables.db")) as sandbox:
        return int(sandbox.execute("SELECT count(*) FROM item WHERE sk = 'POST'").fetchone()[0])


def _tell(stack: Stack, posts: int, took_s: float) -> None:
    resident = stack.resident_kb()
    memory = ", ".join(
        f"{name.rpartition('.')[0].rpartition('.')[2] or name} {kilobytes / 1024:.0f}"
        for name, kilobytes in sorted(resident.items())
    )
    sizes = ", ".join(
        f"{name} {size / 1_048_576:.1f}" for name, size in _sizes(stack.folder).items()
    )
    total, proportional = stack.memory_mb()
    print(
        f"  {posts:6} posts  {total:.0f} MB resident, {proportional:.0f} if shared pages", end=" "
    )
    print(f"count once ({memory})  files in MB: {sizes}", end="")
    print(f"  {took_s:.0f} s", flush=True)


def _sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of what grows: tables, their log, the sandbox platform, logs, the rest."""
    sizes = dict.fromkeys(("tables.db", "tables.db-wal", "sandbox", "logs", "rest"), 0)
    for path in folder.rglob("*"):
        if path.is_file():
            kind = path.name if path.name in sizes else "rest"
            kind = "sandbox" if path.parent.name == "sandbox" else kind
            kind = "logs" if ".log" in path.suffixes else kind
            sizes[kind] += path.stat().st_size
    return sizes
