"""Every device's photo goes to every platform upright, in its colours, and with nothing beside it.

Right values: CIPA DC-008 (orientation), the ICC's profiles by LittleCMS, and exiftool, which finds
what a file tells. A few, drawn by a seed, are judged without it in `make test`.
"""

import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageCms, ImageOps

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.reports.devices.exiftool import TAKEN, faults
from tests.reports.devices.photos import FIELDS, GREY, PHOTOS, SIZE
from tests.support.copies import Copies
from tests.support.exiftool import tags, telling
from tests.support.sampled import a_quarter_of

PLATFORMS = [platform for platform in Platform if FACTS[platform].photos is not None]
SEED = 51
_NEAR = 10
"""How far a channel may be off: a JPEG's own loss."""


def _fields(picture: Image.Image) -> Iterator[tuple[int, ...]]:
    """Yield the colour in the middle of each of the four fields."""
    for place in range(4):
        x = picture.width // 4 * (1 + place % 2 * 2)
        y = picture.height // 4 * (1 + place // 2 * 2)
        found = picture.getpixel((x, y))
        assert isinstance(found, tuple)
        yield found


def in_srgb(picture: Image.Image) -> Image.Image:
    """Return what a viewer shows that follows the profile in the file."""
    profile = picture.info.get("icc_profile")
    plain = picture.convert("RGB")
    if profile is None:
        return plain
    space = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    shown = ImageCms.profileToProfile(plain, space, ImageCms.createProfile("sRGB"))
    assert shown is not None
    return shown


def _judge(device: str, platform: Platform, sent: bytes) -> None:
    with Image.open(io.BytesIO(sent)) as opened:
        opened.load()
        assert opened.mode in {"RGB", "RGBA", "L", "P"}, (device, platform, opened.mode)
        picture = in_srgb(ImageOps.exif_transpose(opened))
    assert picture.width / picture.height == pytest.approx(SIZE[0] / SIZE[1], abs=0.01)
    if device in GREY:
        return
    for found, wanted in zip(_fields(picture), FIELDS, strict=True):
        off = max(abs(a - b) for a, b in zip(found, wanted, strict=True))
        assert off <= _NEAR, (device, platform, found, wanted)


@pytest.mark.oracle
@pytest.mark.parametrize("device", a_quarter_of(PHOTOS))
def test_a_devices_photo_leaves_upright_and_tells_nothing(
    copies: Copies, device: str, tmp_path: Path
) -> None:
    source = PHOTOS[device]()
    judged: dict[bytes, dict[str, Any]] = {}

    for platform in PLATFORMS:
        sent = copies.sent(platform, source)

        assert sent is not None, (device, platform)
        if sent.data not in judged:
            _judge(device, platform, sent.data)
            judged[sent.data] = tags(sent.data, tmp_path)
        found = judged[sent.data]
        assert telling(found) == {}, (device, platform)
        assert list(faults(platform, sent.data, found)) == [], (device, platform)


@pytest.mark.parametrize("device", random.Random(SEED).sample(sorted(PHOTOS), 6))
def test_a_devices_photo_keeps_its_fields_of_colour(copies: Copies, device: str) -> None:
    for platform in (Platform.BLUESKY, Platform.INSTAGRAM):
        sent = copies.sent(platform, PHOTOS[device]())

        assert sent is not None
        _judge(device, platform, sent.data)


def test_every_platform_that_takes_photos_is_judged() -> None:
    assert set(PLATFORMS) == set(TAKEN)
    assert len(PHOTOS) >= 34
