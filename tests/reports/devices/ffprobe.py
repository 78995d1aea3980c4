"""What ffprobe finds in a video that leaves, held against what platforms' own pages say.

FFmpeg's developers wrote it; the rules stand here once more, apart from our pages of facts.
Debian: apt-get install ffmpeg.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.platforms.platform import Platform

P = Platform
_H264_ALONE = {P.X, P.LINKEDIN}
_PLAIN_SOUND = {P.X, P.INSTAGRAM, P.THREADS}
_PROGRESSIVE = {P.X, P.INSTAGRAM, P.THREADS}
_RATES = {P.INSTAGRAM: (22.7, 60.7), P.THREADS: (22.7, 60.7), P.TIKTOK: (22.7, 60.7)}
_RATES |= {P.X: (0, 60.7), P.FACEBOOK: (23.7, 60.7)}
_SHOW_HDR = {P.YOUTUBE, P.INSTAGRAM, P.FACEBOOK}
_HDR = {"smpte2084", "arib-std-b67"}
_MP4_ALONE = {P.LINKEDIN, P.BLUESKY}
_INDEX_FIRST = {P.INSTAGRAM, P.THREADS}
_MOST_BITS_PER_S = {P.INSTAGRAM: 25_000_000, P.THREADS: 100_000_000}
_PLAYED_BY_PHONES = {"Constrained Baseline", "Baseline", "Main", "High"}
_MACROBLOCKS_PER_S = dict(
    (
        *((9, 1_485), (10, 1_485), (11, 3_000), (12, 6_000), (13, 11_880), (20, 11_880)),
        *((21, 19_800), (22, 20_250), (30, 40_500), (31, 108_000), (32, 216_000)),
        *((40, 245_760), (41, 245_760), (42, 522_240), (50, 589_824), (51, 983_040)),
        (52, 2_073_600),
    )
)
"""By level: ITU-T H.264, table A-1. No phone's decoder goes further than 5.2."""
_CLOCKS_DIFFER = 1.02
_TAGS = ("color_primaries", "color_transfer", "color_space")


def report(video: bytes, folder: Path) -> dict[str, Any]:
    """Return what ffprobe finds: `streams` and `format`."""
    program = shutil.which("ffprobe")
    if program is None:
        pytest.fail("ffprobe is not installed: apt-get install ffmpeg")
    path = folder / "left.mp4"
    path.write_bytes(video)
    asked = [program, "-v", "error", "-show_streams", "-show_format"]
    asked += ["-count_frames", "-of", "json", str(path)]
    said = subprocess.run(asked, capture_output=True, check=True, timeout=240)
    assert not said.stderr, said.stderr.decode()
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def picture_of(found: dict[str, Any]) -> dict[str, Any]:
    """Return the stream of pictures."""
    [picture] = [one for one in found["streams"] if one["codec_type"] == "video"]
    return dict(picture)


def faults(platform: Platform, video: bytes, found: dict[str, Any]) -> Iterator[str]:
    """Yield what the platform would not take, or would show wrongly."""
    picture = picture_of(found)
    yield from _file_faults(platform, video, found["format"])
    yield from _coding_faults(platform, picture)
    yield from _measure_faults(platform, picture)
    for sound in (one for one in found["streams"] if one["codec_type"] == "audio"):
        if platform in _PLAIN_SOUND and (
            sound["codec_name"] != "aac"
            or sound["profile"] != "LC"
            or sound["channels"] > 2
            or int(sound["sample_rate"]) > 48_000
        ):
            yield f"sound {sound['codec_name']} {sound['channels']} {sound['sample_rate']}"


def copy_faults(picture: dict[str, Any]) -> Iterator[str]:
    """Yield what pictures that were made anew say wrongly: BT.709, and what their level allows."""
    size = -(-picture["width"] // 16) * -(-picture["height"] // 16)
    asked, level = size * float(Fraction(picture["avg_frame_rate"])), picture["level"]
    if asked > _MACROBLOCKS_PER_S.get(level, 0) * _CLOCKS_DIFFER:
        yield f"{asked:.0f} macroblocks a second at level {level}"
    said = [picture.get(name) for name in _TAGS]
    if said != ["bt709"] * 3 or picture.get("color_range") != "tv":
        yield f"colours: {said}, {picture.get('color_range')}"


def _file_faults(platform: Platform, video: bytes, file: dict[str, Any]) -> Iterator[str]:
    if platform in _MP4_ALONE and file["tags"]["major_brand"] == "qt  ":
        yield "a QuickTime file"
    if platform in _INDEX_FIRST and video.index(b"moov") > video.index(b"mdat"):
        yield "the index comes last"
    if int(file["bit_rate"]) > _MOST_BITS_PER_S.get(platform, 10**12):
        yield f"{file['bit_rate']} bits a second"


def _coding_faults(platform: Platform, picture: dict[str, Any]) -> Iterator[str]:
    name, form = picture["codec_name"], picture["pix_fmt"]
    if platform is P.YOUTUBE:
        return
    if name == "h264":
        yield from _decoder_faults(picture)
    if "422" in form or "444" in form or "gbr" in form:
        yield f"colours in {form}"
    if platform in _H264_ALONE and name != "h264":
        yield name
    if platform not in _SHOW_HDR and picture.get("color_transfer") in _HDR:
        yield f"HDR: {picture['color_transfer']}"
    if platform in _PROGRESSIVE and picture.get("field_order") not in {None, "progressive"}:
        yield f"fields: {picture['field_order']}"


def _decoder_faults(picture: dict[str, Any]) -> Iterator[str]:
    """Yield why a phone's own decoder would not play H.264."""
    form, level = picture["pix_fmt"], picture["level"]
    if form not in {"yuv420p", "yuvj420p"} or picture["bits_per_raw_sample"] != "8":
        yield f"H.264 in {form}"
    if picture["profile"] not in _PLAYED_BY_PHONES:
        yield f"profile {picture['profile']}"
    if level not in _MACROBLOCKS_PER_S:
        yield f"level {level}"


def _measure_faults(platform: Platform, picture: dict[str, Any]) -> Iterator[str]:
    width, height = picture["width"], picture["height"]
    if platform is not P.YOUTUBE and picture.get("sample_aspect_ratio") not in {None, "1:1"}:
        yield f"pixels of {picture['sample_aspect_ratio']}"
    fewest, most = _RATES.get(platform, (0, 1_000))
    rate = float(Fraction(picture["avg_frame_rate"]))
    if not fewest <= rate <= most:
        yield f"{rate} pictures a second"
    if platform is P.X and (min(width, height) < 32 or not 1 / 3 <= width / height <= 3):
        yield f"{width} x {height}"
    if platform is P.TIKTOK and (min(width, height) < 360 or max(width, height) > 4096):
        yield f"{width} x {height}"
    if platform in {P.INSTAGRAM, P.THREADS} and width > 1920:
        yield f"{width} columns"
