"""A scheduled handler's times come by the wall clock, however that is set meanwhile."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.local.triggers.schedules import Rule

_BEGIN = datetime(2026, 11, 25, 20, 0, tzinfo=UTC)
_DAILY = "cron(0 3 * * ? *)"


@dataclass(slots=True)
class Day:
    """A rule under a clock that a test sets; `ran` tells when it ran by the right time."""

    expression: str
    passed: timedelta = timedelta(0)
    off: timedelta = timedelta(0)
    steps: int = 0
    forgot: int = 0
    ran: list[timedelta] = field(default_factory=list)
    longest_nap_s: float = 0.0
    rule: Rule = field(init=False)

    def __post_init__(self) -> None:
        self.rule = Rule(
            "rule",
            self.expression,
            lambda _: self.ran.append(self.passed),
            self._forget,
            clock=lambda: _BEGIN + self.passed + self.off,
            count_steps=lambda: self.steps,
        )

    def _forget(self) -> None:
        self.forgot += 1

    def set(self, off: timedelta) -> None:
        self.off, self.steps = off, self.steps + 1

    def go_on(self, time: timedelta) -> None:
        """Let time pass, looking as often as the rule says."""
        end = self.passed + time
        while self.passed < end:
            nap_s = self.rule.look()
            self.longest_nap_s = max(self.longest_nap_s, nap_s)
            self.passed += timedelta(seconds=max(nap_s, 0.01))


@pytest.mark.parametrize("off", [timedelta(hours=h) for h in (-12, -1, 1, 12)])
def test_a_minutes_rule_runs_at_once_when_the_clock_is_set_and_each_minute(off: timedelta) -> None:
    day = Day("rate(1 minute)")
    day.go_on(timedelta(seconds=30))

    day.set(off)
    day.go_on(timedelta(seconds=20))
    day.set(timedelta(0))
    day.go_on(timedelta(seconds=70))

    assert [round(at.total_seconds()) for at in day.ran] == [0, 30, 50, 110]
    assert day.longest_nap_s <= 1.0
    assert day.forgot == 2


def test_a_daily_rule_keeps_its_hour_when_the_clock_ran_back_for_a_minute() -> None:
    day = Day(_DAILY)
    day.go_on(timedelta(hours=1))

    day.set(timedelta(hours=-12))
    day.go_on(timedelta(minutes=1))
    day.set(timedelta(0))
    day.go_on(timedelta(hours=8))

    assert [round(at / timedelta(hours=1), 2) for at in day.ran] == [0, 7]


def test_a_daily_rule_that_ran_by_a_clock_ahead_runs_again_at_its_hour() -> None:
    day = Day(_DAILY)
    day.go_on(timedelta(hours=1))

    day.set(timedelta(hours=12))
    day.go_on(timedelta(minutes=1))
    day.set(timedelta(0))
    day.go_on(timedelta(hours=8))

    assert [round(at / timedelta(hours=1), 1) for at in day.ran] == [0, 1, 7]


def test_a_handler_that_fails_runs_again_at_its_next_time() -> None:
    day, tried = Day("rate(1 minute)"), list[timedelta]()

    def fail(_: datetime) -> None:
        tried.append(day.passed)
        raise RuntimeError

    day.rule = Rule(
        "rule",
        "rate(1 minute)",
        fail,
        lambda: None,
        clock=lambda: _BEGIN + day.passed,
        count_steps=lambda: 0,
    )
    day.go_on(timedelta(seconds=61))

    assert tried == [timedelta(0), timedelta(minutes=1)]
