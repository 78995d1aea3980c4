"""The front as an ASGI app, for what real servers keep from it: odd messages and odd orders."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.api.doors.front import StreamedFiles, create_front
from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import FileMissing
from chalicelib.http.messages import json_response
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.exchange import AsgiApp, Message
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.services.app.signed_in import SignedIn
from chalicelib.web.pages import media
from chalicelib.web.session_gatekeeper import SessionGatekeeper
from tests.api.doors.forms import FORM_TYPE
from tests.api.http.pipelines import KEY, NOW, StubServices, a_pipeline
from tests.support.media_rooms import MediaRooms


@pytest.fixture
def app(rooms: MediaRooms) -> AsgiApp:
    files = StreamedFiles(library=rooms.library, pulled=rooms.pulled)
    return create_front(
        a_pipeline(*every_endpoint(), parts={"library": rooms.library}), files, echoed
    )


def echoed(request: Request) -> Response:
    return json_response(200, {"path": request.path, "query": dict(request.query)})


def served(
    app: AsgiApp, scope: dict[str, Any], messages: Sequence[Message] = ()
) -> tuple[int, list[Message]]:
    """Run one request; return its status and everything that was sent."""
    waiting = [*messages, {"type": "http.disconnect"}]
    sent: list[Message] = []

    async def receive() -> Message:
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    async def send(message: Message) -> None:
        sent.append(message)

    whole = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    asyncio.run(app({**whole, **scope}, receive, send))
    return sent[0]["status"], sent


def an_upload(**headers: str) -> dict[str, Any]:
    all_of_them = {"authorization": f"Bearer {KEY}", "content-type": FORM_TYPE, **headers}
    encoded = [(n.replace("_", "-").encode(), v.encode()) for n, v in all_of_them.items()]
    return {"method": "POST", "path": "/v1/media", "headers": encoded}


def test_two_lengths_are_a_bad_request(app: AsgiApp) -> None:
    status, sent = served(app, an_upload(content_length="5", transfer_encoding="chunked"))

    assert status == 400
    assert b"bad_request" in b"".join(one.get("body", b"") for one in sent)


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        ["post.example", "post.example"],
        ["a b"],
        ['a"b'],
        ["a\x01b"],
        ["post.example/app"],
        ["somebody@post.example"],
        ["post.example:99999"],
        ["post.example:port"],
        ["x" * 254],
        ["ä.example"],
        ["[::1"],
        [""],
    ],
    ids=ascii,
)
def test_a_host_that_is_none_is_a_bad_request(app: AsgiApp, hosts: list[str]) -> None:
    """RFC 9112, 3.2."""
    headers = [(b"host", host.encode()) for host in hosts]

    status, _ = served(app, {"http_version": "1.1", "path": "/v1/health", "headers": headers})

    assert status == 400


@pytest.mark.parametrize(
    "host", ["post.example", "localhost:8000", "127.0.0.1:65535", "[::1]:8000", "upload_front.int"]
)
def test_a_host_by_any_name_is_served(app: AsgiApp, host: str) -> None:
    headers = [(b"host", host.encode())]

    status, _ = served(app, {"http_version": "1.1", "path": "/v1/health", "headers": headers})

    assert status == 200


def test_a_refusal_is_whole_only_once_the_client_has_stopped(app: AsgiApp) -> None:
    scope = an_upload(authorization="Bearer wrong", content_length="3")
    body = {"type": "http.request", "body": b"abc", "more_body": True}

    status, sent = served(app, scope, [body])

    assert status == 401
    assert [len(one["body"]) == 1 for one in sent[1:]] == [False, True]
    assert [one["more_body"] for one in sent[1:]] == [True, False]


class FailingSessions:
    """Sessions that cannot be read."""

    def __init__(self, failure: Exception) -> None:
        self._failure = failure

    def read(self, cookie: str | None, *, client: str) -> SignedIn | None:
        assert (cookie, client) == (None, "")
        raise self._failure


def an_app_over(sessions: FailingSessions) -> Pipeline:
    services = cast("Deployment", StubServices(parts={"sessions": sessions, "clock": lambda: NOW}))
    pages = SessionGatekeeper(services, [media.upload], base_url="http://here", public_url=None)
    return Pipeline(KeyGatekeeper(services, every_endpoint(), clock=lambda: NOW), lambda: pages)


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (EndpointConnectionError(endpoint_url="http://127.0.0.1"), 503),
        (FileMissing(), 422),
        (ValueError(), 500),
    ],
    ids=["the store is silent", "the form is refused", "a failure of ours"],
)
def test_an_upload_of_a_page_is_refused_as_one_by_key(
    rooms: MediaRooms, failure: Exception, expected: int
) -> None:
    files = StreamedFiles(library=rooms.library, pulled=rooms.pulled)
    app = create_front(an_app_over(FailingSessions(failure)), files, echoed)

    status, _ = served(app, {**an_upload(content_length="5"), "path": "/app/media"})

    assert status == expected


def test_a_client_that_vanishes_at_once_leaves_nothing(app: AsgiApp, rooms: MediaRooms) -> None:
    status, _ = served(app, an_upload(content_length="5000000"))

    assert status == 422
    assert rooms.is_empty()


def test_a_path_arrives_as_it_was_encoded_and_its_query_apart(app: AsgiApp) -> None:
    scope = {"path": "/v1/a b", "raw_path": b"/v1/a%20b", "query_string": b"q=%C3%A9&q=2&n="}

    _, sent = served(app, scope)

    assert sent[1]["body"] == b'{"path":"/v1/a%20b","query":{"q":["\xc3\xa9","2"],"n":[""]}}'


def test_the_app_says_when_it_has_started_and_stopped(app: AsgiApp) -> None:
    waiting = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent: list[str] = []

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message["type"])

    asyncio.run(app({"type": "lifespan"}, receive, send))

    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
