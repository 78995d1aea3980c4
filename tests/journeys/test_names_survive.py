"""A file's name in any script comes out as it went in, whichever way it goes.

RFC 7578 and HTML ("Multipart form data") for forms, RFC 6266 and 8187 for addresses that are
fetched, Unicode annex 15 for letters that are composed or not.
"""

from collections.abc import Iterator
from unicodedata import normalize
from urllib.parse import quote

import pytest

from chalicelib.domain.media.query import MediaQuery
from chalicelib.http.upload_form import UploadForm
from chalicelib.kit.file_names import name_in
from chalicelib.storage.media.store import disposition
from tests.services.media.file_host import VIDEO, FileHost, run_file_host
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import MediaRooms, a_caller, media_rooms

ADA = a_caller()
A_PHOTO = 80
NAMES = {
    "an umlaut": "Bäckerei.mp4",
    "an umlaut, as a Mac takes it apart": normalize("NFD", "Bäckerei.mp4"),
    "Japanese": "朝のパン.mp4",
    "emoji": "🥖👩\u200d🍳.mp4",
    "Hebrew": "לחם טרי.mp4",
    "Persian, with a joiner": "\u0646\u0627\u0646\u200c\u0647\u0627.mp4",
    "quotes": 'the "best" rye.mp4',
    "a percent sign": "100% rye.mp4",
    "300 bytes": "パ" * 98 + "ab.mp4",
    "more than is kept": "r" * 300 + ".mp4",
}
BROKEN = {"line ends": "rye\r\nbread.mp4", "a null": "rye\0bread.mp4"}


@pytest.fixture(params=[*NAMES.values(), *BROKEN.values()], ids=[*NAMES, *BROKEN])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def kept(name: str) -> str:
    """Return what is right: composed letters, nothing that breaks a line, the ending."""
    whole = normalize("NFC", name).replace("\r", "").replace("\n", "").replace("\0", "")
    return whole if len(whole) <= 255 else whole[:251] + whole[-4:]


@pytest.fixture
def host() -> Iterator[FileHost]:
    with run_file_host() as running:
        yield running


@pytest.fixture
def rooms(emulator: EmulatorProcess, host: FileHost) -> MediaRooms:
    settings = make_resources(emulator.endpoint)
    return media_rooms(settings, trusted=frozenset({host.origin}))


def in_form(header: str) -> str | None:
    body = f'--b\r\nContent-Disposition: form-data; name="file"; {header}\r\n\r\n'.encode()
    form = UploadForm("multipart/form-data; boundary=b")
    form.read(body + b"bytes\r\n--b--\r\n")
    return form.filename


def test_a_name_goes_through_every_door_and_out_again(
    rooms: MediaRooms, host: FileHost, name: str
) -> None:
    browsers = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    spelled = {
        "plain": f'filename="{browsers}"',
        "extended": f"filename=\"x.mp4\"; filename*=UTF-8''{quote(name, safe='')}",
    }
    ways = {way: rooms.library.upload(ADA, in_form(of), VIDEO) for way, of in spelled.items()}
    for way, url in {
        "by its address": f"{host.origin}/named/{quote(name, safe='')}",
        "by its host": f"{host.origin}/said/{quote(name, safe='')}",
    }.items():
        upload = rooms.fetched.begin(ADA, url)
        rooms.fetched.fetch(upload.id)
        ways[way] = rooms.library.get(ADA, upload.id)

    assert {way: kept(name) for way in ways} == {way: of.filename for way, of in ways.items()}
    begun = rooms.direct.begin(ADA, filename=name, size_bytes=A_PHOTO)
    assert kept(name) == rooms.direct.state(ADA, begun.id).filename
    assert kept(name) == name_in(disposition(kept(name)))
    assert MediaQuery(text=normalize("NFD", kept(name)[:60])).fits(ways["plain"])


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("attachment; filename=rye.jpg", "rye.jpg"),
        ('attachment; filename="a \\"b\\".jpg"', 'a "b".jpg'),
        ("attachment; filename*=UTF-8''%E2%82%AC%20rates.jpg; filename=\"E.jpg\"", "€ rates.jpg"),
        ("inline; filename*=iso-8859-1'en'%A3%20rates.jpg", "£ rates.jpg"),
        ('inline; filename="caf\xe9.jpg"', "café.jpg"),
        ('inline; filename="caf\xc3\xa9.jpg"', "café.jpg"),
        ("inline", None),
        ("", None),
    ],
)
def test_a_hosts_header_is_read_as_its_standard_says(header: str, expected: str | None) -> None:
    """RFC 6266, section 5; RFC 8187, section 3.2.2."""
    assert expected == name_in(header)
