"""A post's metrics at Meta, where one wrong name makes the whole call fail.

Names differ by kind of post and come and go without a new version. So if a call for several is
refused, they are asked for one by one, and one that is refused alone is only missing.
"""

from collections.abc import Callable, Iterable

from chalicelib.connectors.shared.calls.failures import UnlistedError
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import count, find

_MOST_UNANSWERED = 3
"""After this many failures in a row the platform is down, and is not asked for the rest."""

Ask = Callable[[str], list[Json]]
"""Asks for metrics, several joined by commas, and returns their rows."""


class Insights:
    """One post's metrics, read on demand."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._rows: dict[str, Json] = {}
        self._failure: UnansweredError | GraphRejectedError | None = None
        self._gone: GraphRejectedError | None = None
        self._unanswered = 0

    def gather(self, metrics: Iterable[str]) -> None:
        """Ask for several at once, or one by one if that is refused.

        Raises GraphRejectedError when the post is gone.
        """
        names = tuple(metrics)
        if self._try(",".join(names)):
            return
        if self._gone is not None:
            raise self._gone
        for name in names:
            self._try(name)

    def row(self, metric: str) -> Json:
        """Return one metric, read unless it is known; None if there is none."""
        if metric not in self._rows:
            self._try(metric)
        return self._rows.get(metric)

    def figure(self, *metrics: str) -> int | None:
        """Return the first of these metrics that exists."""
        numbers = (_figure(self.row(metric)) for metric in metrics)
        return next((number for number in numbers if number is not None), None)

    def known_count(self, metric: str) -> int | None:
        """Return a metric if it was read already."""
        return _figure(self._rows.get(metric))

    def require_answer(self) -> None:
        """Raise the failure if nothing was read because the platform is down."""
        if self._failure is not None and not self._rows:
            raise self._failure

    def _try(self, metrics: str) -> bool:
        """Tell whether the platform answered."""
        if self._unanswered >= _MOST_UNANSWERED:
            return False
        try:
            rows = self._ask(metrics)
        except UnansweredError as error:
            self._failure = error
            self._unanswered += not isinstance(error, UnlistedError)
            return False
        except GraphRejectedError as error:
            self._gone = error if error.is_gone else self._gone
            if error.code is FailureCode.PLATFORM_UNAVAILABLE:
                self._failure = error
            return False
        self._unanswered = 0
        self._rows |= {str(find(row, "name")): row for row in rows}
        return True


def part(row: Json, name: str) -> int | None:
    """Return one part of a metric: its keys differ in case, and a plain number has no parts."""
    value = find(row, "values", 0, "value")
    if not isinstance(value, dict):
        return None
    return next((count(value, key) for key in value if key.lower() == name), 0)


def _figure(row: Json) -> int | None:
    """Return a metric: a number, or the sum of an object of numbers."""
    value = find(row, "values", 0, "value")
    if value is None:
        value = find(row, "total_value", "value")
    if isinstance(value, dict):
        return sum(count(value, key) for key in value)
    return int(value) if isinstance(value, int | float) else None
