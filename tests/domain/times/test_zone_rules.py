"""The pinned rules of time zones win in every process, whatever files the machine has.

A public complaint: a workspace in America/Vancouver got 09:00 at -08:00 in November 2026, by a
machine's rules of 2025. The zones here changed in 2026 (NEWS.md of the package tzdata: 2026b for
British Columbia, 2026c to 2026f for the others); the second reader is the C library's own, which
reads the same pinned files and knows nothing of Python's zoneinfo.
"""

import json
import os
import subprocess
import sys
import zoneinfo
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzdata

from chalicelib.doctor.examination import Verdict
from chalicelib.doctor.zone_checks import PINNED, RELEASED, ZoneChecks, release_date
from chalicelib.domain.times.queue_slots import QueueSlot, next_free
from tests.support.emulator import PROJECT

RULES = Path(tzdata.__file__).parent / "zoneinfo"
CHANGED = {
    "America/Vancouver": -7,
    "America/Winnipeg": -5,
    "America/Edmonton": -6,
    "America/Rainy_River": -5,
    "America/Inuvik": -6,
    "America/Yellowknife": -6,
    "Africa/Casablanca": 0,
    "Africa/El_Aaiun": 0,
    "America/Havana": -4,
}
"""Hours of the offset on 20 November 2026."""

FIRST, LAST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
_BY_THE_C_LIBRARY = """
import json, sys, time
print(json.dumps([time.localtime(at).tm_gmtoff for at in json.load(sys.stdin)]))
"""


def _child(code: str, *, given: str = "", **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env={**os.environ, **settings},
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def old_rules(tmp_path: Path) -> str:
    """Return a folder like an old machine's: there, all nine zones stay on London's time."""
    for name in CHANGED:
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes((RULES / "Europe" / "London").read_bytes())
    return str(tmp_path)


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_zone_is_as_a_second_reader_of_the_pinned_rules_has_it(name: str) -> None:
    every = range(int(FIRST.timestamp()), int(LAST.timestamp()), 1800)
    moments = [datetime.fromtimestamp(at, UTC) for at in every]

    told = json.loads(_child(_BY_THE_C_LIBRARY, given=json.dumps([*every]), TZ=f":{RULES / name}"))

    zone = ZoneInfo(name)
    ours = [moment.astimezone(zone).utcoffset() for moment in moments]
    assert ours == [timedelta(seconds=offset) for offset in told]
    november = datetime(2026, 11, 20, 17, tzinfo=UTC).astimezone(zone).utcoffset()
    assert november == timedelta(hours=CHANGED[name])


@pytest.mark.parametrize("name", CHANGED)
def test_a_queue_in_a_changed_zone_has_its_times_by_the_new_rules(name: str) -> None:
    nine = QueueSlot(id="1", weekdays=tuple(range(7)), time="09:00")

    at = next_free([nine], name, datetime(2026, 11, 20, 18, tzinfo=UTC), taken=())

    assert at == datetime(2026, 11, 21, 9 - CHANGED[name], tzinfo=UTC)


@pytest.mark.parametrize(
    "first", ["chalicelib.local.__main__", "chalicelib.cli.command_line", "app"]
)
def test_every_process_of_the_service_reads_the_pinned_rules(first: str, old_rules: str) -> None:
    code = f"""
import json, zoneinfo
from datetime import datetime, UTC
zoneinfo.ZoneInfo("America/Vancouver")  # whoever was first
import {first}
at = datetime(2026, 11, 20, 17, tzinfo=UTC)
names = {[*CHANGED]}
print(json.dumps([at.astimezone(zoneinfo.ZoneInfo(n)).utcoffset().total_seconds() for n in names]))
"""

    told = json.loads(_child(code, PYTHONTZPATH=old_rules))

    assert told == [hours * 3600 for hours in CHANGED.values()]


def test_an_old_machine_would_be_seen(old_rules: str) -> None:
    code = 'import zoneinfo, datetime as d; print(zoneinfo.ZoneInfo("America/Vancouver").utcoffset'
    code += "(d.datetime(2026, 11, 20)))"

    assert _child(code, PYTHONTZPATH=old_rules).strip() == "0:00:00"


def test_this_process_reads_them_too() -> None:
    assert zoneinfo.TZPATH == ()
    assert tzdata.IANA_VERSION == PINNED


@pytest.mark.parametrize(
    ("version", "days", "verdict"),
    [
        (PINNED, 28, Verdict.OK),
        (PINNED, 180, Verdict.OK),
        (PINNED, 181, Verdict.WARNING),
        ("2027a", 230, Verdict.OK),
        ("2025b", 1, Verdict.WARNING),
    ],
)
def test_the_doctor_tells_which_rules_these_are_and_warns_of_old_ones(
    version: str, days: int, verdict: Verdict
) -> None:
    now = datetime(RELEASED.year, RELEASED.month, RELEASED.day, tzinfo=UTC) + timedelta(days=days)

    [finding] = ZoneChecks(clock=lambda: now, version=version).run()

    assert (finding.verdict, version in finding.message) == (verdict, True)
    assert f"{(now.date() - release_date(version)).days} days old" in finding.message
    assert (finding.advice is not None) == (verdict is Verdict.WARNING)
