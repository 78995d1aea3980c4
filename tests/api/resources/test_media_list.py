"""GET /v1/media: newest first, filtered by kind, name and use, page by page."""

import re
from datetime import timedelta
from urllib.parse import parse_qsl

import pytest

from tests.api.http_room import Answer, House, Room
from tests.support.sample_media import samples

PHOTO = samples()["plain.jpg"].data
VIDEO = samples()["index_last.mp4"].data


def _file(room: Room, name: str) -> str:
    """Upload a file, a second after the last one."""
    room.house.clock.pass_time(timedelta(seconds=1))
    return room.upload(PHOTO if name.endswith("jpg") else VIDEO, name)


def _next(answer: Answer) -> dict[str, str]:
    link = re.fullmatch(r'</v1/media\?(.*)>; rel="next"', answer.response.headers["Link"])
    assert link is not None
    return dict(parse_qsl(link[1]))


def _every_page(room: Room, query: dict[str, str]) -> list[str]:
    ids: list[str] = []
    while True:
        answer = room.get("/v1/media", query)
        ids += [file["id"] for file in answer.json["data"]]
        if "Link" not in answer.response.headers:
            return ids
        query = _next(answer)


@pytest.mark.parametrize("limit", ["1", "2", "3", "200"])
def test_every_file_is_on_one_of_the_pages(room: Room, limit: str) -> None:
    files = [_file(room, f"{number}.jpg") for number in range(3)]

    assert files[::-1] == _every_page(room, {"limit": limit})


def test_files_are_found_by_kind_name_and_use(room: Room) -> None:
    bread, rolls, film = (_file(room, name) for name in ("Bread.jpg", "rolls.jpg", "bread.mp4"))
    room.draft(media_ids=[rolls])

    assert [rolls, bread] == _every_page(room, {"kind": "image"})
    assert [film, bread] == _every_page(room, {"q": "BREAD", "limit": "1"})
    assert [rolls] == _every_page(room, {"used": "true"})
    assert [film, bread] == _every_page(room, {"used": "false", "limit": "1"})
    assert [bread] == _every_page(room, {"used": "false", "kind": "image"})


def test_a_file_is_found_by_what_is_said_of_it(room: Room) -> None:
    bread, _ = _file(room, "IMG_0001.jpg"), _file(room, "IMG_0002.jpg")
    room.ask("PATCH", f"/v1/media/{bread}", body={"alt_text": "Four loaves of rye"})

    assert [bread] == _every_page(room, {"q": "RYE"})


def test_a_cursor_of_another_workspace_is_refused(house: House, room: Room) -> None:
    other = house.room()
    for name in ("1.jpg", "2.jpg"):
        _file(other, name)
    cursor = _next(other.get("/v1/media", {"limit": "1"}))["cursor"]

    answer = room.get("/v1/media", {"cursor": cursor})

    assert [("value_error", ["query", "cursor"])] == answer.problems
