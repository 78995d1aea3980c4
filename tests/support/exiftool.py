"""What exiftool finds in a file: nobody here wrote it, and it knows the places that cameras use.

https://exiftool.org; Debian: apt-get install libimage-exiftool-perl. `-ee3` also reads what lies in
tracks of time and searches a video's media for places.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

needs_exiftool = pytest.mark.oracle

_TELLING = re.compile(
    r"gps|latitude|longitude|altitude|location|geotag|country|city|serial|make$|model$|device|lens"
    r"|makernote|thumbnail|preview(?!time|duration)|mpf|motionphoto|microvideo|host|trailer|firmware|camera",
    re.IGNORECASE,
)
_OF_THE_COLOURS = ("ICC",)
_OF_THE_FILE = ("System", "ExifTool", "Composite")


def tags(file: bytes, folder: Path, name: str = "left") -> dict[str, Any]:
    """Return every tag that exiftool finds, by group and name."""
    program = shutil.which("exiftool")
    if program is None:
        pytest.fail("exiftool is not installed: apt-get install libimage-exiftool-perl")
    path = folder / name
    path.write_bytes(file)
    asked = [program, "-a", "-u", "-U", "-G1:4", "-ee3", "-s", "-n", "-j", "-b", str(path)]
    said = subprocess.run(asked, capture_output=True, check=True, timeout=240).stdout
    found: dict[str, Any] = json.loads(said)[0]
    return {key: value for key, value in found.items() if not key.startswith(_OF_THE_FILE)}


def telling(found: dict[str, Any]) -> dict[str, Any]:
    """Return the tags that tell a place, a device, a serial number or of a hidden picture."""
    return {
        key: value
        for key, value in found.items()
        if _TELLING.search(key.rpartition(":")[2]) and not key.startswith(_OF_THE_COLOURS)
    }
