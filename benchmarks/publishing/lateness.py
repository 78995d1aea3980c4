"""How late posts go out: 200 targets spread over 20 seconds, and none early.

The sandbox platform notes when it took each post; what was asked for is compared with that.
"""

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial

from benchmarks.figures import Figure
from benchmarks.stack import Stack, percentile, running

TARGETS = 200
SPREAD_S = 20
_AHEAD_S = 60
_PLATFORMS = ("linkedin", "x", "facebook", "threads", "bluesky")
_SEED = 7
_CALLERS = 4


def run() -> list[Figure]:
    """Print the distribution of lateness."""
    with running() as stack:
        return [Figure("200 targets over 20 s, p99 late, s", measure(stack))]


def measure(stack: Stack) -> float:
    """Schedule targets on a stack, wait until they are out, tell how late; return the p99."""
    asked = _schedule(stack)
    time.sleep(max((max(asked.values()) - datetime.now(UTC)).total_seconds(), 0) + 5)
    return report(stack, asked)


def _schedule(stack: Stack) -> dict[str, datetime]:
    """Schedule the targets, some at once, as callers do; return each one's time by its id."""
    chance = random.Random(_SEED)  # noqa: S311 - a benchmark
    begin = datetime.now(UTC) + timedelta(seconds=_AHEAD_S)
    times = [begin + timedelta(seconds=chance.uniform(0, SPREAD_S)) for _ in range(TARGETS)]
    with ThreadPoolExecutor(_CALLERS) as callers:
        names = callers.map(partial(_scheduled, stack), range(TARGETS), times)
        asked = dict(zip(names, times, strict=True))
    if datetime.now(UTC) > begin:
        sys.exit("Scheduling took longer than there is until the first second")
    return asked


def _scheduled(stack: Stack, number: int, at: datetime) -> str:
    account = stack.account(_PLATFORMS[number % len(_PLATFORMS)])
    body = {"caption": f"Bread {number}", "targets": [{"account_id": account}]}
    post = stack.call("POST", "/v1/posts", body)
    sent = stack.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})
    return str(sent["targets"][0]["id"])


def report(stack: Stack, asked: dict[str, datetime]) -> float:
    """Print how late targets were, and which are missing, double or early; return the p99."""
    taken: dict[str, list[datetime]] = {}
    for entry in stack.taken():
        at = datetime.fromisoformat(entry["created_at"])
        taken.setdefault(entry["target_id"], []).append(at)
    late = sorted(
        (taken[target][0] - at).total_seconds() for target, at in asked.items() if target in taken
    )
    p99 = percentile(late, 0.99)
    print(
        f"{len(late)} of {len(asked)} out, "
        f"{sum(len(times) > 1 for times in taken.values())} double, "
        f"{sum(one < 0 for one in late)} early; lateness p50 {percentile(late, 0.5):.2f} s, "
        f"p99 {p99:.2f} s, most {late[-1]:.2f} s"
    )
    return p99
