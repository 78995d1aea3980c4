"""A place from which somebody signs in: a network and a browser."""

import pytest

from chalicelib.domain.workspace.places import place_of


@pytest.mark.parametrize(
    ("client", "same"),
    [
        ("192.0.2.99", True),
        ("192.0.3.7", False),
        ("::ffff:192.0.2.7", False),
        ("nonsense", False),
    ],
)
def test_a_place_is_a_network_and_a_browser(client: str, *, same: bool) -> None:
    assert same == (
        place_of("192.0.2.7", "Firefox on Linux") == place_of(client, "Firefox on Linux")
    )


def test_a_place_of_ipv6_is_a_customers_network() -> None:
    assert place_of("2001:db8:1::1", "x") == place_of("2001:db8:1:ffff::9", "x")
    assert place_of("2001:db8:1::1", "x") != place_of("2001:db8:2::1", "x")
    assert place_of("2001:db8:1::1", "x") != place_of("2001:db8:1::1", "y")
