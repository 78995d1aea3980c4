"""One request of every endpoint, ready to be sent: what it is about is made beforehand.

`round_trip_table` measures them, the test of a deployment sends them through its functions, and
`test_matrix_of_workspaces` sends their bodies to what is another workspace's. A case's `prepare` is
a function of a room that returns the request; its path may have a query.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex

from PIL import Image

from tests.api.http_room import Document, Room


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, with an Idempotency-Key or a file if there is one."""

    method: str
    path: str
    body: object = None
    key: str | None = None
    raw: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request of an endpoint, and what is special about it."""

    endpoint: str
    special: str = ""
    prepare: Callable[[Room], Ask]

    @property
    def name(self) -> str:
        return f"`{self.endpoint}`{', ' if self.special else ''}{self.special}"


def a_photo() -> bytes:
    """Return a small photo."""
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "wheat").save(out, "JPEG")
    return out.getvalue()


def _on(method: str, path: str, body: object = None) -> Callable[[Room], Ask]:
    return lambda _room: Ask(method, path, body)


def _a_post(room: Room) -> Document:
    return room.draft("linkedin", "x")


def _scheduled(room: Room) -> Document:
    return room.scheduled("linkedin", "x")


def _published(room: Room) -> Document:
    return room.sent("linkedin", "x")


def _failed(room: Room) -> Document:
    return room.sent("linkedin", "x", caption="sandbox:fail:caption_rejected")


def _about(
    make: Callable[[Room], Document], method: str, rest: str = "", body: object = None
) -> Callable[[Room], Ask]:
    """Return a request about a post made beforehand; `{target}` is its first target."""

    def prepare(room: Room) -> Ask:
        post = make(room)
        path = f"/v1/posts/{post['id']}{rest}".format(target=post["targets"][0]["id"])
        return Ask(method, path, body)

    return prepare


def _drafted(room: Room, **more: object) -> Document:
    targets = [{"account_id": room.account(platform)} for platform in ("linkedin", "x")]
    return {"caption": "Fresh bread", "targets": targets, **more}


def _create(room: Room) -> Ask:
    return Ask("POST", "/v1/posts", _drafted(room))


def _create_with_file(room: Room) -> Ask:
    return Ask("POST", "/v1/posts", _drafted(room, media_ids=[room.upload(a_photo())]), key="k")


def _repeat(room: Room) -> Ask:
    room.post("/v1/posts", _drafted(room), key="monday")
    return Ask("POST", "/v1/posts", _drafted(room), key="monday")


def _choices(room: Room) -> Ask:
    return Ask("GET", f"/v1/accounts/{room.account('pinterest')}/choices")


def _checked(room: Room) -> Ask:
    return Ask("POST", f"/v1/posts/{_a_post(room)['id']}/check")


def _add(room: Room) -> Ask:
    post = _scheduled(room)
    return Ask(
        "PATCH", f"/v1/posts/{post['id']}", {"add": [{"account_id": room.account("bluesky")}]}
    )


def _move(room: Room) -> Ask:
    post = _scheduled(room)
    change = {"id": post["targets"][0]["id"], "scheduled_at": room.in_(hours=30)}
    return Ask("PATCH", f"/v1/posts/{post['id']}", {"targets": [change]})


def _list(query: str) -> Callable[[Room], Ask]:
    def prepare(room: Room) -> Ask:
        for _ in range(11):
            _a_post(room)
        return Ask("GET", f"/v1/posts{query}")

    return prepare


def _file(method: str, rest: str = "") -> Callable[[Room], Ask]:
    return lambda room: Ask(method, f"/v1/media/{room.upload(a_photo())}{rest}")


def _described(room: Room) -> Ask:
    return Ask("PATCH", f"/v1/media/{room.upload(a_photo())}", {"alt_text": "A loaf"})


def _series(method: str) -> Callable[[Room], Ask]:
    def prepare(room: Room) -> Ask:
        begun = room.act(_scheduled(room), "repeat", {"every": "month", "interval": 1})
        return Ask(method, f"/v1/series/{begun.json['id']}")

    return prepare


def _files(room: Room) -> Ask:
    for _ in range(3):
        room.upload(a_photo())
    return Ask("GET", "/v1/media")


def _upload(_room: Room) -> Ask:
    return Ask("POST", "/v1/media", raw=a_photo())


def _direct_upload(room: Room) -> Ask:
    made = room.post("/v1/media/uploads", {"filename": "oven.mp4", "size_bytes": 9})
    return Ask("GET", f"/v1/media/uploads/{made.json['media_id']}")


def _slot(room: Room) -> Ask:
    made = room.post("/v1/queue-slots", {"weekdays": [0], "time": "08:00"})
    return Ask("DELETE", f"/v1/queue-slots/{made.json['id']}")


def _label(room: Room) -> Document:
    return room.post("/v1/labels", {"name": token_hex(8), "colour": "amber"}).json


def _change_of_label(room: Room) -> Ask:
    return Ask("PATCH", f"/v1/labels/{_label(room)['id']}", {"name": token_hex(8)})


def _label_to_delete(room: Room) -> Ask:
    return Ask("DELETE", f"/v1/labels/{_label(room)['id']}")


def _labels_of_post(room: Room) -> Ask:
    label_ids = [_label(room)["id"]]
    return Ask("PUT", f"/v1/posts/{_a_post(room)['id']}/labels", {"label_ids": label_ids})


def _regions(room: Room) -> Ask:
    return Ask("PATCH", f"/v1/accounts/{room.account()}", {"audience_regions": ["India"]})


def _tiktok(room: Room) -> Ask:
    return Ask("GET", f"/v1/accounts/{room.account('tiktok')}/tiktok")


_POST = "/v1/posts/{post_id}"

CASES = (
    Case(endpoint="GET /v1/accounts", prepare=_on("GET", "/v1/accounts")),
    Case(endpoint="GET /v1/accounts/{account_id}/tiktok", prepare=_tiktok),
    Case(endpoint="GET /v1/accounts/{account_id}/choices", prepare=_choices),
    Case(endpoint="POST /v1/posts/{post_id}/check", prepare=_checked),
    Case(endpoint="PATCH /v1/accounts/{account_id}", prepare=_regions),
    Case(endpoint="POST /v1/media", special="a photo", prepare=_upload),
    Case(endpoint="GET /v1/media", special="three files", prepare=_files),
    Case(endpoint="GET /v1/media/{media_id}", prepare=_file("GET")),
    Case(endpoint="GET /v1/media/{media_id}/file", prepare=_file("GET", "/file")),
    Case(endpoint="DELETE /v1/media/{media_id}", prepare=_file("DELETE")),
    Case(endpoint="PATCH /v1/media/{media_id}", prepare=_described),
    Case(
        endpoint="POST /v1/media/uploads",
        prepare=_on("POST", "/v1/media/uploads", {"filename": "oven.mp4", "size_bytes": 9}),
    ),
    Case(
        endpoint="POST /v1/media/from-url",
        prepare=_on("POST", "/v1/media/from-url", {"url": "https://example.com/oven.mp4"}),
    ),
    Case(endpoint="GET /v1/media/uploads/{media_id}", prepare=_direct_upload),
    Case(endpoint="POST /v1/posts", prepare=_create),
    Case(endpoint="POST /v1/posts", special="a file and a new key", prepare=_create_with_file),
    Case(endpoint="POST /v1/posts", special="a repeated key", prepare=_repeat),
    Case(endpoint="GET /v1/posts", special="the first 10 of 11", prepare=_list("?limit=10")),
    Case(
        endpoint="GET /v1/posts", special="with a status", prepare=_list("?limit=10&status=draft")
    ),
    Case(endpoint=f"GET {_POST}", prepare=_about(_a_post, "GET")),
    Case(
        endpoint=f"PATCH {_POST}",
        special="a draft's caption",
        prepare=_about(_a_post, "PATCH", body={"caption": "Warm bread"}),
    ),
    Case(endpoint=f"PATCH {_POST}", special="a new time", prepare=_move),
    Case(endpoint=f"PATCH {_POST}", special="`add` at its golden hour", prepare=_add),
    Case(endpoint=f"DELETE {_POST}", special="scheduled", prepare=_about(_scheduled, "DELETE")),
    Case(
        endpoint=f"POST {_POST}/schedule",
        special="`at`",
        prepare=_about(_a_post, "POST", "/schedule", {"at": "2026-12-01T09:00:00Z"}),
    ),
    Case(
        endpoint=f"POST {_POST}/schedule",
        special="golden hours",
        prepare=_about(_a_post, "POST", "/schedule"),
    ),
    Case(endpoint=f"POST {_POST}/queue", prepare=_about(_a_post, "POST", "/queue")),
    Case(endpoint=f"POST {_POST}/publish-now", prepare=_about(_a_post, "POST", "/publish-now")),
    Case(endpoint=f"POST {_POST}/cancel", prepare=_about(_scheduled, "POST", "/cancel")),
    Case(endpoint=f"POST {_POST}/retry", prepare=_about(_failed, "POST", "/retry")),
    Case(
        endpoint=f"POST {_POST}/targets/{{target_id}}/unpublish",
        special="with the sums of results",
        prepare=_about(_published, "POST", "/targets/{target}/unpublish"),
    ),
    Case(endpoint=f"POST {_POST}/duplicate", prepare=_about(_published, "POST", "/duplicate")),
    Case(endpoint=f"GET {_POST}/history", prepare=_about(_published, "GET", "/history")),
    Case(endpoint="GET /v1/me", prepare=_on("GET", "/v1/me")),
    Case(endpoint="GET /v1/golden-hour", prepare=_on("GET", "/v1/golden-hour")),
    Case(endpoint="GET /v1/queue-slots", prepare=_on("GET", "/v1/queue-slots")),
    Case(
        endpoint="POST /v1/queue-slots",
        prepare=_on("POST", "/v1/queue-slots", {"weekdays": [0], "time": "08:00"}),
    ),
    Case(endpoint="DELETE /v1/queue-slots/{slot_id}", prepare=_slot),
    Case(endpoint="GET /v1/labels", prepare=_on("GET", "/v1/labels")),
    Case(
        endpoint="POST /v1/labels",
        prepare=_on("POST", "/v1/labels", {"name": "Summer sale", "colour": "amber"}),
    ),
    Case(endpoint="PATCH /v1/labels/{label_id}", prepare=_change_of_label),
    Case(endpoint="DELETE /v1/labels/{label_id}", prepare=_label_to_delete),
    Case(endpoint=f"GET {_POST}/labels", prepare=_about(_a_post, "GET", "/labels")),
    Case(endpoint=f"PUT {_POST}/labels", prepare=_labels_of_post),
    Case(
        endpoint=f"POST {_POST}/repeat",
        special="none due yet",
        prepare=_about(_scheduled, "POST", "/repeat", {"every": "month", "interval": 3}),
    ),
    Case(endpoint="GET /v1/series", prepare=_on("GET", "/v1/series")),
    Case(endpoint="GET /v1/series/{series_id}", prepare=_series("GET")),
    Case(
        endpoint="DELETE /v1/series/{series_id}",
        special="with one post to come",
        prepare=_series("DELETE"),
    ),
    Case(endpoint=f"GET {_POST}/metrics", prepare=_about(_published, "GET", "/metrics")),
    Case(endpoint="GET /v1/analytics/summary", prepare=_on("GET", "/v1/analytics/summary")),
)


def body_for(endpoint: str, room: Room) -> object:
    """Return a body with which an endpoint succeeds in a room."""
    case = next((case for case in CASES if case.endpoint == endpoint), None)
    assert case is not None, f"{endpoint}: add a call that succeeds to CASES in {__name__}."
    return case.prepare(room).body
