"""Metrics at Meta: one that fails costs only itself, a platform that fails is no answer."""

from collections.abc import Mapping

import pytest

from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
    RejectedError,
    UnlistedError,
)
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.connectors.shared.meta.insights import Insights, part
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError, UnansweredError

NO_SUCH = GraphRejectedError(RejectedError(FailureCode.INVALID_OPTIONS, "No."), ["100"])
GONE = GraphRejectedError(RejectedError(FailureCode.INVALID_OPTIONS, "No."), ["100/33", "100"])
FORBIDDEN = GraphRejectedError(RejectedError(FailureCode.PERMISSION_MISSING, "No."), ["10"])
SILENCE = UnansweredError("Nothing came back.")
ODD = UnlistedError("418")


class Platform:
    """Knows some metrics; each of the others fails whatever it is asked together with."""

    def __init__(self, values: Mapping[str, Json], failures: Mapping[str, PlatformError]) -> None:
        self.values = values
        self.failures = failures
        self.asked: list[str] = []

    def ask(self, metrics: str) -> list[Json]:
        self.asked.append(metrics)
        names = metrics.split(",")
        for name in names:
            if name in self.failures:
                raise self.failures[name]
        known = [name for name in names if name in self.values]
        return [{"name": name, "values": [{"value": self.values[name]}]} for name in known]


def test_what_can_be_told_together_is_asked_for_once() -> None:
    platform = Platform({"views": 3, "likes": 1}, {})
    insights = Insights(platform.ask)

    insights.gather(("views", "likes"))

    assert (insights.known_count("views"), insights.known_count("likes")) == (3, 1)
    assert platform.asked == ["views,likes"]


@pytest.mark.parametrize("failure", [NO_SUCH, FORBIDDEN, SILENCE, ODD], ids=repr)
def test_a_metric_that_fails_costs_only_itself(failure: PlatformError) -> None:
    platform = Platform({"views": 3, "likes": 1}, {"shares": failure})
    insights = Insights(platform.ask)

    insights.gather(("views", "likes", "shares"))
    insights.require_answer()

    told = [insights.known_count(name) for name in ("views", "likes", "shares")]
    assert told == [3, 1, None]


@pytest.mark.parametrize("failure", [SILENCE, ODD], ids=repr)
def test_a_platform_that_tells_nothing_for_trouble_is_no_answer(failure: PlatformError) -> None:
    platform = Platform({}, {"views": failure, "likes": failure, "shares": failure})
    insights = Insights(platform.ask)

    insights.gather(("views", "likes", "shares"))

    with pytest.raises(type(failure)):
        insights.require_answer()


def test_a_platform_that_is_down_is_not_asked_for_everything() -> None:
    platform = Platform({}, dict.fromkeys(("views", "likes", "shares"), SILENCE))

    Insights(platform.ask).gather(("views", "likes", "shares"))

    assert platform.asked == ["views,likes,shares", "views", "likes"]


def test_metrics_that_are_all_refused_are_nothing_reported() -> None:
    insights = Insights(Platform({}, {"views": NO_SUCH}).ask)

    insights.gather(("views",))
    insights.require_answer()

    assert insights.known_count("views") is None


def test_a_post_that_is_gone_is_said_to_be() -> None:
    insights = Insights(Platform({}, {"views": GONE}).ask)

    with pytest.raises(GraphRejectedError):
        insights.gather(("views", "likes"))


def test_a_limit_ends_the_questions() -> None:
    platform = Platform({}, {"views": RateLimitedError()})

    with pytest.raises(RateLimitedError):
        Insights(platform.ask).gather(("views", "likes"))


def test_the_first_metric_that_there_is_counts() -> None:
    platform = Platform({"plays": 77, "views": 70}, {"total_plays": NO_SUCH})
    insights = Insights(platform.ask)

    assert insights.figure("total_plays", "plays", "views") == 77
    assert platform.asked == ["total_plays", "plays"]


def test_an_object_of_numbers_is_summed_up() -> None:
    insights = Insights(Platform({"reactions": {"like": 10, "love": 2}}, {}).ask)

    assert insights.figure("reactions") == 12


@pytest.mark.parametrize(
    ("value", "figure"),
    [({"COMMENT": 4, "SHARE": 6}, 4), ({"comment": 4}, 4), ({"share": 6}, 0), (9, None)],
    ids=["in capitals", "in small letters", "missing", "a plain number"],
)
def test_a_part_of_a_figure(value: Json, figure: int | None) -> None:
    row: Json = {"name": "actions", "values": [{"value": value}]}

    assert part(row, "comment") == figure
