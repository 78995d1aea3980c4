"""Which values and texts are a whole number, and which are none."""

import pytest

from chalicelib.kit.json_value import whole_number


@pytest.mark.parametrize(
    ("value", "number"),
    [(0, 0), (512, 512), ("0", 0), ("0512", 512), ("9" * 18, 10**18 - 1)],
)
def test_a_number_and_a_text_of_digits_are_one(value: object, number: int) -> None:
    assert whole_number(value) == number


@pytest.mark.parametrize(
    "value",
    [None, True, -1, 1.0, "", "-1", "+1", " 1", "1_000", "²", "٣", "９", [1], 10**18, "9" * 5000],  # noqa: RUF001 - the digit is meant
)
def test_anything_else_is_none(value: object) -> None:
    assert whole_number(value) is None


def test_a_number_may_have_fewer_digits_at_most() -> None:
    assert (whole_number("99", 2), whole_number("100", 2)) == (99, None)
