"""Days as stacked bars."""

from datetime import date, timedelta

import pytest

from chalicelib.domain.analytics.metrics import Counts, DaySums
from chalicelib.domain.platforms.platform import Platform
from chalicelib.web.forms.bars import bars

FIRST = date(2026, 11, 20)


def a_day(**views: int) -> DaySums:
    by_platform = {Platform(name): count for name, count in views.items()}
    return DaySums(posts=1, counts=Counts(), views_by_platform=by_platform)


def test_what_was_seen_most_stands_lowest_and_the_line_is_the_days_before() -> None:
    days = {FIRST: a_day(x=300, linkedin=100), FIRST + timedelta(1): a_day(x=200)}

    drawn = bars(days, [a_day(x=400), a_day()], {Platform.X: 1, Platform.LINKEDIN: 2})

    assert [said for _, said in drawn.heights] == ["100", "200", "300", "400"]
    assert [(bar.hue, bar.height) for bar in drawn.bars] == [(1, 130), (2, 42), (1, 86)]
    assert drawn.bars[1].y < drawn.bars[0].y
    assert drawn.before == "M277.0 20.5 743.0 196.5"
    assert [said for _, said in drawn.days] == ["20 Nov", "21 Nov"]


@pytest.mark.parametrize(
    ("span", "named"),
    [
        pytest.param(7, ["20 Nov", "21 Nov", "22 Nov", "23 Nov", "24 Nov", "25 Nov", "26 Nov"]),
        pytest.param(28, ["20 Nov", "27 Nov", "4 Dec", "11 Dec", "17 Dec"]),
        pytest.param(90, ["20 Nov", "4 Dec", "18 Dec", "1 Jan", "15 Jan", "29 Jan", "17 Feb"]),
    ],
)
def test_weeks_are_named_by_their_first_day_and_the_last_day_too(
    span: int, named: list[str]
) -> None:
    days = {FIRST + timedelta(ahead): a_day() for ahead in range(span)}

    drawn = bars(days, [], {})

    assert [said for _, said in drawn.days] == named


def test_days_that_nobody_saw_are_drawn_too() -> None:
    drawn = bars({FIRST: a_day()}, [a_day()], {})

    assert not drawn.bars
    assert drawn.before == ""
