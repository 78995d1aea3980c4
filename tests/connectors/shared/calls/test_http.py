"""The way out to platforms: what missing and refusing answers mean, and what never shows."""

import logging
import socket
from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnlistedError,
)
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.bodies import (
    BytesBody,
    FileBody,
    FilePart,
    FormBody,
    JsonBody,
    MultipartBody,
)
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.shared.calls.echo import SECRET, Echo, a_call, an_http, codes
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.support.rig import a_video
from tests.support.frozen_clock import NOON, FrozenClock


def test_a_taken_call_returns_its_answer(echo: Echo) -> None:
    response = an_http().send(
        a_call(f"{echo.url}/posts", params={"q": "a b&c"}, body=JsonBody({"ä": 1}))
    )

    (call,) = echo.calls
    assert response.text("id") == "7"
    assert (call.name, call.query, call.json) == ("POST /posts", {"q": "a b&c"}, {"ä": 1})
    assert call.headers["authorization"] == f"Bearer {SECRET}"
    assert call.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        (Answer(403, {"error": "187"}), RejectedError),
        (Answer(401, {"error": "expired"}), TokenRejectedError),
        (Answer(403, {"error": "slow"}), RateLimitedError),
        (Answer(429, {}), RateLimitedError),
        (Answer(404, {"error": "else"}), RejectedError),
        (Answer(418, {"error": "else"}), UnlistedError),
        (Answer(302, None, {"Location": "/elsewhere"}), UnlistedError),
        (Answer(500, {"error": "187"}), UnansweredError),
        (Answer(503, b"<html>"), UnansweredError),
        (Answer(408, {}), UnansweredError),
    ],
)
def test_a_refusal_is_looked_up_by_its_code(
    echo: Echo, answer: Answer, raised: type[PlatformError]
) -> None:
    echo.says = answer

    with pytest.raises(raised):
        an_http().send(a_call(echo.url))

    assert len(echo.calls) == 1


def test_a_row_of_the_table_says_code_and_sentence(echo: Echo) -> None:
    echo.says = Answer(403, {"error": "187"})

    with pytest.raises(RejectedError) as caught:
        an_http().send(a_call(echo.url))

    assert (caught.value.code, caught.value.message) == ("duplicate_content", "Said before.")


@pytest.mark.parametrize(("status", "logged"), [(402, ["platform.setup"]), (404, [])])
def test_what_only_the_operator_can_mend_is_logged_for_an_alarm(
    echo: Echo, caplog: pytest.LogCaptureFixture, status: int, logged: list[str]
) -> None:
    echo.says = Answer(status, {})

    with pytest.raises(PlatformError):
        an_http().send(a_call(echo.url))

    assert logged == [getattr(record, "action", None) for record in caplog.records]
    assert SECRET not in caplog.text


EPOCH = str(int((NOON + timedelta(minutes=9)).timestamp()))


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, timedelta(seconds=7)),
        ({"Retry-After": "Fri, 20 Nov 2026 12:05:00 GMT"}, timedelta(minutes=5)),
        ({"Retry-After": "Fri, 20 Nov 2026 11:05:00 GMT"}, timedelta(0)),
        ({"x-rate-limit-reset": EPOCH}, timedelta(minutes=9)),
        ({"x-rate-limit-reset": "33.5"}, timedelta(seconds=33.5)),
        ({"Retry-After": "2", "x-rate-limit-reset": EPOCH}, timedelta(seconds=2)),
        ({"Retry-After": "Friday, 20-Nov-26 12:05:00 GMT"}, timedelta(minutes=5)),
        ({"Retry-After": "Fri Nov 20 12:05:00 2026"}, timedelta(minutes=5)),
        ({"Retry-After": "Fri, 31 Dec 9999 23:59:59 -1200"}, timedelta(days=365 * 32)),
        ({"x-rate-limit-reset": "253402300799"}, timedelta(days=365 * 32)),
        ({"Retry-After": "-1e308"}, timedelta(0)),
        ({"Retry-After": "5, 10"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e400"}, None),
        ({"x-rate-limit-reset": f"{EPOCH}000"}, None),  # milliseconds
        ({"Retry-After": "9" * 30}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_however_it_is_said(
    echo: Echo, headers: dict[str, str], wait: timedelta | None
) -> None:
    """RFC 9110, 5.6.7 and 10.2.3: dates have three forms. No sum with one leaves the calendar."""
    echo.says = Answer(429, {}, headers)

    with pytest.raises(RateLimitedError) as caught:
        an_http().send(a_call(echo.url))

    assert caught.value.retry_after == wait


def _closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def test_a_range_of_a_file_is_sent_as_it_is(echo: Echo) -> None:
    video = a_video(10_000)

    an_http().send(
        a_call(echo.url, body=FileBody(file=video, mime="video/mp4", offset=4_000, length=3_000))
    )

    (call,) = echo.calls
    assert call.headers["content-length"] == "3000"
    assert call.body == video.source.read(4_000, 3_000)


def test_the_last_range_ends_with_the_file(echo: Echo) -> None:
    body = FileBody(file=a_video(10_000), mime="video/mp4", offset=8_000, length=5_000)

    an_http().send(a_call(echo.url, body=body))

    assert echo.calls[0].size == 2_000


def test_parts_arrive_in_order_with_the_file_among_them(echo: Echo) -> None:
    video = a_video(70_000)
    file = FilePart("media", FileBody(file=video, mime="video/mp4"), "öven.mp4")

    an_http().send(a_call(echo.url, body=MultipartBody((("index", "3"), file, ("last", "ü")))))

    parts = echo.calls[0].parts
    assert [(part.name, part.filename, part.mime) for part in parts] == [
        ("index", None, None),
        ("media", "öven.mp4", "video/mp4"),
        ("last", None, None),
    ]
    assert parts[1].content == video.source.read(0, 70_000)


def test_form_fields_are_encoded(echo: Echo) -> None:
    an_http().send(a_call(echo.url, body=FormBody({"a": "1 & 2", "b": "ü"})))

    assert echo.calls[0].form == {"a": "1 & 2", "b": "ü"}


def test_nothing_is_followed_repeated_or_remembered(echo: Echo) -> None:
    http = an_http()
    echo.says = Answer(200, {}, {"Set-Cookie": "session=1"})
    http.send(a_call(echo.url))
    http.send(a_call(echo.url))

    assert [call.headers.get("cookie") for call in echo.calls] == [None, None]


def test_a_status_that_the_caller_takes_is_an_answer(echo: Echo) -> None:
    echo.says = Answer(308, None, {"Range": "bytes=0-9"})

    response = an_http().send(a_call(echo.url, takes=frozenset({308})))

    assert (response.status, response.headers["range"]) == (308, "bytes=0-9")


def test_no_part_of_a_call_shows_in_what_goes_wrong_with_it(
    echo: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    shown = []
    with caplog.at_level(logging.DEBUG):
        for fault in Fault:
            echo.strike(0, fault)
            call = a_call(
                f"{echo.url}/upload?token={SECRET}",
                params={"access_token": SECRET},
                headers={"X-Key": SECRET},
                body=BytesBody(SECRET.encode(), "text/plain"),
            )
            shown.append(repr(call))
            try:
                shown.append(repr(an_http().send(call)))
            except PlatformError as error:
                shown.append(repr(error))
                logging.getLogger("test").exception("It went wrong.")
    with pytest.raises(NotSentError) as caught:
        an_http().send(a_call(f"http://127.0.0.1:{_closed_port()}/x?token={SECRET}"))
    shown.append(repr(caught.value))

    assert SECRET not in caplog.text
    assert SECRET not in "\n".join(shown)


def test_a_clock_with_an_offset_reads_epochs_right() -> None:
    clock = FrozenClock(datetime.fromtimestamp(int(EPOCH), UTC))
    http = PlatformHttp(Platform.X, {}, codes, reset_header="reset", clock=clock)

    error = http.read_error(PlatformResponse(status=429, headers={"reset": EPOCH}, body=b""))

    assert isinstance(error, RateLimitedError)
    assert error.retry_after == timedelta(0)
