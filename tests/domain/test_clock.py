"""How long a waiting thread sleeps before it looks at a clock again: never through a step."""

from datetime import timedelta

import pytest

from chalicelib.domain.clock import nap_s


@pytest.mark.parametrize(
    ("left_s", "expected"),
    [
        (-43_200.0, 0.0),
        (0.0, 0.0),
        (0.000_001, 0.000_001),
        (0.25, 0.25),
        (0.999_999, 0.999_999),
        (1.0, 1.0),
        (1.000_001, 1.0),
        (900.0, 1.0),
        (43_200.0, 1.0),
    ],
)
def test_a_nap_lasts_until_the_moment_and_at_most_a_second(left_s: float, expected: float) -> None:
    assert nap_s(timedelta(seconds=left_s)) == expected
