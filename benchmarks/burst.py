"""Bursts from outside: 100, 500 and 1,000 targets in one second, beside the same calls made bare.

What the sandbox platform took, and when, is compared with what was asked for. Around the largest
burst another workspace has one target in the same second, and 500 are sent once more with 5 % of
them on a platform that hangs. The bare calls are those of one target after its second, made by
clients that do nothing else: no service over this emulator can be faster than they are.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.stack import Stack, percentile, running
from benchmarks.throughput import bare_rate, other_workspace

SIZES = (100, 500, 1_000)
PLATFORMS = ("linkedin", "facebook", "threads", "bluesky", "pinterest")
HANGING = "reddit"
_HANGS_S = 30
_SHARE_HANGING = 20
_CLIENTS = 8
_LONGEST_S = 180.0
Document = dict[str, Any]


def run() -> None:
    """Print lateness at each size, for the neighbour, and beside a platform that hangs."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} from others")
    with running() as stack:
        print(f"the bare calls of a target: {bare_rate(stack):.0f} targets a second")
        for size in SIZES[:-1]:
            print(f"{size} in one second: {_told(_burst(stack, size))}", flush=True)
        account, key = other_workspace(stack)
        late = _burst(stack, SIZES[-1], neighbour=(account, key))
        mine = {target: seconds for target, seconds in late.items() if target != "neighbour"}
        print(f"{SIZES[-1]} in one second: {_told(mine)}")
        print(f"another workspace's target in that second: {late['neighbour']:.2f} s late")
        healthy = _burst(stack, SIZES[1])
        beside = _burst(stack, SIZES[1], hanging=SIZES[1] // _SHARE_HANGING)
        print(f"{SIZES[1]} again: {_told(healthy)}")
        print(f"{SIZES[1]}, beside 5 % that hang {_HANGS_S} s: {_told(beside)}")


def _burst(
    stack: Stack, size: int, *, neighbour: tuple[str, str] | None = None, hanging: int = 0
) -> dict[str, float]:
    """Send a burst; return how late each target that does not hang was, by its id."""
    accounts = [stack.account(platform) for platform in PLATFORMS]

    def draft(number: int) -> Document:
        is_hanging = number < hanging
        caption = f"Bread {number} sandbox:hang:{_HANGS_S}" if is_hanging else f"Bread {number}"
        account = stack.account(HANGING) if is_hanging else accounts[number % len(accounts)]
        return _draft(stack, account, caption)

    with ThreadPoolExecutor(_CLIENTS) as clients:
        began = time.monotonic()
        drafts = list(clients.map(draft, range(size)))
        theirs = [] if neighbour is None else [_draft(stack, neighbour[0], "Theirs", neighbour[1])]
        # To schedule takes longer than to make; the burst begins well after the last call.
        ahead_s = 20 + 4 * (time.monotonic() - began)
        due = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=ahead_s)
        for post in theirs:
            _schedule(stack, post, due, neighbour[1] if neighbour else "")
        list(clients.map(lambda post: _schedule(stack, post, due), drafts))
    if datetime.now(UTC) > due - timedelta(seconds=5):
        print("  scheduling took until the burst itself: the figures are too high")
    ids = [str(post["targets"][0]["id"]) for post in drafts[hanging:]]
    other = [str(post["targets"][0]["id"]) for post in theirs]
    taken = _wait_for(stack, {*ids, *other}, due)
    missing = len(ids) + len(other) - len(taken)
    if missing:
        print(f"  {missing} targets did not go out within {_LONGEST_S:.0f} s")
    late = {one: (taken[one] - due).total_seconds() for one in ids if one in taken}
    if neighbour is not None:
        late["neighbour"] = (taken[other[0]] - due).total_seconds()
    return late


def _draft(stack: Stack, account: str, caption: str, key: str = "") -> Document:
    body = {"caption": caption, "targets": [{"account_id": account}]}
    post: Document = stack.call("POST", "/v1/posts", body, key)
    return post


def _schedule(stack: Stack, post: Document, due: datetime, key: str = "") -> None:
    stack.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": due.isoformat()}, key)


def _wait_for(stack: Stack, ids: set[str], due: datetime) -> dict[str, datetime]:
    """Return when the platform took each target, once it took all; nothing is asked before."""
    time.sleep(max((due - datetime.now(UTC)).total_seconds(), 0) + 4)
    began = time.monotonic()
    while True:
        found = {e["target_id"]: e for e in stack.taken() if e["target_id"] in ids}
        if len(found) == len(ids) or time.monotonic() - began > _LONGEST_S:
            return {i: datetime.fromisoformat(e["created_at"]) for i, e in found.items()}
        time.sleep(3)


def _told(late: dict[str, float]) -> str:
    seconds = sorted(late.values())
    early = sum(one < 0 for one in seconds)
    return (
        f"p50 {percentile(seconds, 0.5):.2f} s, p99 {percentile(seconds, 0.99):.2f} s, "
        f"most {seconds[-1]:.2f} s late, {early} early"
    )
