"""Whether a claimed target may begin, as tables: docs/engine.md."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from chalicelib.domain.engine.admission import (
    excuse_step,
    find_deletion,
    find_refusal,
    must_catch_up,
    note_lateness,
    suspect,
    suspect_late,
    without_copy,
)
from chalicelib.domain.engine.decision import Facts, Over, Rest
from chalicelib.domain.engine.failures import (
    DELETED,
    GONE,
    GONE_IN_DOUBT,
    LATE,
    NO_CONNECTOR,
    NOT_CONVERTED,
)
from chalicelib.domain.outcome import Checkpoint, Failed, Sent
from chalicelib.domain.posts.progress import Progress
from chalicelib.domain.posts.target import Target
from tests.support.builders import a_post, a_target
from tests.support.frozen_clock import NOON

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
SENT = Sent(text="Rye", media_ids=(), at=NOON, not_after=NOON + 20 * SECOND)
DUE = a_target(scheduled_at=NOON).schedule(NOON, now=NOON - HOUR, lead=timedelta(0))
IN_DOUBT = replace(
    DUE, progress=Progress(checkpoint=Checkpoint("publish"), sent=SENT, unanswered=True)
)
TRIED = replace(DUE, progress=Progress(tries=1, retries=True))
RECLAIMED = replace(DUE, progress=Progress(wakes=2))
PLACED = replace(DUE, progress=Progress(catching_up=True))


@pytest.mark.parametrize(
    ("target", "has_account", "is_served", "late", "refusal"),
    [
        (DUE, True, True, 24 * HOUR, None),
        (DUE, True, True, 24 * HOUR + SECOND, LATE),
        (TRIED, True, True, 25 * HOUR, None),
        (IN_DOUBT, True, True, 25 * HOUR, None),
        (DUE, False, True, SECOND, GONE),
        (IN_DOUBT, False, True, SECOND, GONE_IN_DOUBT),
        (DUE, True, False, SECOND, NO_CONNECTOR),
        (IN_DOUBT, True, False, SECOND, NO_CONNECTOR),
    ],
)
def test_what_cannot_go_out_is_refused(
    target: Target,
    has_account: bool,  # noqa: FBT001 - a column of the table
    is_served: bool,  # noqa: FBT001 - as above
    late: timedelta,
    refusal: Failed | None,
) -> None:
    found = find_refusal(target, has_account=has_account, is_served=is_served, now=NOON + late)

    assert found is refusal


@pytest.mark.parametrize(
    ("target", "deleted_at", "end"),
    [
        (TRIED, NOON, DELETED),
        (RECLAIMED, NOON, DELETED),
        (DUE, NOON, None),
        (IN_DOUBT, NOON, None),
        (TRIED, None, None),
    ],
    ids=[
        "after a refusal",
        "after a worker that died",
        "the try that is under way ends by itself",
        "in doubt: looked for first",
        "nobody deleted it",
    ],
)
def test_a_deleted_post_is_not_tried_again(
    target: Target, deleted_at: datetime | None, end: Failed | None
) -> None:
    post = replace(a_post(targets=[target]), deleted_at=deleted_at)

    assert find_deletion(target, post) is end


@pytest.mark.parametrize(
    ("target", "late", "waits"),
    [
        (DUE, 10 * MINUTE, False),
        (DUE, 10 * MINUTE + SECOND, True),
        (PLACED, HOUR, False),
        (IN_DOUBT, HOUR, False),
    ],
)
def test_what_is_found_late_waits_for_its_place(
    target: Target,
    late: timedelta,
    waits: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert must_catch_up(target, NOON - HOUR, NOON + late) is waits


@pytest.mark.parametrize(
    ("now", "asked", "wake_at"),
    [
        (NOON - MINUTE, timedelta(seconds=0.2), NOON - MINUTE + 5 * SECOND),
        (NOON - MINUTE, 7 * SECOND, NOON - MINUTE + 7 * SECOND),
        (NOON - 14 * SECOND, timedelta(seconds=0.2), NOON - timedelta(seconds=13.8)),
        (NOON + MINUTE, timedelta(seconds=0.2), NOON + timedelta(seconds=60.2)),
    ],
    ids=["unhurried", "as long as asked", "near its second", "after its second"],
)
def test_a_target_waits_for_its_file(now: datetime, asked: timedelta, wake_at: datetime) -> None:
    verdict = without_copy(DUE, now, asked, Facts(now=now))

    assert isinstance(verdict, Rest)
    assert verdict.target.progress.wake_at == wake_at


@pytest.mark.parametrize(
    ("since", "over_at"),
    [
        (NOON - 10 * MINUTE, NOON + HOUR),
        (NOON + 10 * MINUTE, NOON + HOUR + 10 * MINUTE),
        (NOON + 5 * HOUR, NOON + 6 * HOUR),
    ],
    ids=["asked for ahead", "asked for a little late", "found late, after an outage"],
)
def test_a_file_that_is_never_made_fails_its_target_after_an_hour(
    since: datetime, over_at: datetime
) -> None:
    last, late = Facts(now=over_at), Facts(now=over_at + SECOND)

    assert isinstance(without_copy(DUE, since, SECOND, last), Rest)
    assert without_copy(DUE, since, SECOND, late) == Over(target=DUE, failed=NOT_CONVERTED)


BACKUP, RESTART = NOON - 6 * HOUR, NOON - HOUR


@pytest.mark.parametrize(
    ("created_at", "progress", "is_suspected"),
    [
        (BACKUP - HOUR, Progress(), True),
        (RESTART + SECOND, Progress(), False),
        (BACKUP - HOUR, Progress(looked_for=RESTART), False),
        (BACKUP - HOUR, Progress(looked_for=RESTART - SECOND), True),
        (BACKUP - HOUR, Progress(sent=SENT), False),
        (BACKUP - HOUR, Progress(sent=replace(SENT, at=BACKUP)), True),
    ],
    ids=[
        "of the backup",
        "made after it",
        "looked for after this restore",
        "looked for after an earlier one",
        "sent since the restore",
        "in doubt in the backup",
    ],
)
def test_a_restored_target_is_looked_for_before_it_is_sent(
    created_at: datetime,
    progress: Progress,
    is_suspected: bool,  # noqa: FBT001 - a column of the table
) -> None:
    target = replace(DUE, progress=progress)
    post = replace(a_post(targets=[target]), created_at=created_at)

    suspected = suspect(post, target, BACKUP, RESTART)

    assert (suspected.progress.sent != target.progress.sent) is is_suspected
    assert suspect(post, target, None, None) == target


FOUND_LATE = replace(DUE, progress=Progress(late_since=NOON - HOUR))


@pytest.mark.parametrize(
    ("target", "woken_for", "late", "is_missed"),
    [
        (DUE, NOON, 10 * MINUTE, False),
        (DUE, NOON, 10 * MINUTE + SECOND, True),
        (DUE, NOON + 55 * MINUTE, HOUR, False),
        (replace(DUE, progress=Progress(checkpoint=Checkpoint("send"))), NOON, HOUR, True),
        (TRIED, NOON + 40 * MINUTE, HOUR, True),
        (TRIED, NOON + 55 * MINUTE, HOUR, False),
        (RECLAIMED, NOON + 55 * MINUTE, HOUR, True),
        (RECLAIMED, NOON, 10 * MINUTE, False),
        (IN_DOUBT, NOON, HOUR, False),
        (replace(DUE, due_at=None), NOON, HOUR, False),
    ],
    ids=[
        "hardly late",
        "after an outage",
        "it waited for a place",
        "prepared before it",
        "its retry is late",
        "its retry is in time",
        "its worker died and it is late",
        "its worker died",
        "in doubt already",
        "without a time",
    ],
)
def test_what_is_late_after_an_outage_says_since_when(
    target: Target,
    woken_for: datetime,
    late: timedelta,
    is_missed: bool,  # noqa: FBT001 - a column of the table
) -> None:
    found = note_lateness(target, woken_for, NOON + late)

    assert found == (target.miss(NOON) if is_missed else target)


@pytest.mark.parametrize(
    ("since", "woken_for", "now", "counts_from"),
    [
        (NOON - 8 * MINUTE, NOON, NOON + 3 * HOUR, NOON + 3 * HOUR),
        (NOON + MINUTE, NOON + 5 * MINUTE, NOON + 3 * HOUR, NOON + 3 * HOUR - 4 * MINUTE),
        (NOON - 8 * MINUTE, NOON - 5 * MINUTE, NOON + 3 * HOUR, NOON + 3 * HOUR),
        (NOON - 8 * MINUTE, NOON, NOON + 10 * MINUTE, NOON - 8 * MINUTE),
        (NOON, NOON + 3 * HOUR, NOON + 3 * HOUR + SECOND, NOON),
        (None, NOON, NOON + 3 * HOUR, None),
    ],
    ids=[
        "prepared ahead: all of its time is left",
        "four minutes were gone when the outage began",
        "the outage began before it was due",
        "hardly late",
        "its platform was asked all the time",
        "nothing was begun",
    ],
)
def test_a_step_has_after_an_outage_the_time_that_it_had_before(
    since: datetime | None, woken_for: datetime, now: datetime, counts_from: datetime | None
) -> None:
    at = Progress(checkpoint=Checkpoint("upload"), checkpoint_since=since)

    excused = excuse_step(replace(DUE, progress=at), woken_for, now)

    assert excused.progress == replace(at, checkpoint_since=counts_from)


def test_what_was_found_late_once_keeps_its_first_time() -> None:
    assert note_lateness(FOUND_LATE, NOON, NOON + HOUR) is FOUND_LATE


def test_what_was_found_late_is_looked_for_from_then_on() -> None:
    post = a_post(targets=[FOUND_LATE], caption="Rye")

    suspected = suspect_late(post, FOUND_LATE, NOON)

    sent = Sent(text="Rye", media_ids=post.media_ids, at=NOON - HOUR, not_after=NOON)
    assert suspected == FOUND_LATE.suspect(sent)


@pytest.mark.parametrize("target", [DUE, FOUND_LATE.suspect(SENT)], ids=["in time", "in doubt"])
def test_what_is_in_time_or_in_doubt_is_not_looked_for_as_late(target: Target) -> None:
    assert suspect_late(a_post(targets=[target]), target, NOON + HOUR) is target


def test_what_was_found_late_stays_so_until_it_was_looked_for() -> None:
    failed = FOUND_LATE.fail("auth_expired", "Sign in again.", now=NOON)

    again = failed.send_now(now=NOON + HOUR, lead=timedelta(0))

    assert again.progress.late_since == NOON - HOUR
    assert not again.fires_next
    assert again.miss(None).fires_next
