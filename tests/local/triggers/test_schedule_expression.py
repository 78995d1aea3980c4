"""When rules fire: EventBridge's expressions, in UTC."""

from datetime import UTC, datetime

import pytest

from chalicelib.local.triggers.schedules import UnknownSchedule, next_run

SATURDAY = datetime(2026, 11, 21, 10, 30, 15, tzinfo=UTC)

CASES = {
    "rate(1 minute)": datetime(2026, 11, 21, 10, 31, 15, tzinfo=UTC),
    "rate(5 minutes)": datetime(2026, 11, 21, 10, 35, 15, tzinfo=UTC),
    "rate(1 day)": datetime(2026, 11, 22, 10, 30, 15, tzinfo=UTC),
    "cron(0 3 * * ? *)": datetime(2026, 11, 22, 3, 0, tzinfo=UTC),
    "cron(31 10 * * ? *)": datetime(2026, 11, 21, 10, 31, tzinfo=UTC),
    "cron(0/20 * * * ? *)": datetime(2026, 11, 21, 10, 40, tzinfo=UTC),
    "cron(15 9 ? * MON-FRI *)": datetime(2026, 11, 23, 9, 15, tzinfo=UTC),
    "cron(0 0 29 FEB ? *)": datetime(2028, 2, 29, 0, 0, tzinfo=UTC),
    "cron(0 12 1,15 * ? 2027)": datetime(2027, 1, 1, 12, 0, tzinfo=UTC),
}


@pytest.mark.parametrize(("expression", "due"), CASES.items(), ids=CASES)
def test_a_rule_fires_next_at(expression: str, due: datetime) -> None:
    assert next_run(expression, SATURDAY) == due


@pytest.mark.parametrize(
    "expression", ["rate(1 week)", "cron(61 * * * ? *)", "cron(0 0 L * ? *)", "at noon", ""]
)
def test_an_expression_that_cannot_be_played_is_refused(expression: str) -> None:
    with pytest.raises(UnknownSchedule):
        next_run(expression, SATURDAY)
