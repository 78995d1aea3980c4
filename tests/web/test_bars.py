"""Days as stacked bars."""

from datetime import date, timedelta

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


def test_days_that_nobody_saw_are_drawn_too() -> None:
    drawn = bars({FIRST: a_day()}, [a_day()], {})

    assert not drawn.bars
    assert drawn.before == ""
