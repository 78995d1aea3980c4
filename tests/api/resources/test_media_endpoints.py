"""The endpoints of files as chalice mounts them, without the streaming front."""

import json
from typing import Any

import pytest
import requests

from chalicelib.api.paths import every_endpoint
from chalicelib.domain.media.media import LARGEST_FILE_BYTES
from chalicelib.domain.workspace.access import Caller, Role, Scope
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Response
from chalicelib.storage.tables import media_use_key
from tests.api.doors.forms import FORM_TYPE, form, part
from tests.api.http.pipelines import OWNER, a_caller, a_pipeline, a_request, error_code, problems
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import MediaRooms, media_rooms
from tests.support.sample_media import samples

VIDEO = samples()["index_last.mp4"].data


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


@pytest.fixture
def pipeline(rooms: MediaRooms) -> Pipeline:
    return an_edge_over(rooms)


def an_edge_over(rooms: MediaRooms, caller: Caller = OWNER) -> Pipeline:
    parts = {
        "library": rooms.library,
        "direct_uploads": rooms.direct,
        "fetched_uploads": rooms.fetched,
    }
    return a_pipeline(*every_endpoint(), caller=caller, parts=parts)


def uploaded(pipeline: Pipeline, body: bytes, content_type: str = FORM_TYPE) -> Response:
    headers = {"content-type": content_type}
    return pipeline.answer(a_request("POST", "/v1/media", raw=body, headers=headers))


def asked(pipeline: Pipeline, path: str, method: str = "GET") -> Response:
    return pipeline.answer(a_request(method, path))


def a_file(pipeline: Pipeline) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(uploaded(pipeline, form(part(VIDEO))).body)
    return found


def test_an_unknown_parameter_of_an_upload_is_refused(rooms: MediaRooms) -> None:
    before = rooms.objects()
    asked = a_request(
        "POST",
        "/v1/media",
        raw=form(part(VIDEO)),
        headers={"content-type": FORM_TYPE},
        query={"colour": ["red"]},
    )

    answer = an_edge_over(rooms).answer(asked)

    assert problems(answer) == [("extra_forbidden", ["query", "colour"])]
    assert rooms.objects() == before


def test_what_fits_through_the_gateway_is_taken(pipeline: Pipeline) -> None:
    answer = uploaded(pipeline, form(part(VIDEO)))

    assert answer.status == 201
    assert json.loads(answer.body)["duration_s"] == 4.0


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        (form(part(b"MZ" + bytes(99))), FORM_TYPE, 415, "unsupported_media"),
        (form(part(b"")), FORM_TYPE, 415, "unsupported_media"),
        (form(), FORM_TYPE, 422, "file_missing"),
        (b"{}", "application/json", 422, "file_missing"),
        (form(part(VIDEO))[:-9], FORM_TYPE, 422, "file_missing"),
    ],
    ids=["a program", "an empty file", "no file", "JSON", "half a form"],
)
def test_an_upload_without_a_good_file_is_refused(
    pipeline: Pipeline, body: bytes, content_type: str, status: int, code: str
) -> None:
    answer = uploaded(pipeline, body, content_type)

    assert (status, code) == (answer.status, error_code(answer))


@pytest.mark.parametrize(
    ("caller", "code"),
    [
        (a_caller(scopes=[Scope.READ]), "scope_missing"),
        (a_caller(role=Role.VIEWER), "forbidden"),
    ],
    ids=["scope", "role"],
)
def test_uploading_needs_the_scope_and_the_role(
    rooms: MediaRooms, caller: Caller, code: str
) -> None:
    pipeline = an_edge_over(rooms, caller)

    answer = uploaded(pipeline, form(part(VIDEO)))

    assert (answer.status, error_code(answer)) == (403, code)


def test_a_file_is_found_and_listed(pipeline: Pipeline) -> None:
    made = a_file(pipeline)

    one = asked(pipeline, f"/v1/media/{made['id']}")
    every = asked(pipeline, "/v1/media")

    assert json.loads(one.body) == made
    assert made in json.loads(every.body)["data"]


@pytest.mark.parametrize("path", ["f" * 32, "nonsense", "f" * 32 + "/file", "uploads/" + "f" * 32])
def test_an_unknown_file_is_not_found(pipeline: Pipeline, path: str) -> None:
    answer = asked(pipeline, f"/v1/media/{path}")

    assert (answer.status, error_code(answer)) == (404, "media_not_found")


def test_the_file_is_behind_a_link_outside_of_the_api(pipeline: Pipeline) -> None:
    made = a_file(pipeline)

    answer = asked(pipeline, made["url"])

    assert answer.status == 302
    assert requests.get(answer.headers["Location"], timeout=240).content == VIDEO


def test_an_unused_file_is_gone_once_removed(pipeline: Pipeline) -> None:
    made = a_file(pipeline)

    removed = asked(pipeline, f"/v1/media/{made['id']}", "DELETE")
    again = asked(pipeline, f"/v1/media/{made['id']}", "DELETE")

    assert (removed.status, removed.body) == (204, b"")
    assert again.status == 404


def test_a_used_file_keeps_its_record(pipeline: Pipeline, rooms: MediaRooms) -> None:
    made = a_file(pipeline)
    use = {name: {"S": value} for name, value in media_use_key(made["id"], "5" * 32).items()}
    rooms.dynamodb.put_item(TableName=rooms.settings.media_table, Item=use)

    asked(pipeline, f"/v1/media/{made['id']}", "DELETE")

    found = json.loads(asked(pipeline, f"/v1/media/{made['id']}").body)
    assert found == {**made, "file_removed": True, "url": None}
    assert error_code(asked(pipeline, made["url"])) == "file_removed"
    assert found not in json.loads(asked(pipeline, "/v1/media").body)["data"]


def test_a_direct_upload_says_where_the_file_goes(pipeline: Pipeline, rooms: MediaRooms) -> None:
    body = {"filename": "v.mp4", "size_bytes": len(VIDEO)}
    answer = pipeline.answer(a_request("POST", "/v1/media/uploads", body=body))
    begun = json.loads(answer.body)

    requests.put(begun["url"], data=VIDEO, headers=begun["headers"], timeout=240)
    waiting = json.loads(asked(pipeline, f"/v1/media/uploads/{begun['media_id']}").body)
    rooms.direct.finish(begun["media_id"])
    ready = json.loads(asked(pipeline, f"/v1/media/uploads/{begun['media_id']}").body)

    assert (answer.status, begun["method"]) == (201, "PUT")
    assert waiting == {"state": "waiting", "code": None, "message": None}
    assert ready == {"state": "ready", "code": None, "message": None}
    assert asked(pipeline, f"/v1/media/{begun['media_id']}").status == 200


def test_an_upload_from_an_address_is_accepted_and_followed(pipeline: Pipeline) -> None:
    body = {"url": "https://example.com/bread.jpg"}
    answer = pipeline.answer(a_request("POST", "/v1/media/from-url", body=body))
    begun = json.loads(answer.body)

    state = json.loads(asked(pipeline, f"/v1/media/uploads/{begun['media_id']}").body)

    assert (answer.status, begun["state"]) == (202, "waiting")
    assert state == {"state": "waiting", "code": None, "message": None}
    assert asked(pipeline, f"/v1/media/{begun['media_id']}").status == 404


def test_an_address_within_our_network_is_refused(pipeline: Pipeline) -> None:
    body = {"url": "https://10.0.0.1/bread.jpg"}

    answer = pipeline.answer(a_request("POST", "/v1/media/from-url", body=body))

    assert (answer.status, error_code(answer)) == (422, "address_refused")


def test_a_direct_upload_beyond_a_gigabyte_is_refused(pipeline: Pipeline) -> None:
    body = {"filename": "v.mp4", "size_bytes": LARGEST_FILE_BYTES + 1}

    answer = pipeline.answer(a_request("POST", "/v1/media/uploads", body=body))

    assert (answer.status, error_code(answer)) == (413, "file_too_large")


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({"size_bytes": 5}, ["body", "filename"]),
        ({"filename": "v.mp4"}, ["body", "size_bytes"]),
        ({"filename": "v.mp4", "size_bytes": 0}, ["body", "size_bytes"]),
        ({"filename": "v.mp4", "size_bytes": "5"}, ["body", "size_bytes"]),
    ],
)
def test_a_direct_upload_needs_a_name_and_a_size(
    pipeline: Pipeline, body: dict[str, object], loc: list[str]
) -> None:
    answer = pipeline.answer(a_request("POST", "/v1/media/uploads", body=body))

    assert answer.status == 422
    assert [found for _, found in problems(answer)] == [loc]
