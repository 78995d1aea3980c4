"""Which address a request came from before the proxies: RFC 7239 section 5.2's older header.

Each trusted proxy adds who reached it, so that the nth from the end is worth believing, and what
stands further left is not (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/
RequestAndResponseBehaviorCustomOrigin.html "Client IP addresses").
"""

import pytest

from chalicelib.kit.asgi.forwarded import client_address, from_proxies

VIEWER, EDGE = "192.0.2.7", "203.0.113.5"


@pytest.mark.parametrize(
    ("said", "proxies", "client"),
    [
        (VIEWER, 1, VIEWER),
        (f"6.6.6.6, {VIEWER}", 1, VIEWER),
        (f"{VIEWER}, {EDGE}", 2, VIEWER),
        (f"6.6.6.6,{VIEWER},{EDGE}", 2, VIEWER),
        ("2001:db8::9", 1, "2001:db8::9"),
        (EDGE, 2, ""),
        ("", 1, ""),
        ("unknown", 1, ""),
        ("<script>", 1, ""),
    ],
)
def test_the_first_trusted_proxy_is_believed(said: str, proxies: int, client: str) -> None:
    assert client == client_address({"x-forwarded-for": said}, proxies)


def test_several_headers_are_one_list_and_a_request_without_one_stays_as_it_is() -> None:
    twice = [(b"x-forwarded-for", b"6.6.6.6"), (b"X-Forwarded-For", VIEWER.encode())]

    named = from_proxies({"client": (EDGE, 44), "headers": twice}, 1)
    plain = from_proxies({"client": (EDGE, 44), "headers": []}, 1)

    assert ((VIEWER, 0), (EDGE, 44)) == (named["client"], plain["client"])
