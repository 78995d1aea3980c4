"""What exiftool finds in a file: nobody here wrote it, and it knows the places that cameras use.

https://exiftool.org; Debian: apt-get install libimage-exiftool-perl. `-ee3` also reads what lies in
tracks of time and searches a video's media for places. One process answers for all files of a run:
it begins anew in more time than it takes to read a photo.
"""

import atexit
import json
import re
import shutil
import subprocess
from functools import cache
from itertools import takewhile
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
    path = folder / name
    path.write_bytes(file)
    found: dict[str, Any] = json.loads(_said_of(path))[0]
    return {key: value for key, value in found.items() if not key.startswith(_OF_THE_FILE)}


def _said_of(path: Path) -> bytes:
    """Have the running exiftool read a file, which it must be able to; return what it says."""
    program = _running()
    assert program.stdin is not None
    assert program.stdout is not None
    asked = ("-a", "-u", "-U", "-G1:4", "-ee3", "-s", "-n", "-j", "-b", str(path))
    lines = "".join(f"{word}\n" for word in (*asked, "-echo3", "status ${status}", "-execute"))
    program.stdin.write(lines.encode())
    program.stdin.flush()
    *said, status = takewhile(lambda line: line != b"{ready}\n", program.stdout)
    assert b"status 0\n" == status, path
    return b"".join(said)


@cache
def _running() -> "subprocess.Popen[bytes]":
    program = shutil.which("exiftool")
    if program is None:
        pytest.fail("exiftool is not installed: apt-get install libimage-exiftool-perl")
    asked = [program, "-stay_open", "True", "-@", "-"]
    started = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(started.communicate, b"-stay_open\nFalse\n")
    return started


def telling(found: dict[str, Any]) -> dict[str, Any]:
    """Return the tags that tell a place, a device, a serial number or of a hidden picture."""
    return {
        key: value
        for key, value in found.items()
        if _TELLING.search(key.rpartition(":")[2]) and not key.startswith(_OF_THE_COLOURS)
    }
