"""Bursts of one workspace on a platform that takes its time: how late each call begins.

The sandbox platform notes when a call began that then takes so many seconds. Another workspace has
one target on another platform in the same second.
"""

import os
import time
from datetime import UTC, datetime, timedelta

from benchmarks.figures import Figure
from benchmarks.publishing.throughput import other_workspace
from benchmarks.stack import Stack, by_busy_clients, percentile, running

BURSTS = ((200, 0), (200, 1), (200, 3), (1_000, 1), (1_000, 3))
_CLIENTS = 4
_AHEAD_S = 15
_PER_TARGET_S = 0.03
_LONGEST_S = 120.0


def run() -> list[Figure]:
    """Print how late calls begin, by how long each takes, and the neighbour's."""
    figures = []
    with running() as stack:
        other = other_workspace(stack)
        for size, call_s in BURSTS:
            late, theirs = _burst(stack, size, call_s, other)
            p99 = percentile(late, 0.99)
            print(
                f"{size} in one second, {call_s} s a call: p50 {percentile(late, 0.5):.2f} s, p99 "
                f"{p99:.2f} s, most {late[-1]:.2f} s late, {sum(one < 0 for one in late)} early; "
                f"the neighbour {theirs:.3f} s; {os.getloadavg()[0]:.1f} load",
                flush=True,
            )
            figures.append(Figure(f"{size} at {call_s} s a call, p99 late, s", p99))
    return figures


def _burst(
    stack: Stack, size: int, call_s: int, other: tuple[str, str]
) -> tuple[list[float], float]:
    """Send a burst; return how late its calls began, in order, and the neighbour's."""
    ahead = timedelta(seconds=_AHEAD_S + size * _PER_TARGET_S)
    due = datetime.now(UTC).replace(microsecond=0) + ahead
    own = stack.account("bluesky")

    def schedule(number: int) -> str:
        account, key = other if number == size else (own, "")
        words = "" if number == size else f" sandbox:hang:{call_s}"
        body = {"caption": f"Bread {number}{words}", "targets": [{"account_id": account}]}
        post = stack.call("POST", "/v1/posts", body, key)
        at = {"at": due.isoformat()}
        stack.call("POST", f"/v1/posts/{post['id']}/schedule", at, key)
        return str(post["targets"][0]["id"])

    targets, _ = by_busy_clients(_CLIENTS, schedule, range(size + 1))
    left_s = (due - datetime.now(UTC)).total_seconds()
    if left_s < _AHEAD_S / 2:
        print(f"  scheduling ended {left_s:.0f} s before the burst: the figures are too high")
    taken = _wait_for(stack, targets, due)
    late = sorted(taken[target] for target in targets[:-1])
    return late, taken[targets[-1]]


def _wait_for(stack: Stack, targets: list[str], due: datetime) -> dict[str, float]:
    """Return how many seconds after theirs the platform took the targets."""
    time.sleep(max((due - datetime.now(UTC)).total_seconds(), 0) + 6)
    began = time.monotonic()
    while True:
        found = {one["target_id"]: one["created_at"] for one in stack.taken()}
        if found.keys() >= set(targets):
            break
        if time.monotonic() - began > _LONGEST_S:
            missing = len(set(targets) - found.keys())
            raise SystemExit(f"{missing} targets did not go out in time.")
        time.sleep(3)
    return {one: (datetime.fromisoformat(found[one]) - due).total_seconds() for one in targets}
