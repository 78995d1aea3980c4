"""A time that a database or a calendar wrote was refused, though it is ISO 8601."""

from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter, ValidationError

from chalicelib.api.http.fields import Moment

READ: TypeAdapter[datetime] = TypeAdapter(Moment)


@pytest.mark.parametrize(
    "text",
    [
        "2030-01-31 09:00:00+01",
        "2030-01-31 09:00:00.000000+01",
        "2030-01-31 05:00:00-03",
        "2030-01-31 09:00+01",
        "20300131T080000Z",
        "20300131T0900+0100",
        "20300131T090000+01",
        "20300131T090000+01:00",
        "2030-01-31 09:00:00 +0100",
        "2030-01-31T13:30:00+05:30",
    ],
)
def test_a_time_of_postgresql_or_in_the_basic_format_is_taken(text: str) -> None:
    """PostgreSQL's manual 8.5.2 (timestamptz as text); ISO 8601-1:2019, 5.4.2.1 and 4.3.13."""
    assert datetime(2030, 1, 31, 8, tzinfo=UTC) == READ.validate_python(text)


@pytest.mark.parametrize(
    "text",
    [
        "2030-01-31 09:00:00",
        "20300131T0900",
        "20300131",
        "20301331T080000Z",
        "20300131T250000Z",
        "2030-01-31 09:00:00+25",
        "1900000000",
        "2030-01-31 09:00:00+1",
    ],
)
def test_what_is_no_moment_is_still_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        READ.validate_python(text)
