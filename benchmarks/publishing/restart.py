"""A start after `kill -9` of everything amid a burst: what is late, and from when on nothing is.

Texts are due all the time, some of them together. Everything is killed amid them and started again
at once. Ready is a stack that has written `demo.json`, as its API answers then. What was due before
that, and half a second more, is counted from readiness; what is due later from its own second.
"""

import os
import signal
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.stack import Stack, by_busy_clients, percentile, running

TARGETS, SPREAD_S = 1_000, 40
_KILLED_AFTER_S = 6
_CLIENTS = 8
_PER_TARGET_S = 0.05
_SETTLED = timedelta(seconds=0.5)
_LONGEST_S = 180.0


def run() -> list[Figure]:
    """Print how late targets were around a kill of everything."""
    with tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as made:
        folder = Path(made) / "data"
        folder.mkdir(mode=0o700)
        with running(folder) as stack:
            due = _schedule(stack)
            time.sleep(max((min(due.values()) - datetime.now(UTC)).total_seconds(), 0))
            time.sleep(_KILLED_AFTER_S)
            _kill_all(stack)
        (folder / "demo.json").unlink()
        with running(folder) as stack:
            return _report(due, _taken(stack, len(due)), _ready_at(stack))


def _schedule(stack: Stack) -> dict[str, datetime]:
    """Schedule all, as many each second; return when each is due."""
    account = stack.account("bluesky")
    first = datetime.now(UTC) + timedelta(seconds=20 + TARGETS * _PER_TARGET_S)
    each = TARGETS // SPREAD_S

    def one(number: int) -> tuple[str, datetime]:
        at = (first + timedelta(seconds=number // each)).replace(microsecond=0)
        body = {"caption": f"Bread {number}", "targets": [{"account_id": account}]}
        post = stack.call("POST", "/v1/posts", body)
        stack.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})
        return post["targets"][0]["id"], at

    return dict(by_busy_clients(_CLIENTS, one, range(TARGETS))[0])


def _kill_all(stack: Stack) -> None:
    for pid in stack.pids():
        os.kill(int(pid), signal.SIGKILL)
    stack.process.wait(15)


def _taken(stack: Stack, wanted: int) -> dict[str, datetime]:
    until = time.monotonic() + _LONGEST_S
    while True:
        time.sleep(5)  # nothing is asked before most are out
        found = [(one["target_id"], one["created_at"]) for one in stack.taken()]
        if len(found) >= wanted or time.monotonic() > until:
            break
    doubles = len(found) - len(dict(found))
    print(f"{len(found)} of {wanted} out, {doubles} double")
    return {target: datetime.fromisoformat(at) for target, at in found}


def _ready_at(stack: Stack) -> datetime:
    return datetime.fromtimestamp((stack.folder / "demo.json").stat().st_mtime, UTC)


def _report(due: dict[str, datetime], taken: dict[str, datetime], ready: datetime) -> list[Figure]:
    settled = ready + _SETTLED
    missed = sorted(
        (taken[one] - ready).total_seconds()
        for one, at in due.items()
        if at <= settled and taken[one] > ready - _SETTLED
    )
    later = sorted((taken[one] - at).total_seconds() for one, at in due.items() if at > settled)
    if not missed or not later:
        raise SystemExit("The start took so long, or so little, that there is nothing to compare.")
    print(f"{len(missed)} were due before it was ready: the last out {missed[-1]:.2f} s after it")
    print(f"{len(later)} were due later: p99 {percentile(later, 0.99):.3f} s, most {later[-1]:.2f}")
    return [
        Figure("due before a start was ready, the last out after it, s", missed[-1]),
        Figure("due 0.5 s after it and later, p99 late, s", percentile(later, 0.99)),
    ]
