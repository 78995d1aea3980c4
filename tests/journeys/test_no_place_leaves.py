"""A file that tells where it was taken goes to platforms, and nobody there learns it.

It is uploaded, sent to test accounts and to the fake Bluesky; what they received is read here byte
by byte, and by exiftool where that is at hand (`make test-oracles`).
"""

import json
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.domain.media.cleaning.photos import is_clean
from chalicelib.domain.media.types import MediaType
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
from tests.support.telling_videos import SECRETS_OF_VIDEOS, plain_video, telling_video
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


VIDEOS: Mapping[str, Callable[[], bytes]] = {
    "film.mp4": telling_video,
    "film.mov": lambda: telling_video("mov"),
}
TAKES_VIDEOS = (*TAKES_PHOTOS, P.YOUTUBE)


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
    with closing(rig.platform):
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


@pytest.mark.parametrize("name", VIDEOS)
def test_no_platform_learns_where_a_video_was_taken(studio: Studio, name: str) -> None:
    published(studio, name, VIDEOS[name](), TAKES_VIDEOS)

    sent = {platform: studio.sent(platform)[1] for platform in TAKES_VIDEOS}
    found = {p: word for p, file in sent.items() for word in SECRETS_OF_VIDEOS if word in file}
    assert {} == found
    assert all(CREDITS[1] in file for file in sent.values())
    covers = {p: studio.sent(p)[0].poster for p in TAKES_VIDEOS}
    stills = [b"".join(cover.source.stream()) for cover in covers.values() if cover is not None]
    assert stills
    assert all(is_clean(MediaType.JPEG, still) for still in stills)


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


@needs_exiftool
@pytest.mark.parametrize("name", VIDEOS)
def test_exiftool_finds_no_place_in_a_video_that_left(
    studio: Studio, tmp_path: Path, name: str
) -> None:
    original = tags(VIDEOS[name](), tmp_path, name)
    assert {"GPSLatitude", "Model", "LocationInformation"} <= {
        key.rpartition(":")[2] for key in telling(original)
    }

    published(studio, name, VIDEOS[name](), TAKES_VIDEOS)

    for platform in TAKES_VIDEOS:
        file, data = studio.sent(platform)
        assert {} == telling(tags(data, tmp_path, file.filename))


@needs_exiftool
@pytest.mark.parametrize("container", ["mp4", "mov"])
def test_nothing_that_exiftool_wrote_into_a_video_leaves_but_its_credits(
    studio: Studio, tmp_path: Path, container: str
) -> None:
    path = tmp_path / f"written.{container}"
    path.write_bytes(plain_video(container))
    written = [
        *("-Keys:GPSCoordinates=48.2082 16.3738 200", "-UserData:GPSCoordinates=48.2 16.3 20"),
        *("-ItemList:GPSCoordinates=48.2082 16.3738 200", "-UserData:LocationInformation=Wien"),
        *("-Keys:Model=Telltale", "-Keys:Make=Telltale", "-XMP-exif:GPSLatitude=48.2"),
        *("-XMP-aux:SerialNumber=4711", f"-XMP-dc:Rights={RIGHTS}", f"-Keys:Copyright={RIGHTS}"),
        *(f"-UserData:Copyright={RIGHTS}", f"-ItemList:Copyright={RIGHTS}"),
    ]
    subprocess.run(["exiftool", "-q", "-overwrite_original", *written, str(path)], check=True)
    assert telling(tags(path.read_bytes(), tmp_path, path.name))

    published(studio, path.name, path.read_bytes(), (P.REDDIT,))

    found = tags(studio.sent(P.REDDIT)[1], tmp_path, path.name)
    assert {} == telling(found)
    assert {"Keys", "UserData", "ItemList"} <= {
        key.split(":")[0] for key, value in found.items() if value == RIGHTS
    }


@needs_exiftool
def test_ffprobe_shows_the_same_pictures_and_no_tag_of_a_place(
    studio: Studio, tmp_path: Path
) -> None:
    published(studio, "film.mov", telling_video("mov"), (P.REDDIT,))

    path = tmp_path / "left.mov"
    path.write_bytes(studio.sent(P.REDDIT)[1])
    asked = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", str(path)]
    said = subprocess.run(asked, capture_output=True, check=True, text=True)
    seen = json.loads(said.stdout)
    assert "" == said.stderr
    assert ["video", "audio"] == [stream["codec_type"] for stream in seen["streams"]]
    told = {name.lower() for part in (seen["format"], *seen["streams"]) for name in part["tags"]}
    assert told <= {
        *("major_brand", "minor_version", "compatible_brands", "encoder", "copyright"),
        *(
            "language",
            "handler_name",
            "vendor_id",
            "creation_time",
            "copyright-eng",
            "com.apple.quicktime.copyright",
        ),
    }
