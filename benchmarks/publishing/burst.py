"""Bursts from outside: 100, 500 and 1,000 targets in one second, beside the same calls made bare.

What the sandbox platform took, and when, is compared with what was asked for. Another workspace
has one target in the second of the largest burst; 500 are sent in turn with and without 5 % of
them on a platform that hangs. The bare calls are what one target asks of DynamoDB after its
second, one write and one transaction, made by clients that do nothing else and wait for nothing.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.figures import Beside, Figure
from benchmarks.publishing.throughput import other_workspace
from benchmarks.stack import (
    Stack,
    by_busy_clients,
    dynamodb_client,
    percentile,
    posts_table,
    running,
)

SIZES = (100, 500, 1_000)
COMPARED = 500
ROUNDS = 2
PLATFORMS = ("linkedin", "facebook", "threads", "bluesky")
HANGING = "reddit"
_OPTIONS = {"subreddit": "goldenhour_test", "title": "Bread"}
_HANGS_S = 30
_SHARE_HANGING = 20
_CLIENTS = 8
_AHEAD_S = 25
_PER_TARGET_S = 0.1
_LONGEST_S = 180.0
_ITEM_BYTES = 1_000
_WRITES_AT_THE_END = 6
Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """One scheduled target: what to look for at the platform, and what it belongs to."""

    id: str
    is_hanging: bool = False
    is_neighbour: bool = False


def run() -> list[Figure]:
    """Print lateness at each size, for the neighbour, and beside a platform that hangs."""
    print(f"{os.cpu_count()} cores")
    figures = []
    with running() as stack:
        other = other_workspace(stack)
        for size in SIZES:
            bare_s = bare_seconds(stack, size)
            late, theirs = _burst(stack, size, other)
            print(f"{size} in one second: {_told(late)}")
            print(f"  another workspace's target in that second: {theirs:.2f} s late")
            p99 = percentile(late, 0.99)
            print(f"  p99 is {p99 / bare_s:.1f} x the bare calls, {bare_s:.2f} s")
            floor = Beside("the same DynamoDB calls bare", bare_s)
            figures.append(Figure(f"{size} targets in one second, p99 late, s", p99, floor))
        for _ in range(ROUNDS):
            healthy, _theirs = _burst(stack, COMPARED, other)
            beside, _theirs = _burst(stack, COMPARED, other, COMPARED // _SHARE_HANGING)
            change = percentile(beside, 0.99) / percentile(healthy, 0.99) - 1
            print(f"{COMPARED} without any that hang: {_told(healthy)}")
            print(f"{COMPARED}, 5 % hang {_HANGS_S} s: {_told(beside)}: p99 {change:+.0%}")
    return figures


def bare_seconds(stack: Stack, targets: int) -> float:
    """Return how long busy clients take for what targets ask of DynamoDB after their second."""
    client = dynamodb_client(stack, _CLIENTS)
    table = posts_table(stack)

    def calls(number: int) -> None:
        row = {"pk": {"S": f"BENCH#{number}"}, "filler": {"S": "x" * _ITEM_BYTES}}
        client.put_item(TableName=table, Item={**row, "sk": {"S": "TARGET"}})
        writes = [{**row, "sk": {"S": f"ROW#{place}"}} for place in range(_WRITES_AT_THE_END)]
        client.transact_write_items(
            TransactItems=[{"Put": {"TableName": table, "Item": write}} for write in writes]
        )

    return by_busy_clients(_CLIENTS, calls, range(targets))[1]


def _burst(
    stack: Stack, size: int, other: tuple[str, str], hanging: int = 0
) -> tuple[list[float], float]:
    """Send a burst; return how late targets that do not hang were, sorted, and the neighbour."""
    due = datetime.now(UTC).replace(microsecond=0) + timedelta(
        seconds=_AHEAD_S + size * _PER_TARGET_S
    )
    accounts = [stack.account(platform) for platform in PLATFORMS]
    account, key = other

    def schedule(number: int) -> Target:
        if number == 0:
            theirs = {"account_id": account}
            return Target(_scheduled(stack, theirs, "Theirs", due, key), is_neighbour=True)
        if number <= hanging:
            caption = f"Bread {number} sandbox:hang:{_HANGS_S}"
            target = {"account_id": stack.account(HANGING), "options": _OPTIONS}
            return Target(_scheduled(stack, target, caption, due), is_hanging=True)
        one = {"account_id": accounts[number % len(accounts)]}
        return Target(_scheduled(stack, one, f"Bread {number}", due))

    targets, _ = by_busy_clients(_CLIENTS, schedule, range(size + 1))
    left_s = (due - datetime.now(UTC)).total_seconds()
    if left_s < _AHEAD_S / 2:
        print(f"  scheduling ended {left_s:.0f} s before the burst: the figures are too high")
    taken = _wait_for(stack, targets, due)
    late = sorted(
        taken[each.id] for each in targets if not each.is_hanging and not each.is_neighbour
    )
    return late, next(taken[each.id] for each in targets if each.is_neighbour)


def _scheduled(stack: Stack, target: Document, caption: str, due: datetime, key: str = "") -> str:
    """Make a post and schedule it; return its target's id."""
    body = {"caption": caption, "targets": [target]}
    post: Document = stack.call("POST", "/v1/posts", body, key)
    stack.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": due.isoformat()}, key)
    return str(post["targets"][0]["id"])


def _wait_for(stack: Stack, targets: Sequence[Target], due: datetime) -> dict[str, float]:
    """Return how late the platform took each target; nothing is asked before it took most."""
    time.sleep(max((due - datetime.now(UTC)).total_seconds(), 0) + 6)
    wanted = {each.id for each in targets if not each.is_hanging}
    began = time.monotonic()
    while True:
        found = {one["target_id"]: one["created_at"] for one in stack.taken()}
        if wanted <= set(found):
            break
        if time.monotonic() - began > _LONGEST_S:
            raise SystemExit(f"{len(wanted - set(found))} targets did not go out in time.")
        time.sleep(3)
    if any(each.is_hanging for each in targets):
        time.sleep(_HANGS_S)
    return {
        target: (datetime.fromisoformat(at) - due).total_seconds() for target, at in found.items()
    }


def _told(late: Sequence[float]) -> str:
    early = sum(one < 0 for one in late)
    return (
        f"p50 {percentile(list(late), 0.5):.2f} s, p99 {percentile(list(late), 0.99):.2f} s, most "
        f"{late[-1]:.2f} s late, {early} early, {os.getloadavg()[0]:.1f} load"
    )
