"""Messages to browsers: sealed as RFC 8291 says, signed as RFC 8292 says, to public hosts alone."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from jwt import InvalidAudienceError

from chalicelib.connectors.shared.push_encryption import encrypt, encrypt_with
from chalicelib.connectors.shared.web_push import WebPush
from chalicelib.domain.workspace.notices import Matter, NoticeKind
from chalicelib.domain.workspace.push import Browser, BrowserGone, NotPushed, message_of
from chalicelib.kit.transport.guarded import GuardedFetch
from tests.support.frozen_clock import NOON, FrozenClock
from tests.support.push_service import (
    PlayedBrowser,
    PushService,
    a_push_service,
    base64_of,
    unbase64,
)

KEY = base64_of((12_345).to_bytes(32, "big"))
MESSAGE = message_of(
    NoticeKind.FAILED, [Matter(id="1", sentence="“Rye” failed.", path="/app/posts/1")], "Bakery"
)


@pytest.fixture
def service() -> Iterator[PushService]:
    with a_push_service() as running:
        yield running


@pytest.fixture
def push(service: PushService) -> WebPush:
    return a_push(frozenset({service.origin}))


def a_push(trusted: frozenset[str] = frozenset()) -> WebPush:
    clock = FrozenClock(NOON)
    fetch = GuardedFetch(trusted)
    return WebPush(fetch, key=lambda: KEY, contact="https://post.example", clock=clock)


def a_browser(address: str, played: PlayedBrowser) -> Browser:
    return Browser(
        id="b",
        workspace_id="w",
        member_id="m",
        person_id="p",
        session_since=NOON,
        address=address,
        key=played.key,
        secret=played.secret,
        device="Firefox",
        created_at=NOON,
    )


def test_the_example_of_rfc_8291_comes_out_to_the_byte() -> None:
    """RFC 8291, section 5 and appendix A."""
    own = unbase64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")

    sealed = encrypt_with(
        b"When I grow up, I want to be a watermelon",
        browser_key=unbase64(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ),
        browser_secret=unbase64("BTBZMqHH6r4Tts7J_aSIgg"),
        own_key=derive_private_key(int.from_bytes(own, "big"), SECP256R1()),
        salt=unbase64("DGv6ra1nlYgDCS1FRnbzlw"),
    )

    assert base64_of(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
        "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
        "y4a-fN"
    )


@pytest.mark.parametrize("length", [0, 1, 100, 3_000])
def test_another_implementation_opens_what_is_sealed_and_no_two_are_alike(length: int) -> None:
    played, text = PlayedBrowser(), b"x" * length
    key, secret = unbase64(played.key), unbase64(played.secret)

    one, two = (encrypt(text, browser_key=key, browser_secret=secret) for _ in range(2))

    opened = http_ece.decrypt(one, private_key=played._private, auth_secret=secret)
    assert text == opened
    assert one != two


def test_a_message_comes_signed_by_the_key_for_this_service_alone(
    push: WebPush, service: PushService
) -> None:
    played = PlayedBrowser()

    push.send(a_browser(service.address(), played), MESSAGE)

    (came,) = service.pushed
    claims = came.claims(service.origin)
    ends_at = NOON + timedelta(hours=1)
    assert claims == {
        "aud": service.origin,
        "exp": int(ends_at.timestamp()),
        "sub": "https://post.example",
    }
    with pytest.raises(InvalidAudienceError):
        came.claims("https://elsewhere.example")
    assert (came.headers["content-encoding"], came.headers["ttl"]) == ("aes128gcm", "43200")
    told = played.opens(came.body)
    assert told == {
        "title": "Not posted: Bakery",
        "body": "“Rye” failed.",
        "path": "/app/posts/1",
        "tag": "failed",
    }


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_its_service_no_longer_knows_is_gone(
    push: WebPush, service: PushService, status: int
) -> None:
    service.answer = (status, {})

    with pytest.raises(BrowserGone):
        push.send(a_browser(service.address(), PlayedBrowser()), MESSAGE)


@pytest.mark.parametrize(
    ("status", "headers", "wait"),
    [
        (429, {"Retry-After": "120"}, timedelta(minutes=2)),
        (503, {"Retry-After": "Fri, 20 Nov 2026 13:00:00 GMT"}, timedelta(hours=1)),
        (500, {"Retry-After": "soon"}, None),
        (503, {"Retry-After": "Mon, 1 Jan 99999999999999999999 00:00:00 GMT"}, None),
        (201, {"Content-Length": "9" * 5_000}, None),
        (403, {}, None),
        (307, {"Location": "http://127.0.0.1:1/elsewhere"}, None),
    ],
)
def test_what_a_service_does_not_take_is_told_with_how_long_it_wants_to_be_let_alone(
    push: WebPush,
    service: PushService,
    status: int,
    headers: dict[str, str],
    wait: timedelta | None,
) -> None:
    service.answer = (status, headers)

    with pytest.raises(NotPushed) as refused:
        push.send(a_browser(service.address(), PlayedBrowser()), MESSAGE)

    assert wait == refused.value.retry_after
    assert len(service.pushed) == 1


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/send",
        "https://localhost/send",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/send",
        "https://10.0.0.1:8443/send",
        "https://2130706433/send",
        "http://push.example/send",
        "https://ada@push.example/send",
        "file:///etc/passwd",
    ],
)
def test_nothing_is_sent_to_a_private_network(service: PushService, address: str) -> None:
    with pytest.raises(BrowserGone):
        a_push().send(a_browser(address, PlayedBrowser()), MESSAGE)
    with pytest.raises(BrowserGone):
        a_push().send(a_browser(service.address(), PlayedBrowser()), MESSAGE)

    assert service.pushed == []


def test_a_service_that_is_away_is_asked_again() -> None:
    with a_push_service() as service:
        address = service.address()

    with pytest.raises(NotPushed):
        a_push(frozenset({service.origin})).send(a_browser(address, PlayedBrowser()), MESSAGE)


def test_keys_that_are_no_point_of_the_curve_make_a_browser_that_is_gone(
    push: WebPush, service: PushService
) -> None:
    broken = replace(
        a_browser(service.address(), PlayedBrowser()), key=base64_of(b"\x04" + b"\x01" * 64)
    )

    with pytest.raises(BrowserGone):
        push.send(broken, MESSAGE)


def test_a_message_stays_below_what_a_service_must_take_and_has_no_text_of_a_post() -> None:
    matters = [
        Matter(id=str(n), sentence=f"Post “{'𝄞' * 60}” now. The text:\n\nsecret {n}", path="/app")
        for n in range(500)
    ]

    told = message_of(NoticeKind.REMINDER, matters, "🥖" * 5_000).to_bytes()

    assert len(told) < 3_000
    assert "secret" not in told.decode()
    assert "The text" not in told.decode()
    assert "And 497 more." in json.loads(told)["body"]
