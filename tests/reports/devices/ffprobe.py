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


def streams(video: bytes, folder: Path) -> list[dict[str, Any]]:
    """Return the streams that ffprobe finds."""
    program = shutil.which("ffprobe")
    if program is None:
        pytest.fail("ffprobe is not installed: apt-get install ffmpeg")
    path = folder / "left.mp4"
    path.write_bytes(video)
    asked = [program, "-v", "error", "-show_streams", "-count_frames", "-of", "json", str(path)]
    said = subprocess.run(asked, capture_output=True, check=True, timeout=120)
    assert not said.stderr, said.stderr.decode()
    found: list[dict[str, Any]] = json.loads(said.stdout)["streams"]
    return found


def faults(platform: Platform, found: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what the platform would not take, or would show wrongly."""
    picture = next(one for one in found if one["codec_type"] == "video")
    yield from _coding_faults(platform, picture)
    yield from _measure_faults(platform, picture)
    for sound in (one for one in found if one["codec_type"] == "audio"):
        if platform in _PLAIN_SOUND and (
            sound["codec_name"] != "aac"
            or sound["profile"] != "LC"
            or sound["channels"] > 2
            or int(sound["sample_rate"]) > 48_000
        ):
            yield f"sound {sound['codec_name']} {sound['channels']} {sound['sample_rate']}"


def _coding_faults(platform: Platform, picture: dict[str, Any]) -> Iterator[str]:
    name, form = picture["codec_name"], picture["pix_fmt"]
    if platform is P.YOUTUBE:
        return
    if name == "h264" and form not in {"yuv420p", "yuvj420p"}:
        yield f"H.264 in {form}"
    if "422" in form or "444" in form or "gbr" in form:
        yield f"colours in {form}"
    if platform in _H264_ALONE and name != "h264":
        yield name
    if platform not in _SHOW_HDR and picture.get("color_transfer") in _HDR:
        yield f"HDR: {picture['color_transfer']}"
    if platform in _PROGRESSIVE and picture.get("field_order") not in {None, "progressive"}:
        yield f"fields: {picture['field_order']}"


def _measure_faults(platform: Platform, picture: dict[str, Any]) -> Iterator[str]:
    width, height = picture["width"], picture["height"]
    if platform is not P.YOUTUBE and picture.get("sample_aspect_ratio") not in {None, "1:1"}:
        yield f"pixels of {picture['sample_aspect_ratio']}"
    fewest, most = _RATES.get(platform, (0, 1_000))
    rate = float(Fraction(picture["avg_frame_rate"]))
    if not fewest <= rate <= most:
        yield f"{rate} pictures a second"
    if platform is P.TIKTOK and (min(width, height) < 360 or max(width, height) > 4096):
        yield f"{width} x {height}"
    if platform in {P.INSTAGRAM, P.THREADS} and width > 1920:
        yield f"{width} columns"
