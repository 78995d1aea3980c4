"""The front against clients that stop, stall, lie about lengths or push on after a refusal."""

import json
import random
import time
from collections.abc import Callable

import pytest
import requests

from chalicelib.http.upload_form import LARGEST_BODY_BYTES
from tests.api.doors.forms import FORM_TYPE, Line, chunk, form, part, upload_head
from tests.api.doors.front_server import FrontProcess
from tests.api.http.pipelines import KEY
from tests.support.media_rooms import MediaRooms
from tests.support.sample_media import samples

VIDEO = samples()["index_last.mp4"].data
LARGE = VIDEO + (30_000_008).to_bytes(4) + b"free" + bytes(30_000_000)
AUTHORIZED = {"Authorization": f"Bearer {KEY}"}
GET_LIST = f"GET /v1/media HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer {KEY}\r\n\r\n".encode()


def becomes(claim: Callable[[], bool], *, within_s: float = 10) -> bool:
    """Wait until something holds."""
    end = time.monotonic() + within_s
    while not claim():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("length", [LARGEST_BODY_BYTES + 1, 10**15])
def test_too_large_a_file_is_refused_before_a_byte_is_sent(line: Line, length: int) -> None:
    line.send(upload_head(length))

    answer = line.answer()

    assert (answer.status, answer.code) == (413, "file_too_large")


def test_a_client_that_asks_first_is_not_told_to_go_on(line: Line) -> None:
    line.send(upload_head(LARGEST_BODY_BYTES + 1, others={"Expect": "100-continue"}))

    assert line.answer().status == 413


def test_a_client_that_asks_first_may_go_on(line: Line, front: FrontProcess) -> None:
    body = form(part(VIDEO))
    line.send(upload_head(len(body), others={"Expect": "100-continue"}))
    time.sleep(0.1)
    line.send(body)

    answer = line.answer()

    assert answer.status == 201
    remove(front, json.loads(answer.body)["id"])


def test_the_key_is_checked_before_the_length(line: Line) -> None:
    line.send(upload_head(LARGEST_BODY_BYTES + 1, key="gh_live_wrong"))

    answer = line.answer()

    assert (answer.status, answer.code) == (401, "bad_api_key")


@pytest.mark.parametrize("size", [300_000, 3_000_000, 30_000_000])
def test_a_refusal_reaches_a_client_that_sends_everything_first(line: Line, size: int) -> None:
    """An answer followed by a reset would be lost on the way."""
    line.send(upload_head(size, key="gh_live_wrong"), bytes(size))

    answer = line.answer()

    assert (answer.status, answer.code) == (401, "bad_api_key")


@pytest.mark.parametrize("size", [3_000_000, 30_000_000])
def test_a_refusal_reaches_a_client_that_pauses_while_it_sends(line: Line, size: int) -> None:
    """Java's HttpClient and Rust's reqwest send all of a body before they look at an answer.

    On a busy machine or a weak network they pause.
    """
    line.send(upload_head(size, key="gh_live_wrong"), bytes(size // 2))
    status, headers = line.head()
    time.sleep(0.5)
    line.send(bytes(size // 2))

    body = line.body(int(headers["content-length"]))

    assert status == 401
    assert json.loads(body)["error"]["code"] == "bad_api_key"


def test_a_body_that_ends_early_is_file_missing(line: Line, rooms: MediaRooms) -> None:
    line.send(upload_head(len(LARGE) + 1_000), part(LARGE))
    line.end_sending()

    answer = line.answer()

    assert (answer.status, answer.code) == (422, "file_missing")
    assert rooms.is_empty()


@pytest.mark.parametrize("broken", [b"zz\r\nabc\r\n", b"-5\r\nabc\r\n", b"fffffffffffffffff\r\n"])
def test_a_broken_chunk_is_file_missing(line: Line, broken: bytes) -> None:
    line.send(upload_head(None), chunk(part(VIDEO)[:5_000]), broken)

    answer = line.answer()

    assert (answer.status, answer.code) == (422, "file_missing")


@pytest.mark.parametrize("seed", range(12))
def test_an_upload_cut_anywhere_leaves_nothing_behind(
    front: FrontProcess, rooms: MediaRooms, seed: int
) -> None:
    body = form(part(LARGE))
    cut = random.Random(seed).randrange(len(body) - 4)
    line = Line(front.address)
    line.send(upload_head(len(body)), body[:cut])

    line.close()

    assert becomes(rooms.is_empty)


def test_two_lengths_end_the_connection(line: Line) -> None:
    """The server goes by the chunks, as RFC 9112 lets it, and closes: nothing can be smuggled."""
    head = upload_head(None, others={"Content-Length": "5"})
    line.send(head, chunk(form(part(b"MZ" + bytes(5_000)))), b"0\r\n\r\n", GET_LIST)

    answer = line.answer()

    assert answer.status in {400, 415}
    assert answer.closes
    assert line.is_closed()


@pytest.mark.parametrize("host", [b"", b"Host: a b\r\n", b"Host: a\r\nHost: b\r\n"])
def test_a_request_without_one_host_is_refused(line: Line, host: bytes) -> None:
    line.send(b"GET /v1/health HTTP/1.1\r\n", host, b"\r\n")

    assert line.answer().status == 400


def test_http_1_0_needs_no_host(line: Line) -> None:
    """RFC 9112, 3.2: a check of HAProxy (option httpchk) has none."""
    line.send(GET_LIST.replace(b"HTTP/1.1\r\nHost: t", b"HTTP/1.0"))

    assert line.answer().status == 200


@pytest.mark.parametrize(
    "sent", ["grüß 東京".replace(" ", "%20").encode(), b"gr%C3%BC%C3%9F%20%E6%9D%B1%E4%BA%AC"]
)
def test_a_query_is_utf_8_escaped_or_not(line: Line, sent: bytes) -> None:
    """Curl 7.88 (also in PHP 8.2) and Go's net/http send what they are given."""
    line.send(GET_LIST.replace(b"/v1/media", b"/v1/media?limit=" + sent))

    [problem] = json.loads(line.answer().body)["detail"]

    assert problem["input"] == "grüß 東京"


@pytest.mark.parametrize("length", ["-1", "1e3", "99999999999999999999999", "5, 6"])
def test_a_length_that_is_no_number_is_refused(line: Line, length: str) -> None:
    head = upload_head(0).replace(b"Content-Length: 0", f"Content-Length: {length}".encode())
    line.send(head)

    assert line.answer().status == 400


def test_slow_clients_hold_up_nobody(front: FrontProcess) -> None:
    """More of them than there are threads, all with videos: a small file does not wait for them."""
    slow = [Line(front.address) for _ in range(60)]
    for one in slow:
        one.send(upload_head(10_000_000), part(VIDEO)[:5_000])
    time.sleep(0.5)
    began = time.monotonic()

    listed = requests.get(f"{front.url}/v1/media", headers=AUTHORIZED, timeout=240)
    took_s = time.monotonic() - began
    another = requests.post(
        f"{front.url}/v1/media", data=form(part(VIDEO)), headers=form_headers(), timeout=240
    )
    for one in slow:
        one.close()

    assert listed.status_code == 200
    assert took_s < 4
    assert another.status_code == 201
    remove(front, another.json()["id"])


def test_places_of_clients_that_left_are_free_again(front: FrontProcess) -> None:
    gone = [Line(front.address) for _ in range(10)]
    for one in gone:
        one.send(upload_head(10_000_000), part(VIDEO)[:5_000])
    for one in gone:
        one.close()

    answer = requests.post(
        f"{front.url}/v1/media", data=form(part(VIDEO)), headers=form_headers(), timeout=240
    )

    assert answer.status_code == 201
    remove(front, answer.json()["id"])


def test_a_client_of_a_kilobyte_a_second_gets_its_file_through(
    line: Line, front: FrontProcess
) -> None:
    body = form(part(samples()["plain.png"].data))
    line.send(upload_head(len(body)))
    for at in range(0, len(body), 100):
        line.send(body[at : at + 100])
        time.sleep(0.1)

    answer = line.answer()

    assert answer.status == 201
    remove(front, json.loads(answer.body)["id"])


def test_a_connection_serves_one_request_after_another(line: Line) -> None:
    body = form(part(b"MZ" + bytes(5_000)))
    for _ in range(3):
        line.send(upload_head(len(body)), body)
        assert line.answer().status == 415
        line.send(GET_LIST)
        assert line.answer().status == 200


def test_head_has_no_body(line: Line) -> None:
    line.send(GET_LIST.replace(b"GET", b"HEAD"), GET_LIST)

    assert line.answer().status == 200
    assert line.answer().status == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/v1/media", 405),
        ("POST", "/v1/media/", 422),
        ("POST", "/v1/mediaX", 404),
        ("GET", "/v1/media/nonsense", 404),
        ("POST", "/v1/%6Dedia", 422),
    ],
)
def test_other_paths_and_methods_are_the_edges_matter(
    front: FrontProcess, method: str, path: str, status: int
) -> None:
    answer = requests.request(method, front.url + path, headers=AUTHORIZED, timeout=240)

    assert answer.status_code == status
    assert set(answer.json()) == {"error"}


def other(length: int | None, key: str = KEY) -> bytes:
    head = upload_head(length, key=key, content_type="application/json")
    return head.replace(b"/v1/media", b"/v1/media/uploads")


def test_a_body_of_more_than_a_megabyte_is_refused_before_it_is_sent(line: Line) -> None:
    line.send(other(1_048_577))

    answer = line.answer()

    assert (answer.status, answer.code) == (413, "too_large")


def test_a_body_of_a_megabyte_is_read(line: Line) -> None:
    line.send(other(1_048_576), b" " * 1_048_576)

    assert line.answer().status == 422


def test_an_endless_body_is_refused_after_a_megabyte(line: Line) -> None:
    line.send(other(None), *[chunk(bytes(100_000))] * 11)

    answer = line.answer()

    assert (answer.status, answer.code) == (413, "too_large")


def test_the_key_goes_before_the_size_of_a_body(line: Line) -> None:
    line.send(other(1_048_577, key="gh_live_wrong"))

    assert line.answer().code == "bad_api_key"


def test_a_body_that_stops_half_way_is_a_bad_request(line: Line) -> None:
    line.send(other(100), b"{")
    line.end_sending()

    answer = line.answer()

    assert (answer.status, answer.code) == (400, "bad_request")


def test_a_body_in_tiny_pieces_is_told_so(line: Line) -> None:
    """As requests 2.34.2 sends json.JSONEncoder().iterencode(…): a chunk for each value."""
    pieces = json.JSONEncoder().iterencode({"sizes": [1] * 1_200})

    line.send(other(None), b"".join(chunk(piece.encode()) for piece in pieces), b"0\r\n\r\n")
    answer = line.answer()

    assert (answer.status, answer.code) == (400, "bad_request")
    assert "pieces" in json.loads(answer.body)["error"]["message"]


def form_headers() -> dict[str, str]:
    return {**AUTHORIZED, "Content-Type": FORM_TYPE}


def remove(front: FrontProcess, media_id: str) -> None:
    requests.delete(f"{front.url}/v1/media/{media_id}", headers=AUTHORIZED, timeout=240)
