"""A workspace's picture: set by owners and admins, seen clean and small by whoever has a link."""

import io
import random
import re
import struct
import tracemalloc
import zlib
from base64 import b64decode
from itertools import starmap

import pytest
from PIL import ExifTags, Image

from chalicelib.domain.media.workspace_pictures import LARGEST_BYTES, SMALL_SIDE
from chalicelib.domain.workspace.access import Role
from tests.api.http_room import House
from tests.support.films import Film, film
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser, Page, a_photo

PAGE = "/app/settings?page=workspace"
TO = "/app/settings/picture"
_FROM_LIBRARY = f"{TO}/library"
PLACE = b"Marktplatz"
_TURNED = 6
_SHOWN = re.compile(r'<img class="face ws" src="data:image/(\w+);base64,([^"]+)"')


@pytest.fixture
def browser(house: House) -> Browser:
    """Return the browser of an owner whose workspace uses approvals."""
    house.clock.now = NOON
    return Browser.of(house.room(approvals=True)).signed_in()


def photo(width: int, height: int, kind: str = "JPEG", turn: int = 1) -> bytes:
    """Return a photo that says where and by which camera it was taken."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = turn
    exif[ExifTags.Base.Model] = PLACE.decode()
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    out = io.BytesIO()
    Image.new("RGB", (width, height), "wheat").save(out, kind, exif=exif)
    return out.getvalue()


def kept(page: Page) -> bytes:
    """Return the picture that a page shows of the workspace."""
    found = _SHOWN.search(page.text)
    assert found is not None, page.text
    return b64decode(found[2])


def link(browser: Browser) -> str:
    """Return the address of a new review link."""
    post = browser.room.member(Role.CONTRIBUTOR).draft(caption="Fresh bread")
    page = browser.open(browser.send(f"/app/review/{post['id']}/link").location)
    found = re.search(r"http://127.0.0.1:8000(/review/[\w-]+)", page.text)
    assert found is not None, page.text
    return found[1]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(photo(200, 200), id="small"),
        pytest.param(photo(2_000, 1_500), id="large"),
        pytest.param(photo(300, 200, turn=_TURNED), id="on its side"),
        pytest.param(photo(200, 200, "PNG"), id="PNG"),
        pytest.param(photo(200, 200, "WEBP"), id="WebP"),
    ],
)
def test_a_review_link_shows_it_small_and_without_what_the_photo_says(
    browser: Browser, data: bytes
) -> None:
    assert PLACE in data

    browser.upload(data, "logo", to=TO)

    seen = kept(Browser.of(browser.room).open(link(browser)))
    shown = Image.open(io.BytesIO(seen))
    assert len(seen) <= LARGEST_BYTES
    assert max(shown.size) <= max(SMALL_SIDE, 200)
    assert PLACE not in seen
    assert dict(shown.getexif()) == {}
    assert seen == kept(browser.open(PAGE))


def test_a_photo_on_its_side_stands_upright(browser: Browser) -> None:
    browser.upload(photo(300, 200, turn=_TURNED), "logo.jpg", to=TO)

    shown = Image.open(io.BytesIO(kept(browser.open(PAGE))))

    assert shown.width < shown.height


def test_a_revoked_link_shows_it_no_more(browser: Browser) -> None:
    browser.upload(a_photo(), "logo.jpg", to=TO)
    address = link(browser)
    revoke = re.search(r"/app/links/\w+/revoke", browser.open("/app/review").text)
    assert revoke is not None
    stranger = Browser.of(browser.room)
    assert _SHOWN.search(stranger.open(address).text) is not None

    browser.send(revoke[0])

    page = stranger.open(address)
    assert page.status == 404
    assert "data:image" not in page.text


def test_a_clients_page_shows_it(browser: Browser) -> None:
    browser.upload(a_photo(), "logo.jpg", to=TO)
    account = browser.room.account("linkedin")
    fields = {"name": "Bakery", "days": "30", "account": account}
    page = browser.open(browser.send("/app/review/clients", fields).location)
    found = re.search(r"http://127.0.0.1:8000(/review/client/[\w-]+)", page.text)
    assert found is not None

    assert kept(Browser.of(browser.room).open(found[1])) == kept(browser.open(PAGE))


def test_the_first_letter_of_the_name_stands_where_there_is_none(browser: Browser) -> None:
    browser.upload(a_photo(), "logo.jpg", to=TO)

    browser.send(f"{TO}/remove")

    page = Browser.of(browser.room).open(link(browser)).text
    assert _SHOWN.search(page) is None
    assert '<span class="face ws" aria-hidden="true">' in page


@pytest.mark.parametrize("role", [Role.EDITOR, Role.CONTRIBUTOR, Role.VIEWER])
def test_only_owners_and_admins_set_or_remove_it(browser: Browser, role: Role) -> None:
    browser.upload(a_photo(), "logo.jpg", to=TO)
    mine, other = kept(browser.open(PAGE)), browser.as_role(role)

    answers = [other.upload(photo(90, 90), "other.jpg", to=TO), other.send(f"{TO}/remove")]

    assert [answer.status for answer in answers] == [403, 403]
    assert TO not in other.open(PAGE).text
    assert kept(browser.open(PAGE)) == mine


def test_an_admin_sets_it(browser: Browser) -> None:
    admin = browser.as_role(Role.ADMIN)

    admin.upload(a_photo(), "logo.jpg", to=TO)

    assert kept(admin.open(PAGE))


def _bomb() -> bytes:
    """Return a PNG of a few bytes that would unpack to gigabytes."""
    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(64))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(starmap(_chunk, parts))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _video() -> bytes:
    """Return the beginning of an MP4."""
    return b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + bytes(64)


NO_PHOTO = "Choose a JPEG, PNG or WebP: a photo or a logo."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b"<html><script>alert(1)</script></html>" * 9, NO_PHOTO, id="a page"),
        pytest.param(b"<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>", NO_PHOTO, id="SVG"),
        pytest.param(_video(), NO_PHOTO, id="a video"),
        pytest.param(b"", NO_PHOTO, id="nothing"),
        pytest.param(a_photo()[:300], "it is cut short", id="cut off"),
        pytest.param(_bomb(), "at most 110 million", id="a bomb"),
        pytest.param(photo(10, 10) + bytes(1_100_000), "at most 1 MB", id="too many bytes"),
    ],
)
def test_another_file_is_refused_with_a_sentence(browser: Browser, data: bytes, said: str) -> None:
    browser.upload(a_photo(), "logo.jpg", to=TO)
    before = kept(browser.open(PAGE))

    answer = browser.upload(data, "logo.jpg", to=TO)

    assert answer.status in {400, 413, 415, 422}
    assert said in answer.problem
    assert kept(browser.open(PAGE)) == before


def test_the_page_tells_its_script_how_large_a_picture_may_be(browser: Browser) -> None:
    assert f'data-small="{LARGEST_BYTES}"' in browser.open(PAGE).text


def test_a_photo_of_the_library_becomes_it(browser: Browser) -> None:
    photo_id = browser.room.upload(photo(2_000, 1_500, turn=_TURNED), "oven.jpg")
    assert f'name="media" value="{photo_id}" aria-label="Use oven.jpg"' in browser.open(PAGE).text

    browser.send(_FROM_LIBRARY, {"media": photo_id})

    seen = kept(browser.open(PAGE))
    shown = Image.open(io.BytesIO(seen))
    assert shown.width < shown.height == SMALL_SIDE
    assert PLACE not in seen


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        pytest.param("film.mp4", film(Film()), 422, id="a video"),
        pytest.param("oven.jpg", a_photo(), 404, id="another workspace's photo"),
    ],
)
def test_only_a_photo_of_its_own_library_does(
    browser: Browser, house: House, name: str, data: bytes, status: int
) -> None:
    room = browser.room if status == 422 else house.room()

    answer = browser.send(_FROM_LIBRARY, {"media": room.upload(data, name)})

    assert answer.status == status
    assert _SHOWN.search(browser.open(PAGE).text) is None


def test_a_deleted_photo_does_not(browser: Browser) -> None:
    photo_id = browser.room.upload(a_photo(), "oven.jpg")
    browser.room.draft("x", media_ids=[photo_id])
    browser.send(f"/app/library/{photo_id}/delete")

    answer = browser.send(_FROM_LIBRARY, {"media": photo_id})

    assert answer.status == 409
    assert photo_id not in browser.open(PAGE).text


def test_a_large_photo_of_the_library_is_not_held_in_memory(browser: Browser) -> None:
    rows = bytes(random.Random(5).randbytes(3_000 * 3_000 * 3))
    out = io.BytesIO()
    Image.frombytes("RGB", (3_000, 3_000), rows).save(out, "PNG", compress_level=0)
    media = browser.upload(out.getvalue(), "noise.png").location.partition("media=")[2]

    tracemalloc.start()
    answer = browser.send(_FROM_LIBRARY, {"media": media})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert answer.status == 303
    assert len(out.getvalue()) > 25_000_000 > 3 * most
