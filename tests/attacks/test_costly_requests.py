"""Requests that cost little to send and much to answer. Who: anybody; some need a trial key.

A cookie of 300 KB took a core for minutes (the standard library's parser squared its length), and
no thread that works on a request can be stopped. What is here costs milliseconds now.
"""

import json
import time
from http.cookies import SimpleCookie

import pytest

from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import check_caption, has_link
from chalicelib.kit.asgi.messages import Request
from chalicelib.web.messages import read_cookie
from tests.attacks.service import Neighbour, Service, Tenant
from tests.attacks.sockets import crowd, send_all, status
from tests.support.costs import A_MEGABYTE, readings_s

pytestmark = pytest.mark.costly

_MOST_READINGS = 32
"""Of a megabyte of JSON: half a second where these attacks once took minutes."""
_MEGABYTE = 980_000
COOKIES = {
    "backslashes": 'a="' + "\\" * 15_000,
    "pairs": "a=b; " * 3_000,
    "ours, endless": "goldenhour_session=" + "x" * 15_000,
    "quotes": 'a="' * 5_000,
}


@pytest.mark.parametrize("cookie", COOKIES.values(), ids=COOKIES)
@pytest.mark.parametrize("path", ["/app", "/app/sandbox", "/connect/callback"])
def test_no_cookie_costs_much(service: Service, path: str, cookie: str) -> None:
    before = service.cpu_at_rest_s()
    with crowd(service.address, 32) as clients:
        send_all(clients, f"GET {path} HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".encode())
        answers = {status(client) for client in clients}

    assert answers <= {303, 401, 200, 404, 409, 410}
    assert service.cpu_s() - before < readings_s(32 * 1.5)


@pytest.mark.parametrize("size", [17_000, 60_000, 300_000, 1_000_000])
def test_no_more_than_sixteen_kilobytes_of_headers_are_looked_at(
    service: Service, neighbour: Neighbour, size: int
) -> None:
    asked = 'GET /app HTTP/1.1\r\nHost: a\r\nCookie: a="' + "\\" * size + '"\r\n\r\n'
    before = service.cpu_at_rest_s()
    with neighbour.beside() as seen, crowd(service.address, 32) as clients:
        for client in clients:
            client.settimeout(0.2)
        send_all(clients, asked.encode())
        answers = {status(client) for client in clients}
        seen.beside = neighbour.measured()

    assert answers <= {431, None}  # None: reset while it was still sending
    assert service.cpu_s() - before < readings_s(120)
    assert seen.is_well_served, seen


def test_one_cookie_is_found_among_others() -> None:
    """As every cookie that a browser sends was read before, by the standard library."""
    sent = "first=1; goldenhour_session=abc-_.123; goldenhour_sessions=2; other"
    expected = SimpleCookie(sent.removesuffix("; other"))["goldenhour_session"].value

    request = Request(method="GET", path="/", headers={"cookie": sent})

    assert read_cookie(request, "goldenhour_session", secure=False) == expected
    assert read_cookie(request, "goldenhour_sess", secure=False) is None


_FIELDS = ("{" + ",".join(f'"{n:x}":1' for n in range(80_000)) + "}").encode()
BODIES = {
    "fields where none are taken": ("POST", "/v1/posts/" + "0" * 32 + "/publish-now", _FIELDS),
    "fields that are none": ("POST", "/v1/posts", _FIELDS),
    "wrong targets": ("POST", "/v1/posts", A_MEGABYTE),
    "a caption of brackets": (
        *("POST", "/v1/posts"),
        json.dumps({"caption": "http://a.com/" + "(" * _MEGABYTE, "targets": []}).encode(),
    ),
}


@pytest.mark.parametrize(("method", "path", "body"), BODIES.values(), ids=BODIES)
def test_no_body_of_a_megabyte_costs_much(
    service: Service, eve: Tenant, method: str, path: str, body: bytes
) -> None:
    headers = {**eve.headers, "Content-Type": "application/json"}
    eve.call("GET", "/v1/accounts")
    before = service.cpu_at_rest_s()

    answer = eve.call(method, path, data=body, headers=headers)

    assert 400 <= answer.status_code < 500
    assert service.cpu_s() - before < readings_s(_MOST_READINGS)


CAPTIONS = {
    "brackets": "http://a.com/" + "(" * _MEGABYTE,
    "pairs of brackets": "http://a.com/" + "(a" * (_MEGABYTE // 2),
    "domains": "a.com " * (_MEGABYTE // 6),
    "dots": "a.a." * (_MEGABYTE // 4),
    "families": "\U0001f468\u200d" * (_MEGABYTE // 8),
    "flags": "\U0001f1e6" * (_MEGABYTE // 4),
    "marks": "e" + "\u0301" * (_MEGABYTE // 2),
}


@pytest.mark.parametrize("platform", [Platform.THREADS, Platform.X, Platform.BLUESKY])
@pytest.mark.parametrize("caption", CAPTIONS.values(), ids=CAPTIONS)
def test_no_caption_takes_long_to_be_measured(platform: Platform, caption: str) -> None:
    has_link(Platform.X, "a.com")  # compiles what every process compiles once
    with pytest.raises(CaptionTooLong):
        check_caption(platform, "a.com " * 20_000, field="caption")
    began = time.process_time()

    with pytest.raises(CaptionTooLong):
        check_caption(platform, caption, field="caption")
    has_link(Platform.X, caption)

    assert time.process_time() - began < readings_s(_MOST_READINGS)


@pytest.mark.parametrize("line", ["CONNECT a:443", "OPTIONS *", "GET http://a/v1/health"])
def test_odd_requests_are_answered(service: Service, line: str) -> None:
    with crowd(service.address, 1) as [client]:
        client.sendall(f"{line} HTTP/1.1\r\nHost: a\r\n\r\n".encode())

        assert status(client) in (200, 400, 404, 405)


def test_two_hosts_are_one_too_many(service: Service) -> None:
    with crowd(service.address, 1) as [client]:
        client.sendall(b"GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")

        assert status(client) == 400
