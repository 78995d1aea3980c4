"""Every zone's clock from 2026 to 2028, as the C library reads the same pinned rules.

The C library has a reader of its own for the files of IANA (the code behind zdump) and knows
nothing of Python's zoneinfo.
"""

import functools
import json
import os
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzdata

from chalicelib.domain.times.queue_slots import QueueSlot, upcoming
from tests.domain.times.zone_changes import ALL_ZONES

pytestmark = pytest.mark.oracle

RULES = Path(tzdata.__file__).parent / "zoneinfo"
FIRST, LAST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
STEP = 24 * 3600
NINE = QueueSlot(id="1", weekdays=tuple(range(7)), time="09:00")
CHILD = """
import json, os, sys, time
from bisect import bisect_left
asked = json.load(sys.stdin)
told = {}
for name, moments in asked["zones"].items():
    os.environ["TZ"] = ":" + asked["rules"] + "/" + name
    time.tzset()
    def offset(at):
        return time.localtime(at).tm_gmtoff
    changes = []
    for start in range(asked["first"], asked["last"], asked["step"]):
        before, after = offset(start), offset(start + asked["step"])
        if before != after:
            seconds = range(asked["step"])
            found = bisect_left(seconds, 1, key=lambda s: offset(start + s) != before)
            changes.append([start + found, before, after])
    told[name] = [changes, [time.strftime("%H:%M", time.localtime(at)) for at in moments]]
print(json.dumps(told))
"""

Changes = list[list[int]]
"""When a clock changes, and its offsets before and after, all in seconds."""


def test_every_zone_changes_its_clock_when_the_c_library_says() -> None:
    told = _by_the_c_library({name: [] for name in ALL_ZONES})

    ours = {name: _changes(ZoneInfo(name)) for name in ALL_ZONES}

    assert ours == {name: changes for name, (changes, _) in told.items()}
    assert sum(map(len, ours.values())) > 1_000


def test_a_queue_at_nine_is_at_nine_on_the_days_around_every_change() -> None:
    """No clock changes at nine in the morning, so nine is nine on each of them."""
    day = timedelta(days=1)
    slots = {
        name: [
            int(at.timestamp())
            for change, _, _ in _changes(ZoneInfo(name))
            for at in upcoming([NINE], name, datetime.fromtimestamp(change, UTC) - day, 2 * day)
        ]
        for name in ALL_ZONES
    }

    told = _by_the_c_library(slots)

    clocks = [clock for _, clocks in told.values() for clock in clocks]
    assert len(clocks) > 2_000
    assert set(clocks) == {"09:00"}


@functools.cache
def _changes(zone: ZoneInfo) -> Changes:
    found = []
    for start in range(int(FIRST.timestamp()), int(LAST.timestamp()), STEP):
        before, after = _offset(zone, start), _offset(zone, start + STEP)
        if before != after:
            found.append([_first_differing(zone, start, before), before, after])
    return found


def _first_differing(zone: ZoneInfo, start: int, before: int) -> int:
    return start + bisect_left(
        range(STEP), 1, key=lambda seconds: _offset(zone, start + seconds) != before
    )


def _offset(zone: ZoneInfo, at: int) -> int:
    offset = datetime.fromtimestamp(at, zone).utcoffset()
    assert offset is not None
    return offset // timedelta(seconds=1)


def _by_the_c_library(
    zones: Mapping[str, list[int]],
) -> dict[str, tuple[Changes, list[str]]]:
    asked = {
        "rules": str(RULES),
        "zones": zones,
        "first": int(FIRST.timestamp()),
        "last": int(LAST.timestamp()),
        "step": STEP,
    }
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        env=dict(os.environ),
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told: dict[str, tuple[Changes, list[str]]] = json.loads(done.stdout)
    return told
