"""Makes a failing plan smaller: fewer posts, fewer faults, and still failing.

A smaller plan counts as the same failure when it breaks the same promise. What went wrong is first
written down, strike by strike, and then left out in ever smaller parts (delta debugging).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace

from tests.simulation.faults import Plan, Strike
from tests.simulation.run import Report, run

_MOST_RUNS = 120


class Shrinking:
    """One search for a smaller plan."""

    def __init__(self, failing: Report, again: Callable[[Plan], Report] = run) -> None:
        self.smallest = failing
        self._promises = {broken.promise for broken in failing.broken}
        self._again = again
        self._runs = 0

    def go(self) -> Report:
        """Return the smallest run found that breaks a promise which the failing one breaks."""
        self._try(replace(self.smallest.plan, strikes=self.smallest.struck))
        for number in self.smallest.suspects:
            if self._try(replace(self.smallest.plan, only=frozenset({number}))):
                break
        if self.smallest.plan.strikes is not None:
            self._leave_out()
        return self.smallest

    def _leave_out(self) -> None:
        """Leave out ever smaller parts of what goes wrong, as long as that still fails."""
        size = max(len(self.smallest.struck) // 2, 1)
        while self._runs < _MOST_RUNS:
            if any(self._try(plan) for plan in self._without(size)):
                continue
            if size == 1:
                return
            size //= 2

    def _without(self, size: int) -> Iterator[Plan]:
        struck = self.smallest.struck
        for start in range(0, len(struck), size):
            kept = (*struck[:start], *struck[start + size :])
            yield replace(self.smallest.plan, strikes=kept)

    def _try(self, plan: Plan) -> bool:
        if self._runs >= _MOST_RUNS:
            return False
        self._runs += 1
        report = self._again(plan)
        if not self._promises & {broken.promise for broken in report.broken}:
            return False
        self.smallest = report
        return True


_APART = ("seed", "goes_without", "only", "faults", "strikes")


def as_code(report: Report) -> str:
    """Write a run's plan as the line of code that makes it again."""
    plan, usual = report.plan, Plan(seed=report.plan.seed)
    values = {field.name: getattr(plan, field.name) for field in fields(Plan)}
    told = [f"seed={plan.seed}"]
    for name, value in values.items():
        if name not in ("seed", "goes_without", "only", "faults", "strikes") and value != getattr(
            usual, name
        ):
            told.append(f"{name}={value!r}")
    if plan.goes_without:
        told.append(f"goes_without=({''.join(f'Out.{one.name}, ' for one in plan.goes_without)})")
    if plan.only is not None:
        told.append(f"only=frozenset({sorted(plan.only)})")
    kinds = ", ".join(f"Fault.{kind.name}" for kind in sorted(plan.faults))
    told.append(f"faults=frozenset({{{kinds}}})" if kinds else "faults=frozenset()")
    return f"Plan({', '.join(told)}, strikes=({_strikes(report.struck)}))"


def _strikes(struck: Sequence[Strike]) -> str:
    return "".join(
        f"Strike(Fault.{strike.kind.name}, {strike.at_s!r}, {strike.where!r}, {strike.place}), "
        for strike in struck
    )
