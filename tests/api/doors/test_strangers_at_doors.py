"""Whoever is not known to be signed in waits in the crowd, at every door that there is."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from chalicelib.api.doors.crowd import Crowd, Door, ResultT, strangers
from chalicelib.api.doors.front import StreamedFiles, create_front
from chalicelib.api.paths import every_endpoint
from chalicelib.domain.workspace.key_form import make_key
from chalicelib.http.messages import json_response
from chalicelib.kit.asgi.exchange import AsgiApp, Message
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.local.docs_site import DocsSite
from chalicelib.web.messages import SESSION_COOKIE
from chalicelib.web.routes import ROUTES as PAGES
from tests.api.doors.forms import FORM_TYPE
from tests.api.http_room import Room
from tests.web.browser import both

ID = "0" * 32
NOWHERE = (
    ("GET", "/v1/nothing"),
    ("GET", "/app/nothing"),
    ("GET", f"/v1/pulled/{ID}/oven.mp4"),
    ("HEAD", f"/v1/pulled/{ID}/oven.mp4"),
    ("PUT", f"/v1/uploads/{ID}/{ID}"),
    ("DELETE", "/v1/health"),
)
DOORS = sorted(
    {(one.method, one.path) for one in every_endpoint()}
    | {(one.method, one.path) for one in PAGES}
    | set(NOWHERE)
)
MADE_UP: Mapping[str, Mapping[str, str]] = {
    "nothing": {},
    "a key": {"authorization": f"Bearer {make_key()}"},
    "a session": {"cookie": f"{SESSION_COOKIE}={ID}.{ID}.{ID}.{ID}"},
}


class WatchedCrowd(Crowd):
    """Counts whom it lets wait at which door, and who passes as a caller."""

    waited: list[Door]
    passed: int

    @classmethod
    def made(cls) -> "WatchedCrowd":
        crowd = cls(strangers()._pool)
        crowd.waited, crowd.passed = [], 0
        return crowd

    @contextmanager
    def caller(self) -> Iterator[None]:
        self.passed += 1
        with super().caller():
            yield

    async def answer(self, work: Callable[[], ResultT], door: Door = Door.PAGES) -> ResultT:
        self.waited.append(door)
        return await super().answer(work, door)


def echoed(request: Request) -> Response:
    return json_response(200, {"path": request.path})


def a_front(room: Room, crowd: Crowd, answer: Callable[[Request], Response] = echoed) -> AsgiApp:
    media = room.house.deployment.media
    files = StreamedFiles(
        library=media.library, pulled=media.pulled_files, direct=media.direct_uploads
    )
    return create_front(both(room.house.deployment), files, answer, crowd)


def come(app: AsgiApp, method: str, path: str, headers: Mapping[str, str]) -> int:
    """Ask as a browser or program would, a form with a short body; return the status."""
    sent: list[Message] = []
    length = {"content-length": "3"} if method in ("POST", "PUT", "PATCH") else {}
    all_of_them = {"host": "127.0.0.1:8000", "content-type": FORM_TYPE, **length, **headers}
    body: list[Message] = [{"type": "http.request", "body": b"a=b" if length else b""}]

    async def receive() -> Message:
        return body.pop() if body else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": b""}
    encoded = [(name.encode(), value.encode()) for name, value in all_of_them.items()]
    asyncio.run(app({**scope, "headers": encoded}, receive, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize("shown", MADE_UP)
def test_whatever_is_made_up_waits_in_the_crowd_at_every_door(room: Room, shown: str) -> None:
    crowd = WatchedCrowd.made()
    app = a_front(room, crowd)

    for method, template in DOORS:
        before = len(crowd.waited)
        come(app, method, _filled(template), MADE_UP[shown])
        assert len(crowd.waited) > before, f"{method} {template} is a way around"

    assert crowd.passed == 0
    assert set(crowd.waited) >= {Door.PAGES, Door.FILES, Door.MONITORS}


def test_a_body_that_is_announced_as_too_long_is_no_way_around(room: Room) -> None:
    crowd = WatchedCrowd.made()
    app = a_front(room, crowd)

    come(app, "POST", "/v1/posts", {"content-length": "2000000", **MADE_UP["a key"]})
    come(app, "POST", "/app/passkeys/question", {"content-length": "2000000"})

    assert crowd.waited == [Door.UNKNOWN, Door.PAGES, Door.PAGES]  # the last: a page refuses it


def test_a_key_passes_once_it_let_somebody_in(room: Room) -> None:
    crowd = WatchedCrowd.made()
    pipeline = both(room.house.deployment)
    media = room.house.deployment.media
    files = StreamedFiles(library=media.library, pulled=media.pulled_files)
    app = create_front(pipeline, files, pipeline.answer, crowd)
    key = {"authorization": f"Bearer {room.key}"}

    statuses = [come(app, "GET", "/v1/accounts", key) for _ in range(3)]

    assert statuses == [200] * 3
    assert (crowd.waited, crowd.passed) == ([Door.UNKNOWN], 2)


def test_the_books_wait_in_the_crowd_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    crowd, site = WatchedCrowd.made(), tmp_path_factory.mktemp("site")
    (site / "index.html").write_text("a book")

    async def nobody(*_: object) -> None:
        raise AssertionError("this is no path of the books")

    assert come(DocsSite(nobody, crowd, site), "GET", "/docs/", {}) == 200
    assert crowd.waited == [Door.PAGES]


def _filled(template: str) -> str:
    return "/".join(ID if part.startswith("{") else part for part in template.split("/"))
