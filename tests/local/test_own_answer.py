"""The front waits until it answers, and says once what keeps it from that."""

import pytest

from chalicelib.local.front.program import wait_for_answer

URL = "http://127.0.0.1:8000"


@pytest.mark.parametrize(("patience_s", "told"), [(0.0, 1), (60.0, 0)])
def test_a_service_that_cannot_reach_itself_says_so_once(
    capsys: pytest.CaptureFixture[str], patience_s: float, told: int
) -> None:
    """Found by hand: without a loopback device, or behind a proxy, it waited and said nothing."""
    answers = iter(["Network is unreachable", "Network is unreachable", None])

    wait_for_answer(URL, lambda: next(answers), patience_s=patience_s)

    said = f"cannot reach itself at {URL}/v1/health: Network is unreachable."
    assert capsys.readouterr().err.count(said) == told
    assert next(answers, "all asked") == "all asked"
