"""A whole stack under load and a power cut at any of its writes: nothing lost, nothing sent twice.

The sandbox platform stands for the world outside: what it took, it has taken. Each cut is judged
by what the state then says of every post; some are also started again and run to their end.
"""

import json
import sqlite3
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random

import pytest

from chalicelib.kit.dynamodb.items import Item, plain
from chalicelib.local.stack_modules import STACK_MODULES
from tests.local.caller import Caller
from tests.local.power_cuts.disk import Disk
from tests.local.power_cuts.recording import Record, Recording
from tests.local.running_stack import Stack, eventually, running

pytestmark = [pytest.mark.prove, pytest.mark.compiler]

BUSY_S = 40.0
WRITERS = 4
STARTED_AGAIN = 5
OUTSIDE = "sandbox"
SENT = ("publishing", "published")
STAGES = {"drafted": 1, "scheduled": 2, "changed": 3}


def write_posts(caller: Caller, recording: Recording, writer: int, ends_at: float) -> None:
    """Draft, schedule, and then edit, cancel or delete some; mark every answer."""
    number = 0
    while time.monotonic() < ends_at:
        number += 1
        caption = f"{writer}/{number}"
        post_id = caller.draft(caption)
        recording.mark("drafted", post_id, caption)
        caller.schedule(post_id, in_s=3 + number % 7)
        recording.mark("scheduled", post_id, caption)
        match number % 5:
            case 0:
                caller.call("POST", f"/v1/posts/{post_id}/cancel")
            case 1:
                caller.call("PATCH", f"/v1/posts/{post_id}", {"caption": f"{caption} edited"})
            case 2:
                caller.call("DELETE", f"/v1/posts/{post_id}")
            case _:
                continue
        recording.mark("changed", post_id, caption)


def record_a_busy_stack(folder: Path) -> Recording:
    """Run a stack in full mode under load until its posts are out; return what happened."""
    recording = Recording(folder / "live", folder)
    (folder / "live").mkdir()
    stack = Stack(folder / "live", STACK_MODULES, GOLDENHOUR_SYNC="full", **recording.environment)
    with running(stack):
        caller, ends_at = Caller(stack.data_dir), time.monotonic() + BUSY_S
        threads = [
            threading.Thread(target=write_posts, args=(caller, recording, number, ends_at))
            for number in range(WRITERS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        eventually(lambda: not caller.listed("scheduled"), within_s=60)
    return recording


class Ledger:
    """What was answered so far of each post."""

    def __init__(self) -> None:
        self.stages: dict[str, int] = {}
        self.captions: dict[str, str] = {}

    def take(self, mark: bytes) -> None:
        """Take up one answer."""
        stage, post_id, caption = json.loads(mark)
        self.stages[post_id], self.captions[post_id] = STAGES[stage], caption

    def faults(self, folder: Path) -> list[str]:
        """Return what the state lacks, and what it would send a second time."""
        posts = rows_of(folder)
        lost = [
            f"{self.captions[post_id]} was answered up to stage {stage}, not {found}"
            for post_id, stage in self.stages.items()
            if (found := _stage(posts.get(post_id, []))) < stage
        ]
        with closing(sqlite3.connect(folder / OUTSIDE / "tables.db")) as outside:
            rows = outside.execute("SELECT body FROM item WHERE sk = 'POST'")
            taken = Counter(_row(body)["target_id"] for (body,) in rows)
        targets = {row["sk"]: row for rows in posts.values() for row in rows}
        twice = [
            f"{target_id} is out {count} times and its row is ready to send"
            for target_id, count in taken.items()
            if count > 1 or not _is_safe(targets.get(f"TARGET#{target_id}", {}))
        ]
        return [*lost, *twice]


def rows_of(folder: Path) -> dict[str, list[Item]]:
    """Return the rows of each post as the next start reads them."""
    posts = defaultdict(list)
    with closing(sqlite3.connect(folder / "engine" / "tables.db")) as state:
        for (body,) in state.execute("SELECT body FROM item"):
            row = _row(body)
            if row["sk"] == "POST" or row["sk"].startswith("TARGET#"):
                posts[row["pk"]].append(row)
    return posts


@cache
def _row(body: str) -> Item:
    """Return a row from its text; between two of thousands of cuts hardly any changes."""
    return plain(json.loads(body))


def _stage(rows: list[Item]) -> int:
    """Return how far a post has come, 0 where there is none."""
    if not rows:
        return 0
    post = next(row for row in rows if row["sk"] == "POST")
    target = next(row for row in rows if row["sk"] != "POST")
    is_changed = target["status"] == "cancelled" or post["caption"].endswith("edited")
    if is_changed or post.get("deleted_at"):
        return STAGES["changed"]
    return STAGES["drafted" if target["status"] == "draft" else "scheduled"]


def _is_safe(target: Item) -> bool:
    """Tell whether a target that is out is known to be, or in doubt."""
    return target.get("status") == "published" or (
        target.get("status") == "publishing" and "sent" in target
    )


def run_to_the_end(left: Path, ledger: Ledger) -> None:
    """Start a stack on what a cut left, and count what is out in the end."""
    with running(Stack(left, STACK_MODULES, GOLDENHOUR_SYNC="full")) as stack:
        caller = Caller(stack.data_dir)
        eventually(
            lambda: not caller.listed("scheduled") + caller.listed("publishing"), within_s=240
        )
        taken = caller.sandbox()
    posts = rows_of(left)
    for post_id, caption in ledger.captions.items():
        kept = _stage(posts[post_id])
        statuses = [row["status"] for row in posts[post_id] if row["sk"] != "POST"]
        count = taken[caption] + taken[f"{caption} edited"]
        gone = any(row.get("deleted_at") for row in posts[post_id])
        is_out = kept > 1 and statuses != ["cancelled"] and not gone
        assert count == is_out, f"{caption} is out {count} times, its targets are {statuses}"


def test_no_power_cut_loses_an_answer_or_sends_a_post_twice(tmp_path: Path) -> None:
    recording = record_a_busy_stack(tmp_path)
    records, chance = list(recording.records()), Random(19)
    first = next(place for place, record in enumerate(records) if record.kind == "a")
    cuts = [place for place in range(first, len(records)) if _is_worth_a_cut(records[place])]
    again = chance.sample(cuts, STARTED_AGAIN)

    _start_again(records, again, tmp_path, chance)
    disk, ledger, faults = Disk(), Ledger(), []
    for place, record in enumerate(records):
        _play(record, disk, ledger)
        if place >= first and _is_worth_a_cut(record):
            left = tmp_path / "left"
            disk.leave(left, chance=chance if place % 2 else None, outside=OUTSIDE)
            faults += [f"{fault}, cut at {place}" for fault in ledger.faults(left)]
            _clear(left)

    print(f"\n{len(cuts)} power cuts tried on {len(ledger.stages)} posts: {len(faults)} faults")  # noqa: T201
    print(f"{len(again)} of them started again and run to the end")  # noqa: T201
    assert faults == []


def _start_again(
    records: Sequence[Record], places: Sequence[int], folder: Path, chance: Random
) -> None:
    """Run what some cuts left to its end, side by side and before all cuts are judged.

    What is found ten minutes late goes out one a minute for an account (`CATCHING_UP`).
    """
    disk, ledger, left = Disk(), Ledger(), list[tuple[Path, Ledger]]()
    for place, record in enumerate(records[: max(places) + 1]):
        _play(record, disk, ledger)
        if place in places:
            left.append((folder / f"left-{place}", deepcopy(ledger)))
            disk.leave(left[-1][0], chance=chance if place % 2 else None, outside=OUTSIDE)
    with ThreadPoolExecutor(len(left)) as threads:
        list(threads.map(lambda one: run_to_the_end(*one), left))


def _play(record: Record, disk: Disk, ledger: Ledger) -> None:
    if record.kind == "a":
        ledger.take(record.data)
    else:
        disk.play(record)


def _is_worth_a_cut(record: Record) -> bool:
    """Take the moments just before and after a sync, and those just after an answer."""
    return record.kind in "sSa"


def _clear(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
