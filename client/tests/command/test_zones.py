"""Zones of the client follow the package tzdata, and the program around it keeps its own.

The zones changed in 2026 (NEWS.md of the package tzdata); the second reader is the C library's.
"""

import json
import os
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzdata

from goldenhour.spoken.times import UnclearTime, find_zone, parse_time

RULES = Path(tzdata.__file__).parent / "zoneinfo"
CHANGED = (
    "America/Vancouver", "America/Winnipeg", "America/Edmonton", "America/Rainy_River",
    "America/Inuvik", "America/Yellowknife", "Africa/Casablanca", "Africa/El_Aaiun",
    "America/Havana",
)  # fmt: skip
FIRST = datetime(2026, 1, 1, tzinfo=timezone.utc)
_BY_THE_C_LIBRARY = """
import json, sys, time
print(json.dumps([time.localtime(at).tm_gmtoff for at in json.load(sys.stdin)]))
"""
_WITHIN_A_PROGRAM = """
import zoneinfo
from datetime import datetime
before = zoneinfo.TZPATH
from goldenhour.spoken.times import find_zone
at, name = datetime(2026, 11, 20, 9), "America/Vancouver"
print(find_zone(name).utcoffset(at).total_seconds())
print(zoneinfo.ZoneInfo(name).utcoffset(at).total_seconds(), zoneinfo.TZPATH == before)
"""


def _child(code: str, *, given: str = "", **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **settings},
        input=given,
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    return done.stdout


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_zone_is_as_a_second_reader_has_it(name: str) -> None:
    moments = [FIRST + timedelta(hours=hour) for hour in range(2 * 365 * 24)]
    given = json.dumps([int(moment.timestamp()) for moment in moments])

    told = json.loads(_child(_BY_THE_C_LIBRARY, given=given, TZ=f":{RULES / name}"))

    zone = find_zone(name)
    ours = [moment.astimezone(zone).utcoffset() for moment in moments]
    assert [timedelta(seconds=offset) for offset in told] == ours
    assert name == zone.key == str(zone)


def test_an_old_machine_is_not_asked_and_its_programs_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "America").mkdir()
    (tmp_path / "America" / "Vancouver").write_bytes((RULES / "Asia" / "Tokyo").read_bytes())

    told = _child(_WITHIN_A_PROGRAM, PYTHONTZPATH=str(tmp_path))

    assert ["-25200.0", "32400.0 True"] == told.splitlines()


def test_a_time_is_read_by_the_new_rules() -> None:
    now = datetime(2026, 11, 20, 18, tzinfo=timezone.utc)

    read = parse_time("tomorrow 09:00", find_zone("America/Vancouver"), now)

    assert datetime(2026, 11, 21, 16, tzinfo=timezone.utc) == read


@pytest.mark.parametrize("name", ["", "..", "../zones", "/etc/passwd", "America", "Mars/Base", "é"])
def test_what_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(UnclearTime, match="no time zone"):
        find_zone(name)


def test_every_zone_can_be_read_and_is_one_object() -> None:
    names = (RULES.parent / "zones").read_text("utf-8").split()

    zones = [find_zone(name) for name in names]

    assert names == [zone.key for zone in zones]
    assert all(find_zone(name) is zone for name, zone in zip(names, zones, strict=True))
    assert isinstance(zones[0], ZoneInfo)
