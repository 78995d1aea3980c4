"""Words in a caption steer a test account, whatever somebody types behind them."""

from datetime import timedelta

import pytest

from chalicelib.domain.platforms.sandbox import sandbox_words


@pytest.mark.parametrize("digits", [6, 5_000])
def test_a_number_of_any_length_is_a_day_at_most(digits: int) -> None:
    assert sandbox_words(f"sandbox:slow:{'9' * digits}").seconds("slow") == timedelta(days=1)
