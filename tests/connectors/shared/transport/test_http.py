"""The way out to platforms: what missing and refusing answers mean, and what never shows."""

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.connectors.shared.transport.bodies import (
    BytesBody,
    FileBody,
    FilePart,
    FormBody,
    JsonBody,
    MultipartBody,
)
from chalicelib.connectors.shared.transport.failures import (
    ErrorEntry,
    ErrorTable,
    NotSentError,
    PlatformError,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnansweredError,
    UnlistedError,
)
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import PlatformResponse
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.fake_platform import Answer, FakePlatform, Fault, Received
from tests.connectors.support.rig import a_video
from tests.support.frozen_clock import NOON, FrozenClock

SECRET = "tok-lighthouse"
ERRORS: ErrorTable = {
    "187": ErrorEntry(FailureCode.DUPLICATE_CONTENT, "Said before."),
    "expired": FailureCode.AUTH_EXPIRED,
    "slow": FailureCode.RATE_LIMITED,
    "404": FailureCode.UNKNOWN,
    "402": ErrorEntry(FailureCode.RATE_LIMITED, "The credits are spent.", ours=True),
}


class Echo(FakePlatform):
    """Answers what it is told to, and keeps what it was sent."""

    says = Answer(200, {"id": 7})

    def answer(self, call: Received) -> Answer:
        del call
        return self.says


@pytest.fixture
def echo() -> Iterator[Echo]:
    platform = Echo()
    yield platform
    platform.close()


def _codes(response: PlatformResponse) -> list[str]:
    return [str(response.find("error")), str(response.status)]


def _http() -> PlatformHttp:
    return PlatformHttp(
        Platform.X, ERRORS, _codes, reset_header="x-rate-limit-reset", clock=FrozenClock()
    )


def _post(url: str, **more: object) -> Call:
    return Call(method="POST", url=url, token=SECRET, **more)  # type: ignore[arg-type]


def test_a_taken_call_returns_its_answer(echo: Echo) -> None:
    response = _http().send(
        _post(f"{echo.url}/posts", params={"q": "a b&c"}, body=JsonBody({"ä": 1}))
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
        _http().send(_post(echo.url))

    assert len(echo.calls) == 1


def test_a_row_of_the_table_says_code_and_sentence(echo: Echo) -> None:
    echo.says = Answer(403, {"error": "187"})

    with pytest.raises(RejectedError) as caught:
        _http().send(_post(echo.url))

    assert (caught.value.code, caught.value.message) == ("duplicate_content", "Said before.")


@pytest.mark.parametrize(("status", "logged"), [(402, ["platform.setup"]), (404, [])])
def test_what_only_the_operator_can_mend_is_logged_for_an_alarm(
    echo: Echo, caplog: pytest.LogCaptureFixture, status: int, logged: list[str]
) -> None:
    echo.says = Answer(status, {})

    with pytest.raises(PlatformError):
        _http().send(_post(echo.url))

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
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e400"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_however_it_is_said(
    echo: Echo, headers: dict[str, str], wait: timedelta | None
) -> None:
    echo.says = Answer(429, {}, headers)

    with pytest.raises(RateLimitedError) as caught:
        _http().send(_post(echo.url))

    assert caught.value.retry_after == wait


@pytest.mark.parametrize("fault", [Fault.DROP_BEFORE, Fault.DROP_AFTER], ids=str)
def test_a_cut_connection_leaves_the_call_in_doubt(echo: Echo, fault: Fault) -> None:
    echo.strike(0, fault)

    with pytest.raises(UnansweredError):
        _http().send(_post(echo.url))


def test_an_unreadable_answer_leaves_the_call_in_doubt(echo: Echo) -> None:
    echo.strike(0, Fault.GARBLED_AFTER)

    with pytest.raises(UnansweredError):
        _http().send(_post(echo.url)).text("id")


@pytest.mark.parametrize("body", [{"id": None}, {"id": ""}, {"id": True}, {"id": {}}, {}, [], 3])
def test_an_answer_without_what_must_be_there_is_unreadable(body: object) -> None:
    response = PlatformResponse(status=200, headers={}, body=repr(body).replace("'", '"').encode())

    with pytest.raises(UnansweredError):
        response.text("id")


def _closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def test_a_connection_that_was_never_made_proves_that_nothing_was_sent(echo: Echo) -> None:
    for url in (
        f"http://127.0.0.1:{_closed_port()}",
        "http://nowhere.invalid",
        echo.url.replace("http://", "https://"),
    ):
        with pytest.raises(NotSentError):
            _http().send(_post(url))


@pytest.fixture
def trickle() -> Iterator[Callable[[bytes], str]]:
    """Serve an answer whose bytes come one by one, for ever."""
    listeners: list[socket.socket] = []

    def serve(head: bytes) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def run() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65_536)
                try:
                    connection.sendall(head)
                    while True:
                        connection.sendall(b"a")
                        time.sleep(0.05)
                except OSError:
                    return

        threading.Thread(target=run, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield serve
    for listener in listeners:
        listener.close()


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
    ],
    ids=["silence", "headers", "body without end", "body"],
)
def test_a_call_ends_at_its_deadline_whatever_the_platform_does(
    trickle: Callable[[bytes], str], head: bytes
) -> None:
    url, began = trickle(head), time.monotonic()

    with pytest.raises(UnansweredError):
        _http().send(_post(url, body=JsonBody({}), deadline=timedelta(seconds=0.4)))

    assert 0.3 < time.monotonic() - began < 3


def test_a_platform_that_stops_reading_does_not_hold_a_call() -> None:
    began = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        body = FileBody(file=a_video(50_000_000), mime="video/mp4")

        with pytest.raises(UnansweredError):
            _http().send(_post(url, body=body, deadline=timedelta(seconds=0.4)))

    assert time.monotonic() - began < 3


def test_the_deadline_of_one_call_does_not_touch_the_next(echo: Echo) -> None:
    http = _http()
    for _ in range(3):
        http.send(_post(echo.url, deadline=timedelta(seconds=0.3)))
        time.sleep(0.15)

    http.send(_post(echo.url))

    assert len(echo.calls) == 4


def test_a_range_of_a_file_is_sent_as_it_is(echo: Echo) -> None:
    video = a_video(10_000)

    _http().send(
        _post(echo.url, body=FileBody(file=video, mime="video/mp4", offset=4_000, length=3_000))
    )

    (call,) = echo.calls
    assert call.headers["content-length"] == "3000"
    assert call.body == video.source.read(4_000, 3_000)


def test_the_last_range_ends_with_the_file(echo: Echo) -> None:
    body = FileBody(file=a_video(10_000), mime="video/mp4", offset=8_000, length=5_000)

    _http().send(_post(echo.url, body=body))

    assert echo.calls[0].size == 2_000


def test_parts_arrive_in_order_with_the_file_among_them(echo: Echo) -> None:
    video = a_video(70_000)
    file = FilePart("media", FileBody(file=video, mime="video/mp4"), "öven.mp4")

    _http().send(_post(echo.url, body=MultipartBody((("index", "3"), file, ("last", "ü")))))

    parts = echo.calls[0].parts
    assert [(part.name, part.filename, part.mime) for part in parts] == [
        ("index", None, None),
        ("media", "öven.mp4", "video/mp4"),
        ("last", None, None),
    ]
    assert parts[1].content == video.source.read(0, 70_000)


def test_form_fields_are_encoded(echo: Echo) -> None:
    _http().send(_post(echo.url, body=FormBody({"a": "1 & 2", "b": "ü"})))

    assert echo.calls[0].form == {"a": "1 & 2", "b": "ü"}


def test_nothing_is_followed_repeated_or_remembered(echo: Echo) -> None:
    http = _http()
    echo.says = Answer(200, {}, {"Set-Cookie": "session=1"})
    http.send(_post(echo.url))
    http.send(_post(echo.url))

    assert [call.headers.get("cookie") for call in echo.calls] == [None, None]


def test_a_status_that_the_caller_takes_is_an_answer(echo: Echo) -> None:
    echo.says = Answer(308, None, {"Range": "bytes=0-9"})

    response = _http().send(_post(echo.url, takes=frozenset({308})))

    assert (response.status, response.headers["range"]) == (308, "bytes=0-9")


def test_no_part_of_a_call_shows_in_what_goes_wrong_with_it(
    echo: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    shown = []
    with caplog.at_level(logging.DEBUG):
        for fault in Fault:
            echo.strike(0, fault)
            call = _post(
                f"{echo.url}/upload?token={SECRET}",
                params={"access_token": SECRET},
                headers={"X-Key": SECRET},
                body=BytesBody(SECRET.encode(), "text/plain"),
            )
            shown.append(repr(call))
            try:
                shown.append(repr(_http().send(call)))
            except PlatformError as error:
                shown.append(repr(error))
                logging.getLogger("test").exception("It went wrong.")
    with pytest.raises(NotSentError) as caught:
        _http().send(_post(f"http://127.0.0.1:{_closed_port()}/x?token={SECRET}"))
    shown.append(repr(caught.value))

    assert SECRET not in caplog.text
    assert SECRET not in "\n".join(shown)


def test_a_clock_with_an_offset_reads_epochs_right() -> None:
    clock = FrozenClock(datetime.fromtimestamp(int(EPOCH), UTC))
    http = PlatformHttp(Platform.X, {}, _codes, reset_header="reset", clock=clock)

    error = http.read_error(PlatformResponse(status=429, headers={"reset": EPOCH}, body=b""))

    assert isinstance(error, RateLimitedError)
    assert error.retry_after == timedelta(0)
