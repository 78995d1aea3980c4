"""Uploads through the streaming front, good ones, odd ones and hopeless ones."""

import base64
import gzip
import io
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from chalicelib.storage.media.store import file_key
from tests.api.doors.forms import FORM_TYPE, Line, chunk, form, part, upload_head
from tests.api.doors.front_server import SITE, FrontProcess
from tests.api.http.pipelines import KEY, OWNER
from tests.support.media_rooms import MediaRooms
from tests.support.sample_media import samples

VIDEO = samples()["index_last.mp4"].data
PHOTO = samples()["plain.jpg"].data
AUTHORIZED = {"Authorization": f"Bearer {KEY}"}


def posted(front: FrontProcess, body: bytes, content_type: str = FORM_TYPE) -> requests.Response:
    headers = {**AUTHORIZED, "Content-Type": content_type}
    return requests.post(f"{front.url}/v1/media", data=body, headers=headers, timeout=240)


def test_an_uploaded_video_is_described(front: FrontProcess) -> None:
    answer = requests.post(
        f"{front.url}/v1/media",
        files={"file": ("holiday.mp4", VIDEO)},
        headers=AUTHORIZED,
        timeout=240,
    )

    assert answer.status_code == 201
    found = answer.json()
    assert found.pop("created_at").endswith("+00:00")
    assert found.pop("url") == f"/v1/media/{found.pop('id')}/file"
    assert found == {
        "kind": "video",
        "filename": "holiday.mp4",
        "size_bytes": len(VIDEO),
        "duration_s": 4.0,
        "width": 320,
        "height": 180,
        "too_long_for": {},
        "file_removed": False,
    }


def test_a_photo_has_no_duration(front: FrontProcess) -> None:
    answer = posted(front, form(part(PHOTO, 'name="file"; filename="p.jpg"')))

    assert answer.status_code == 201
    assert (answer.json()["kind"], answer.json()["duration_s"]) == ("image", None)


def test_a_long_video_names_the_platforms_it_is_too_long_for(front: FrontProcess) -> None:
    answer = posted(front, form(part(samples()["eleven_minutes.mp4"].data)))

    assert answer.json()["too_long_for"] == {
        "instagram": 180,
        "tiktok": 180,
        "youtube": 180,
        "linkedin": 600,
        "x": 140,
        "facebook": 240,
        "threads": 300,
    }


def test_a_body_without_a_length_is_taken_too(front: FrontProcess, rooms: MediaRooms) -> None:
    body = form(part(VIDEO))
    pieces = (body[at : at + 1000] for at in range(0, len(body), 1000))
    headers = {**AUTHORIZED, "Content-Type": FORM_TYPE}

    answer = requests.post(f"{front.url}/v1/media", data=pieces, headers=headers, timeout=240)

    assert answer.status_code == 201
    stored = rooms.store.read(file_key(OWNER.workspace_id, answer.json()["id"]), 0, 10**7)
    assert stored == VIDEO


def test_the_file_itself_is_served_from_elsewhere(front: FrontProcess) -> None:
    made = posted(front, form(part(PHOTO)))

    answer = requests.get(
        front.url + made.json()["url"], headers=AUTHORIZED, allow_redirects=False, timeout=240
    )

    assert answer.status_code == 302
    assert not answer.headers["Location"].startswith(front.url)
    assert requests.get(answer.headers["Location"], timeout=240).content == PHOTO


@pytest.mark.parametrize(
    ("disposition", "kept"),
    [
        ('name="file"; filename="été 🌞.mp4"', "été 🌞.mp4"),
        ('name="file"; filename="x.mp4"; filename*=UTF-8\'\'%C3%A9t%C3%A9.mp4', "été.mp4"),
        ("name=file; filename*=utf-8''%F0%9F%8C%9E.mov", "🌞.mov"),
        ("name=\"file\"; filename*=iso-8859-1'fr'%E9t%E9.mp4", "été.mp4"),
        ('name="file"; filename="a; filename*=UTF-8\'\'no.mp4"', "a; filename*=UTF-8''no.mp4"),
        ('name="file"; filename="C:\\fakepath\\v.mp4"', "v.mp4"),
        ('name="file"; filename="../../v.mp4"', "v.mp4"),
        ('name="file"; filename=""', "file"),
        ('name="file"', "file"),
    ],
)
def test_the_name_of_a_file_is_understood(front: FrontProcess, disposition: str, kept: str) -> None:
    answer = posted(front, form(part(PHOTO, disposition)))

    assert (answer.status_code, answer.json()["filename"]) == (201, kept)


def test_small_fields_beside_the_file_are_skipped(front: FrontProcess) -> None:
    fields = [part(b"hello", 'name="note"') for _ in range(10)]

    answer = posted(front, form(*fields, part(PHOTO), *fields))

    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        pytest.param(b"", FORM_TYPE, id="no body"),
        pytest.param(form(), FORM_TYPE, id="an empty form"),
        pytest.param(form(part(PHOTO, 'name="video"; filename="p"')), FORM_TYPE, id="other field"),
        pytest.param(form(part(PHOTO), part(PHOTO)), FORM_TYPE, id="two files"),
        pytest.param(form(part(PHOTO))[:-6], FORM_TYPE, id="no closing boundary"),
        pytest.param(form(part(PHOTO)), "multipart/form-data", id="no boundary named"),
        pytest.param(form(part(PHOTO)), "multipart/form-data; boundary=other", id="other boundary"),
        pytest.param(b"{}", "application/json", id="JSON"),
        pytest.param(PHOTO, "image/jpeg", id="a bare photo"),
        pytest.param(form(part(PHOTO, "nothing")), FORM_TYPE, id="no name"),
        pytest.param(form(part(PHOTO, 'name="\xff"')), FORM_TYPE, id="a name of other letters"),
        pytest.param(b"--" + b"x" * 100_000, FORM_TYPE, id="no form at all"),
        pytest.param(form(*[part(b"", 'name="a"')] * 1_000), FORM_TYPE, id="a thousand fields"),
        pytest.param(form(part(bytes(200_000), 'name="a"')), FORM_TYPE, id="a large other field"),
        pytest.param(
            form(part(b"", f'name="file"; x="{"y" * 90_000}"')), FORM_TYPE, id="long head"
        ),
    ],
)
def test_a_form_without_one_whole_file_is_file_missing(
    front: FrontProcess, body: bytes, content_type: str
) -> None:
    answer = posted(front, body, content_type)

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "file_missing"


@pytest.mark.parametrize(
    ("body", "content_type", "told"),
    [
        pytest.param(
            form(part(PHOTO)),
            "multipart/form-data",
            "lacks its boundary",
            id="requests, axios or fetch with a Content-Type of one's own",
        ),
        pytest.param(
            form(part(b"media/p.jpg", 'name="file"')), FORM_TYPE, "text", id="curl -F without its @"
        ),
        pytest.param(
            form(part(b"@/srv/media/p.jpg", 'name="file"')), FORM_TYPE, "text", id="PHP 8.2 with @"
        ),
        pytest.param(
            form(part(b"[object Object]", 'name="file"')), FORM_TYPE, "text", id="FormData, Node 20"
        ),
        pytest.param(form(part(b"", 'name="file"')), FORM_TYPE, "text", id="FormData, no value"),
        pytest.param(
            form(
                part(
                    base64.encodebytes(PHOTO).replace(b"\n", b"\r\n"),
                    'name="file"; filename="p.jpg"\r\nContent-Transfer-Encoding: base64',
                )
            ),
            FORM_TYPE,
            "Content-Transfer-Encoding",
            id="curl 7.88, encoder=base64",
        ),
        pytest.param(
            form(
                part(
                    PHOTO,
                    'name="file"; filename="p"\r\nContent-Transfer-Encoding: Quoted-Printable',
                )
            ),
            FORM_TYPE,
            "Content-Transfer-Encoding",
            id="curl 7.88, encoder=quoted-printable",
        ),
        pytest.param(
            gzip.compress(form(part(PHOTO))), FORM_TYPE, "compressed", id="aiohttp, compress="
        ),
    ],
)
def test_a_form_that_a_library_made_otherwise_is_told_what_to_do(
    front: FrontProcess, body: bytes, content_type: str, told: str
) -> None:
    answer = posted(front, body, content_type)

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "file_missing")
    assert told in answer.json()["error"]["message"]


@pytest.mark.parametrize("coding", ["binary", "8bit", "7bit", "BINARY"])
def test_a_coding_that_changes_no_byte_is_taken(front: FrontProcess, coding: str) -> None:
    """Apache HttpClient 5 and Ruby's multipart-post say that they send bytes."""
    disposition = f'name="file"; filename="p.jpg"\r\nContent-Transfer-Encoding: {coding}'

    assert posted(front, form(part(PHOTO, disposition))).status_code == 201


@pytest.mark.parametrize("name", ["empty.mp4", "program.mp4", "page.png", "cut_end.mp4"])
def test_a_file_that_is_no_photo_or_video_is_unsupported(front: FrontProcess, name: str) -> None:
    answer = posted(front, form(part(samples()[name].data)))

    assert answer.status_code == 415
    assert answer.json()["error"]["code"] == "unsupported_media"


def test_a_hopeless_file_is_refused_before_it_is_all_sent(line: Line) -> None:
    line.send(upload_head(None), chunk(part(b"MZ" + bytes(10_000))))

    answer = line.answer()

    assert (answer.status, answer.code) == (415, "unsupported_media")
    assert answer.closes


def test_an_unknown_parameter_is_refused_before_the_body_is_read(
    front: FrontProcess, line: Line, rooms: MediaRooms
) -> None:
    before = (rooms.objects(), len(rooms.rows()))

    # All but the head stays unsent: whoever waits for the body would wait for ever.
    line.send(upload_head(10**9).replace(b"/v1/media ", b"/v1/media?colour=red "))
    answer = line.answer()
    whole = requests.post(
        f"{front.url}/v1/media?colour=red&colour=blue",
        files={"file": ("holiday.mp4", VIDEO)},
        headers=AUTHORIZED,
        timeout=240,
    )

    assert (answer.status, answer.closes) == (422, True)
    [problem] = json.loads(answer.body)["detail"]
    assert (problem["type"], problem["loc"]) == ("extra_forbidden", ["query", "colour"])
    assert (whole.status_code, [one["type"] for one in whole.json()["detail"]]) == (
        422,
        ["extra_forbidden"],
    )
    assert (rooms.objects(), len(rooms.rows())) == before


def test_refused_files_leave_nothing_behind(front: FrontProcess, rooms: MediaRooms) -> None:
    before = (rooms.objects(), len(rooms.rows()))

    posted(front, form(part(samples()["cut_no_index.mp4"].data)))
    posted(front, form(part(VIDEO), part(VIDEO)))

    assert (rooms.objects(), len(rooms.rows())) == before
    assert rooms.open_parts() == 0


def test_twenty_uploads_at_once_all_arrive(front: FrontProcess, rooms: MediaRooms) -> None:
    body = form(part(VIDEO))

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: posted(front, body), range(20)))

    assert [answer.status_code for answer in answers] == [201] * 20
    keys = {file_key(OWNER.workspace_id, answer.json()["id"]) for answer in answers}
    assert len(keys) == 20
    assert keys <= set(rooms.objects())


def test_a_file_of_several_parts_arrives_whole(front: FrontProcess, rooms: MediaRooms) -> None:
    large = VIDEO + (20_000_008).to_bytes(4) + b"free" + bytes(20_000_000)

    answer = posted(front, form(part(large)))

    assert answer.json()["size_bytes"] == len(large)
    key = file_key(OWNER.workspace_id, answer.json()["id"])
    stored = io.BytesIO(rooms.store.read(key, 0, len(large)))
    assert stored.read() == large


def begun(front: FrontProcess, size_bytes: int, **headers: str) -> str:
    """Announce a file; return the address that takes it."""
    answer = requests.post(
        f"{front.url}/v1/media/uploads",
        json={"filename": "holiday.mp4", "size_bytes": size_bytes},
        headers={**AUTHORIZED, **headers},
        timeout=240,
    )
    assert answer.status_code == 201
    return str(answer.json()["url"])


def test_a_direct_upload_goes_through_the_door_that_was_asked(
    front: FrontProcess, rooms: MediaRooms
) -> None:
    large = VIDEO + (20_000_008).to_bytes(4) + b"free" + bytes(20_000_000)
    other_name = f"localhost:{front.address[1]}"
    address = begun(front, len(large), Host=other_name)

    answer = requests.put(address, data=large, timeout=240)

    media_id = address.split("/")[-2]
    assert address.startswith(f"http://{other_name}/v1/uploads/")
    assert (200, b"") == (answer.status_code, answer.content)
    assert any(media_id in message for message in rooms.messages())
    rooms.direct.finish(media_id)
    stored = rooms.store.read(file_key(OWNER.workspace_id, media_id), 0, len(large))
    assert large == stored
    assert rooms.open_parts() == 0


@pytest.mark.parametrize("data", [VIDEO[:-1], VIDEO + b"x", b""], ids=["short", "long", "empty"])
@pytest.mark.parametrize("announces", [True, False], ids=["with a length", "in chunks"])
def test_a_file_of_another_size_than_announced_is_refused_and_may_come_again(
    front: FrontProcess, rooms: MediaRooms, data: bytes, *, announces: bool
) -> None:
    address = begun(front, len(VIDEO))

    wrong = requests.put(address, data=data if announces else iter([data]), timeout=240)
    right = requests.put(address, data=VIDEO, timeout=240)

    assert (422, "file_missing") == (wrong.status_code, wrong.json()["error"]["code"])
    assert f"{len(VIDEO):,} bytes" in wrong.json()["error"]["message"]
    assert right.status_code == 200
    assert rooms.open_parts() == 0


def test_an_address_for_a_file_takes_nothing_under_another_token_or_once_it_is_used(
    front: FrontProcess, rooms: MediaRooms
) -> None:
    address = begun(front, len(VIDEO))
    start, _, token = address.rpartition("/")
    wrong = [f"{start}/{'0' * 32}", f"{start}/%C3%A9", f"{front.url}/v1/uploads/{'f' * 32}/{token}"]

    guessed = [requests.put(each, data=VIDEO, timeout=240).status_code for each in wrong]
    first = requests.put(address, data=VIDEO, timeout=240)
    rooms.direct.finish(start.rpartition("/")[2])
    second = requests.put(address, data=VIDEO, timeout=240)

    assert [404, 404, 404] == guessed
    assert (200, 404) == (first.status_code, second.status_code)


def test_announcing_a_file_again_once_it_arrived_leads_to_an_address_that_is_over(
    front: FrontProcess, rooms: MediaRooms
) -> None:
    def announce() -> requests.Response:
        headers = {**AUTHORIZED, "Idempotency-Key": "announced-again"}
        json = {"filename": "again.mp4", "size_bytes": len(VIDEO)}
        return requests.post(
            f"{front.url}/v1/media/uploads", json=json, headers=headers, timeout=240
        )

    first = announce()
    requests.put(first.json()["url"], data=VIDEO, timeout=240)
    rooms.direct.finish(first.json()["media_id"])
    second = announce()

    assert (201, 200) == (first.status_code, second.status_code)
    assert first.json()["media_id"] == second.json()["media_id"]
    assert 404 == requests.put(second.json()["url"], data=VIDEO, timeout=240).status_code


def test_a_browser_may_ask_first_and_other_methods_are_refused(front: FrontProcess) -> None:
    address = begun(front, len(VIDEO))
    asks = {"Origin": SITE, "Access-Control-Request-Method": "PUT"}

    asked = requests.options(address, headers=asks, timeout=240)
    read = requests.get(address, timeout=240)

    assert (204, "PUT") == (asked.status_code, asked.headers["Access-Control-Allow-Methods"])
    assert (405, "PUT") == (read.status_code, read.headers["Allow"])


def test_a_repeated_upload_answers_what_the_first_one_made(front: FrontProcess) -> None:
    def send(key: str, name: str = "holiday.mp4", data: bytes = VIDEO) -> requests.Response:
        headers = {**AUTHORIZED, "Idempotency-Key": key}
        files = {"file": (name, data)}
        return requests.post(f"{front.url}/v1/media", files=files, headers=headers, timeout=240)

    first, second, other = send("k"), send("k"), send("l")

    assert [201, 200, 201] == [first.status_code, second.status_code, other.status_code]
    assert first.json() == second.json() != other.json()
    assert "true" == second.headers["Idempotency-Replayed"]
    assert "Idempotency-Mismatch" not in second.headers
    for another in (send("k", name="other.mp4"), send("k", data=VIDEO + b"\0")):
        assert first.json() == another.json()
        assert "body" == another.headers["Idempotency-Mismatch"]


def test_uploads_at_once_with_one_key_leave_one_file(
    front: FrontProcess, rooms: MediaRooms
) -> None:
    def send(_number: int) -> str:
        headers, files = {**AUTHORIZED, "Idempotency-Key": "at once"}, {"file": ("a.mp4", VIDEO)}
        answer = requests.post(f"{front.url}/v1/media", files=files, headers=headers, timeout=240)
        return str(answer.json()["id"])

    before = len(rooms.objects())
    with ThreadPoolExecutor(3) as threads:
        made = set(threads.map(send, range(3)))

    assert 1 == len(made)
    assert before + 1 == len(rooms.objects())
