"""A file that tells where it was taken goes to platforms, and nobody there learns it.

It is uploaded, sent to test accounts and to the fake Bluesky; what they received is read here byte
by byte, and by exiftool where that is at hand (`make test-oracles`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.bluesky.rig import a_rig
from tests.support.emulator import EmulatorProcess
from tests.support.exiftool import needs_exiftool, tags, telling
from tests.support.telling_photos import (
    AUTHOR,
    CREDIT,
    CREDITS,
    RIGHTS,
    SECRETS,
    telling_jpeg,
    telling_png,
    telling_webp,
)
from tests.workers.media.studio import IN_TIME, Studio, a_studio

P = Platform
PHOTOS: Mapping[str, Callable[[], bytes]] = {
    "upright.jpg": telling_jpeg,
    "turned.jpg": lambda: telling_jpeg(6),
    "progressive.jpg": lambda: telling_jpeg(progressive=True),
    "upright.png": telling_png,
    "turned.png": lambda: telling_png(8),
    "upright.webp": telling_webp,
    "turned.webp": lambda: telling_webp(3),
}
TAKES_PHOTOS = (
    *(P.INSTAGRAM, P.TIKTOK, P.X, P.REDDIT, P.BLUESKY),
    *(P.FACEBOOK, P.LINKEDIN, P.PINTEREST, P.THREADS),
)


@pytest.fixture
def studio(emulator: EmulatorProcess, tmp_path: Path) -> Studio:
    return a_studio(emulator, tmp_path)


def published(studio: Studio, name: str, data: bytes, to: tuple[Platform, ...]) -> None:
    post = studio.post(studio.upload(data, name), {platform: {} for platform in to})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] * len(to) == studio.outcomes(post)


def received_by_bluesky(file: MediaFile) -> bytes:
    """Send a prepared file over the real connector; return the bytes that arrived."""
    rig = a_rig()
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=file)}
    assert isinstance(rig.drive("photo").run(), Done)
    (upload,) = (call for call in rig.platform.calls if call.name.endswith("uploadBlob"))
    assert upload.size == len(upload.body) == file.size_bytes
    return upload.body


@pytest.mark.parametrize("name", PHOTOS)
def test_no_platform_learns_where_a_photo_was_taken(studio: Studio, name: str) -> None:
    published(studio, name, PHOTOS[name](), TAKES_PHOTOS)

    sent = {platform: studio.sent(platform)[1] for platform in TAKES_PHOTOS}
    assert {} == {platform: s for platform, file in sent.items() for s in SECRETS if s in file}
    assert all(word in file for file in sent.values() for word in CREDITS[1:2])
    received = received_by_bluesky(studio.sent(P.BLUESKY)[0])
    assert sent[P.BLUESKY] == received


@needs_exiftool
@pytest.mark.parametrize("name", PHOTOS)
def test_exiftool_finds_credits_and_no_place_in_a_photo_that_left(
    studio: Studio, tmp_path: Path, name: str
) -> None:
    assert telling(tags(PHOTOS[name](), tmp_path, name))

    published(studio, name, PHOTOS[name](), TAKES_PHOTOS)

    for platform in TAKES_PHOTOS:
        file, data = studio.sent(platform)
        found = tags(data, tmp_path, file.filename)
        assert {} == telling(found)
        words = " ".join(map(str, found.values()))
        assert all(credit in words for credit in (AUTHOR, CREDIT, RIGHTS))
        assert not any(key.endswith(":Orientation") for key in found)
