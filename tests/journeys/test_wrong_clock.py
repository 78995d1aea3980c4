"""A clock is set while the stack runs: no step stops a post, loses one or sends one twice.

Real processes whose clock is moved from outside, by seconds and by hours, back and ahead, for
seconds; this test's own clock stays right and notes when each post arrives on the sandbox platform.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.local.stack_modules import STACK_MODULES
from tests.journeys.test_chaos import Client, QuietStack
from tests.local.running_stack import running
from tests.local.wrong_clock import WrongClock

pytestmark = pytest.mark.compiler

SEED = 20261125
AT_MOST_LATE = timedelta(seconds=3)
_AGREE = timedelta(seconds=0.1)
"""How exactly the test sees when a post arrives."""
_WORDS = ("", "", "sandbox:slow:2", "sandbox:ambiguous")
_PLATFORMS = ("linkedin", "x", "facebook", "threads", "bluesky")
_BEFORE_S, _AFTER_S = 4.0, 6.0


@dataclass(slots=True)
class Watched:
    """Targets with their times, and when each arrived by a clock that is right."""

    client: Client
    due: dict[str, datetime] = field(default_factory=dict)
    came: dict[str, list[datetime]] = field(default_factory=dict)

    def schedule(self, at: datetime, chance: random.Random) -> None:
        """Have a post go out at a time."""
        number = len(self.due)
        account = self.client.account(_PLATFORMS[number % len(_PLATFORMS)])
        word = chance.choice(_WORDS)
        body = {"caption": f"Bread {number} {word}", "targets": [{"account_id": account}]}
        post = self.client.call("POST", "/v1/posts", body, key=f"clock-{number}")
        named = f"/v1/posts/{post['id']}"
        self.client.call("POST", f"{named}/schedule", {"at": at.isoformat()})
        targets = self.client.call("GET", named)["targets"]
        assert isinstance(targets, list)
        self.due[str(targets[0]["id"])] = at

    def look_until(self, end: datetime) -> None:
        """Note what arrives until then."""
        while (now := datetime.now(UTC)) < end:
            for target_id, times in self.client.taken().items():
                seen = self.came.setdefault(target_id, [])
                seen.extend([now] * (times - len(seen)))
            time.sleep(0.05)


def _step(watched: Watched, clock: WrongClock, step: timedelta, wrong_s: float, seed: str) -> None:
    """Set the clock while posts are armed, due and made, put it right, and see what became."""
    chance = random.Random(seed)
    begin = datetime.now(UTC) + timedelta(seconds=_BEFORE_S)
    right = begin + timedelta(seconds=wrong_s)
    last = right + timedelta(seconds=_AFTER_S)
    length_s = (last - begin).total_seconds()
    before = set(watched.due)
    for _ in range(8):
        watched.schedule(begin + timedelta(seconds=chance.uniform(-1, length_s)), chance)
    watched.look_until(begin)
    with clock.off_by(step):
        for _ in range(3):
            ahead = timedelta(seconds=chance.uniform(wrong_s, length_s))
            watched.schedule(begin + max(ahead, timedelta(seconds=wrong_s + 1)), chance)
        watched.look_until(right)
    right = datetime.now(UTC)
    watched.look_until(max(last, right) + AT_MOST_LATE + timedelta(seconds=1))
    for target_id in set(watched.due) - before:
        came, due = watched.came.get(target_id, []), watched.due[target_id]
        told = f"{step} for {wrong_s} s: due {due - right}, came {[at - right for at in came]}"
        assert len(came) == 1, told
        assert came[0] <= max(due, right) + AT_MOST_LATE, told
        ran_ahead = step > timedelta(0) and came[0] <= right + _AGREE
        assert ran_ahead or came[0] >= due - _AGREE, told


def _play(
    folder: Path, environment: Mapping[str, str], steps: list[tuple[timedelta, float]]
) -> str:
    clock = WrongClock(folder)
    stack = QuietStack(folder / "data", STACK_MODULES, **environment, **clock.environment)
    with running(stack):
        watched = Watched(Client(stack))
        for number, (step, wrong_s) in enumerate(steps):
            _step(watched, clock, step, wrong_s, f"{SEED} {number}")
    late = max(at[0] - watched.due[one] for one, at in watched.came.items())
    return f"{len(watched.due)} posts around {len(steps)} steps of the clock, latest {late}"


@pytest.mark.costly
def test_posts_go_out_once_and_in_time_around_steps_of_the_clock(
    tmp_path: Path, stack_environment: Mapping[str, str]
) -> None:
    steps = [(timedelta(minutes=-15), 3.0), (timedelta(hours=12), 2.0)]

    _play(tmp_path, stack_environment, steps)


@pytest.mark.prove
def test_posts_go_out_once_and_in_time_around_many_steps_of_the_clock(
    tmp_path: Path, stack_environment: Mapping[str, str]
) -> None:
    chance = random.Random(SEED)
    sizes_s = (1, 2, 7, 20, 40, 90, 420, 900, 3_600, 12 * 3_600)
    steps = [
        (timedelta(seconds=sign * size_s), chance.choice((0.5, 2.0, 5.0, 12.0, 60.0)))
        for size_s in sizes_s
        for sign in (-1, 1)
    ]

    print(_play(tmp_path, stack_environment, steps))  # noqa: T201 - make prove
