"""A start after `kill -9` of everything amid a burst: what is late, and from when on nothing is.

Many texts are due each second, all are killed amid them, and started again at once; fewer go on to
be due, so that some are left however long the start takes. Ready is a stack that has written
`demo.json`, as its API answers then. What was due before that, and half a second more, is counted
from readiness; what is due later from its own second. What had begun at the kill is told apart:
some of it is in doubt, and sent only once it is certain that the platform has it not.
"""

import os
import signal
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.stack import Stack, by_busy_clients, percentile, running

_BURST_S, _BURST_EACH_S = 10, 40
_AFTER_S, _AFTER_EACH_S = 150, 4
_KILLED_AFTER_S = 6
_CLIENTS = 8
_SETTLED = timedelta(seconds=0.5)
_ON_ITS_SECOND_S = 0.5
_LONGEST_S = 400.0


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
            killed = datetime.now(UTC)
        (folder / "demo.json").unlink()
        with running(folder) as stack:
            ready = _ready_at(stack)
            print(f"ready {(ready - killed).total_seconds():.2f} s after the kill")
            return _report(due, _taken(stack, len(due)), killed, ready)


def _schedule(stack: Stack) -> dict[str, datetime]:
    """Schedule all, as many each second; return when each is due."""
    account = stack.account("bluesky")

    def draft(number: int) -> tuple[str, str]:
        body = {"caption": f"Bread {number}", "targets": [{"account_id": account}]}
        post = stack.call("POST", "/v1/posts", body)
        return post["id"], post["targets"][0]["id"]

    def schedule(one: tuple[tuple[str, str], datetime]) -> tuple[str, datetime]:
        (post_id, target_id), at = one
        stack.call("POST", f"/v1/posts/{post_id}/schedule", {"at": at.isoformat()})
        return target_id, at

    seconds = _due_seconds()
    drafts, took_s = by_busy_clients(_CLIENTS, draft, range(len(seconds)))
    # A schedule takes about as long as its draft did, and this machine may get slower.
    first = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2 * took_s + 20)
    due = [first + timedelta(seconds=second) for second in seconds]
    return dict(by_busy_clients(_CLIENTS, schedule, [*zip(drafts, due, strict=True)])[0])


def _due_seconds() -> list[int]:
    """Return how many seconds after the first each target is due."""
    burst = [number // _BURST_EACH_S for number in range(_BURST_S * _BURST_EACH_S)]
    after = [_BURST_S + number // _AFTER_EACH_S for number in range(_AFTER_S * _AFTER_EACH_S)]
    return burst + after


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


def _report(
    due: dict[str, datetime], taken: dict[str, datetime], killed: datetime, ready: datetime
) -> list[Figure]:
    settled = ready + _SETTLED
    left = {one: at for one, at in due.items() if taken[one] > killed}
    begun = sorted((taken[one] - ready).total_seconds() for one, at in left.items() if at <= killed)
    missed = sorted(
        (taken[one] - ready).total_seconds() for one, at in left.items() if killed < at <= settled
    )
    late = [(at, (taken[one] - at).total_seconds()) for one, at in left.items() if at > settled]
    if not late:
        raise SystemExit("It was not ready before the last was due: this machine is too busy.")
    later = sorted(seconds for _, seconds in late)
    over = [at for at, seconds in late if seconds > _ON_ITS_SECOND_S]
    last_s = max(missed, default=0.0)
    print(
        f"{len(begun)} were due before the kill and not out, out {_told(begun)} s after readiness"
    )
    print(f"{len(missed)} were due from then until it was ready, out {_told(missed)} s after it")
    print(f"{len(later)} were due later, {_told(later)} s late, {len(over)} of them over 0.5 s")
    if over:
        print(f"  the last of these was due {(max(over) - ready).total_seconds():.1f} s after it")
    print(f"{os.getloadavg()[0]:.1f} load")
    return [
        Figure("due between a kill and readiness, the last out after it, s", last_s),
        Figure("due 0.5 s after it and later, p99 late, s", percentile(later, 0.99)),
    ]


def _told(seconds: list[float]) -> str:
    if not seconds:
        return "0"
    p50, p99 = percentile(seconds, 0.5), percentile(seconds, 0.99)
    return f"p50 {p50:.2f}, p99 {p99:.2f}, at most {seconds[-1]:.2f}"
