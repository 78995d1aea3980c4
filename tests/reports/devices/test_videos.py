"""Every device's video goes to every platform as the platform takes it; ffprobe and exiftool judge.

A few, drawn anew by each day's seed, are judged by our own probe in `make test`.
"""

import random
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.media.video_demands import has_other_pictures, has_other_sound
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.reports.devices.ffprobe import copy_faults, faults, picture_of, report
from tests.reports.devices.videos import VIDEOS
from tests.support.copies import Copies, probed
from tests.support.exiftool import tags, telling
from tests.support.films import film
from tests.support.sampled import a_quarter_of

PLATFORMS = [platform for platform in Platform if FACTS[platform].videos is not None]
SEED = 50


@pytest.mark.oracle
@pytest.mark.parametrize("device", a_quarter_of(VIDEOS))
def test_a_devices_video_leaves_as_each_platform_takes_it(
    copies: Copies, device: str, tmp_path: Path
) -> None:
    how = VIDEOS[device]
    source = film(how)
    judged: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}

    for platform in PLATFORMS:
        sent = copies.sent(platform, source)
        if sent is None:
            assert "mpeg4" == how.codec  # told by `check`: its decoder is not allowed (ADR 0016)
            continue
        if sent.recipe not in judged:
            told = telling(tags(sent.data, tmp_path))
            judged[sent.recipe] = (report(sent.data, tmp_path), told)
        found, told = judged[sent.recipe]

        assert [] == list(faults(platform, sent.data, found)), (device, platform)
        assert {} == told, (device, platform)
        picture = picture_of(found)
        if "h264" in sent.recipe:
            assert [] == list(copy_faults(picture)), (device, platform)
        assert float(picture["duration"]) == pytest.approx(_lasts(source), abs=0.1)
        sounds = [one for one in found["streams"] if one["codec_type"] == "audio"]
        assert (how.sound is None) == (not sounds)


def _lasts(source: bytes) -> float:
    return probed(source).duration_s or 0


@pytest.mark.costly
@pytest.mark.parametrize("device", random.Random(SEED).sample(sorted(VIDEOS), 6))
def test_a_devices_video_becomes_what_its_platforms_page_says(copies: Copies, device: str) -> None:
    source = film(VIDEOS[device])

    for platform in (Platform.X, Platform.INSTAGRAM, Platform.TIKTOK):
        sent = copies.sent(platform, source)

        assert sent is not None
        rules = FACTS[platform].videos
        assert rules is not None
        found = probed(sent.data)
        assert not has_other_pictures(found, rules), (device, platform, found.coding)
        assert not has_other_sound(found, rules)


def test_there_are_sixty_of_them() -> None:
    assert len(VIDEOS) >= 60
