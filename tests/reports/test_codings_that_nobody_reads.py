"""What no program that publishes reads is refused at its upload, hours before it would be sent."""

import base64
import io

import av
import pytest
from PIL import Image

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import PhotoRecipe
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.media.photo_fitting import fit_photo
from tests.support.copies import Copies
from tests.support.prepared_files import seekable
from tests.support.sample_media import samples

ANY = PhotoRecipe(most_bytes=1_000_000, most_width=1440, most_height=1440)
ARITHMETIC = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1"
    "tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/yQALCAAQABABAREA/8wABgAQEAX/2gAIAQEAAD8A/tYs5aBhW3b/AI/g/9k="
)
"""Written by libjpeg-turbo 2.1.5, `cjpeg -arithmetic -grayscale`; browsers do not show it."""


def probed(data: bytes) -> Probed:
    return probe(lambda offset, length: data[offset : offset + length], len(data))


def decoded_size(photo: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(photo)) as shown:
        shown.load()
        return shown.size


def pixel(photo: bytes) -> object:
    with Image.open(io.BytesIO(photo)) as shown:
        return shown.convert("RGB").getpixel((8, 8))


def with_frame(marker: int, *, bits: int = 8, bands: int = 3) -> bytes:
    """Return a JPEG whose frame header says another coding (ITU-T T.81, tables B.1 and B.2)."""
    photo = samples()["plain.jpg"].data
    at = photo.index(b"\xff\xc0") + 1
    head = bytes([marker]) + photo[at + 1 : at + 3] + bytes([bits])
    return photo[:at] + head + photo[at + 4 : at + 8] + bytes([bands]) + photo[at + 9 :]


UNREAD = {
    "12 bits": with_frame(0xC1, bits=12),
    "16 bits, lossless": with_frame(0xC3, bits=16),
    "lossless": with_frame(0xC3),
    "lossless, arithmetic": with_frame(0xCB),
    **{f"hierarchical {marker:X}": with_frame(marker) for marker in (0xC5, 0xC6, 0xC7)},
    **{f"hierarchical {marker:X}": with_frame(marker) for marker in (0xCD, 0xCE, 0xCF)},
    "two colours": with_frame(0xC0, bands=2),
}


@pytest.mark.parametrize("name", UNREAD)
def test_a_jpeg_that_pillow_cannot_decode_is_refused_with_what_to_save_instead(name: str) -> None:
    """A lossless one of 8 bits can be decoded by libjpeg-turbo 3, but not smaller than it is."""
    with pytest.raises(OSError):  # noqa: PT011 - Pillow has no class for it
        decoded_size(UNREAD[name])

    with pytest.raises(UnsupportedMedia, match="Save it again as a usual JPG"):
        probed(UNREAD[name])


def test_an_extended_jpeg_of_8_bits_is_taken_as_decoders_take_it() -> None:
    photo = with_frame(0xC1)

    found = probed(photo)

    assert decoded_size(photo) == (found.width, found.height)
    assert not found.for_print


def test_a_jpeg_in_arithmetic_coding_goes_out_in_the_coding_that_all_read(copies: Copies) -> None:
    sent = copies.sent(Platform.X, ARITHMETIC)
    made = fit_photo(seekable(ARITHMETIC), len(ARITHMETIC), ANY)

    assert sent is not None
    assert made is not None
    for photo in (sent.data, made):
        assert b"\xff\xc9" not in photo
        assert pixel(photo) == pytest.approx(pixel(ARITHMETIC), abs=4)


def with_number(video: bytes, kind: bytes, offset: int, number: int) -> bytes:
    at = video.index(kind) + 4 + offset
    return video[:at] + number.to_bytes(4) + video[at + 4 :]


SILENT = samples()["silent.mp4"].data
EMPTY = {
    "no sizes": with_number(SILENT, b"stsz", 8, 0),
    "no chunks": with_number(SILENT, b"stsc", 4, 0),
    "no offsets": with_number(SILENT, b"stco", 4, 0),
    "no durations": with_number(SILENT, b"stts", 4, 0),
    **{f"without {kind.decode()}": SILENT.replace(kind, b"free") for kind in (b"stsz", b"stco")},
}
"""ISO/IEC 14496-12, 8.6.1.2 and 8.7.3 to 8.7.5: four tables, each with its number of entries."""


@pytest.mark.parametrize("name", EMPTY)
def test_a_video_whose_index_lists_no_picture_is_refused_with_what_to_do(name: str) -> None:
    with av.open(io.BytesIO(EMPTY[name]), "r", format="mov") as video:
        shown = len([*video.decode(video=0)])

    with pytest.raises(UnsupportedMedia, match="lists no pictures, so export or download it again"):
        probed(EMPTY[name])

    assert shown == 0


def test_a_video_with_fewer_sizes_than_durations_is_taken_as_players_play_it() -> None:
    video = with_number(SILENT, b"stsz", 8, 3)

    with av.open(io.BytesIO(video), "r", format="mov") as played:
        shown = len([*played.decode(video=0)])

    assert shown == 3
    assert probed(video).duration_s == 4
