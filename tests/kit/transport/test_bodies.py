"""A JSON body with a file in it: the same bytes as if it were put together in memory."""

import base64
import json
from collections.abc import Iterator

import pytest

from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody, JsonFileBody, encode_body
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received
from tests.connectors.support.rig import PatternSource, a_photo

PIECE = 3 * 65_536


class Box(FakePlatform):
    """Takes everything."""

    def answer(self, call: Received) -> Answer:
        del call
        return Answer(200, {})


@pytest.fixture
def box() -> Iterator[Box]:
    platform = Box()
    yield platform
    platform.close()


def _body(size_bytes: int, value: dict[str, Json]) -> JsonFileBody:
    file = FileBody(file=a_photo(size_bytes), mime="image/jpeg")
    return JsonFileBody(value=value, path=("source", "data"), file=file)


def _read(body: JsonFileBody, size: int) -> bytes:
    stream, _ = encode_body(body)
    assert not isinstance(stream, bytes)
    return b"".join(iter(lambda: stream.read(size), b""))


@pytest.mark.parametrize("size_bytes", [1, 2, 3, 4, 3_000, PIECE - 1, PIECE, PIECE + 1, 1_048_577])
def test_a_file_of_any_length_stands_in_the_object(size_bytes: int) -> None:
    body = _body(size_bytes, {"title": "Häfen", "source": {"kind": "image"}})

    text = _read(body, 16_384)

    data = base64.b64encode(PatternSource(size_bytes).read(0, size_bytes)).decode()
    assert json.loads(text) == {"title": "Häfen", "source": {"kind": "image", "data": data}}


@pytest.mark.parametrize("size", [1, 7, 16_384, -1])
def test_the_length_is_known_ahead_however_it_is_read(size: int) -> None:
    body = _body(3_001, {"source": {}})

    length = len(body.reader())

    assert length == len(_read(body, size))


def test_an_object_without_anything_else_is_spelled_right() -> None:
    assert json.loads(_read(_body(1, {}), -1)) == {"source": {"data": "AA=="}}


def test_a_part_of_a_file_can_stand_in_the_object() -> None:
    part = FileBody(file=a_photo(1_000), mime="image/jpeg", offset=7, length=5)

    text = _read(JsonFileBody(value={}, path=("data",), file=part), 64)

    assert json.loads(text) == {"data": base64.b64encode(bytes(range(7, 12))).decode()}


def test_it_arrives_with_its_length_and_type(box: Box) -> None:
    body = _body(PIECE + 1, {"title": "Harbour"})

    http = PlatformHttp(Platform.PINTEREST, {}, lambda _: ())
    http.send(Call(method="POST", url=f"{box.url}/pins", body=body))

    (call,) = box.calls
    assert call.headers["content-type"] == "application/json"
    assert int(call.headers["content-length"]) == call.size == len(body.reader())
    assert call.json["title"] == "Harbour"


def test_a_file_that_ends_early_never_looks_complete() -> None:
    photo = a_photo(3_000)
    short = FileBody(file=photo, mime="image/jpeg", length=4_000)
    lost = JsonFileBody(value={}, path=("data",), file=short)
    photo.source.size_bytes = 1_000  # type: ignore[attr-defined]  # a PatternSource

    with pytest.raises(UnansweredError):
        _read(lost, 16_384)
