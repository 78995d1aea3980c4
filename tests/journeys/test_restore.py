"""Rehearsal of a restore (docs/operations.md): tables go back in time, nothing goes out twice.

The sandbox platform keeps what went out after the backup, as a real platform would.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex

import pytest

from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.post import Post
from chalicelib.storage.moving.marks import Mark, MoveStep
from infra.restore import EngineRunsError, Restore
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _recovered(room: EngineRoom, table: str) -> str:
    """Copy a table as it is now, as DynamoDB recovers it: under another name, without indexes."""
    dynamodb, copy = room.deployment.clients.dynamodb, f"{table}-recovered-{token_hex(2)}"
    dynamodb.create_table(
        TableName=copy,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk")],
        KeySchema=[
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
    )
    for row in dynamodb.scan(TableName=table)["Items"]:
        dynamodb.put_item(TableName=copy, Item=row)
    return copy


def _backups(room: EngineRoom) -> dict[str, str]:
    tables = (room.deployment.tables.posts, room.deployment.tables.directory)
    return {table: _recovered(room, table) for table in tables}


def _restore(room: EngineRoom, backups: dict[str, str]) -> None:
    restore = Restore(
        dynamodb=room.deployment.clients.dynamodb, directory_table=room.deployment.tables.directory
    )
    for home, recovered in backups.items():
        restore.run(recovered, home)


def _pass_time(room: EngineRoom, time: timedelta) -> None:
    """Let time go by, running each target when it wakes, under the switch as it is."""
    end = room.clock() + time
    while refs := room.waking(end):
        room.clock.now = max(room.clock(), refs[0].wake_at)
        for ref in refs:
            if ref.wake_at <= room.clock():
                room.fire_worker.run(ref)
    room.clock.now = end


def _resume(room: EngineRoom, since: datetime) -> None:
    room.deployment.stores.engine_switch.resume_confirming(since, now=room.clock())


def test_what_went_out_after_the_backup_is_found_and_not_sent_again(room: EngineRoom) -> None:
    sent = room.scheduled("Out after the backup", in_=HOUR)
    later = room.scheduled("Due after the restore", in_=5 * HOUR)
    backup_at, backups = room.clock(), _backups(room)
    _pass_time(room, 2 * HOUR)
    before = room.target(sent).remote_id

    room.deployment.stores.engine_switch.pause()
    _lose(room, sent)
    _restore(room, backups)
    assert room.target(sent).status == "scheduled"
    _resume(room, backup_at)
    _pass_time(room, 4 * HOUR)

    assert [entry.remote_id for entry in room.taken(sent)] == [before]
    assert (room.target(sent).status, room.target(sent).remote_id) == ("published", before)
    assert (room.target(later).status, len(room.taken(later))) == ("published", 1)


def test_what_the_outage_kept_from_going_out_goes_out_once(room: EngineRoom) -> None:
    unsent = room.scheduled("Due while it was paused", in_=HOUR)
    backup_at, backups = room.clock(), _backups(room)

    room.deployment.stores.engine_switch.pause()
    room.clock.pass_time(2 * HOUR)
    _restore(room, backups)
    _resume(room, backup_at)
    _pass_time(room, HOUR)

    assert (room.target(unsent).status, len(room.taken(unsent))) == ("published", 1)


def _move_nearer(room: EngineRoom, post: Post) -> None:
    change = TargetChange(id=post.targets[0].id, scheduled_at=room.clock() + MINUTE)
    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(targets=(change,)))


def _edit(room: EngineRoom, post: Post) -> None:
    changes = PostChanges(caption="Better words")
    room.deployment.posting.drafts.edit(room.caller, post.id, changes)
    _move_nearer(room, post)


def _publish_now(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.scheduling.publish_now(room.caller, post.id)


@pytest.mark.parametrize("change", [_move_nearer, _edit, _publish_now])
@pytest.mark.parametrize("lost", [False, True], ids=["rows of today", "no rows of today"])
def test_what_was_due_next_week_and_went_out_after_the_backup_stays_one_post(
    room: EngineRoom, change: Callable[[EngineRoom, Post], None], *, lost: bool
) -> None:
    post = room.scheduled("Next week's bread", in_=timedelta(days=7))
    backup_at, backups = room.clock(), _backups(room)
    room.clock.pass_time(MINUTE)
    change(room, post)
    _pass_time(room, HOUR)
    sent = [entry.remote_id for entry in room.taken(post)]
    assert len(sent) == 1

    room.deployment.stores.engine_switch.pause()
    if lost:
        _lose(room, post)
    _restore(room, backups)
    _resume(room, backup_at)
    _pass_time(room, timedelta(days=8))

    assert [entry.remote_id for entry in room.taken(post)] == sent
    assert (room.target(post).status, room.target(post).remote_id) == ("published", sent[0])


def _lose(room: EngineRoom, post: Post) -> None:
    """Delete a post's rows, as the accident did that made the restore necessary."""
    table = room.deployment.tables.posts
    for row in room.deployment.clients.dynamodb.scan(TableName=table)["Items"]:
        if row["pk"]["S"] == post.id:
            key = {"pk": row["pk"], "sk": row["sk"]}
            room.deployment.clients.dynamodb.delete_item(TableName=table, Key=key)


def test_what_waited_for_a_retry_in_the_backup_is_looked_for_too(room: EngineRoom) -> None:
    post = room.scheduled("Bread sandbox:flaky:2", in_=MINUTE)
    _pass_time(room, MINUTE)
    assert room.target(post).progress.retries
    room.clock.pass_time(timedelta(seconds=1))
    backup_at, backups = room.clock(), _backups(room)
    _pass_time(room, HOUR)

    room.deployment.stores.engine_switch.pause()
    _lose(room, post)
    _restore(room, backups)
    _resume(room, backup_at)
    _pass_time(room, HOUR)

    assert len(room.taken(post)) == 1
    assert room.target(post).status == "published"


def test_what_was_refused_at_its_visible_call_before_the_backup_is_looked_for_too(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread sandbox:refuse:1:600", in_=MINUTE)
    _pass_time(room, 2 * MINUTE)
    assert room.target(post).progress.retries
    backup_at, backups = room.clock(), _backups(room)
    _pass_time(room, HOUR)

    room.deployment.stores.engine_switch.pause()
    _lose(room, post)
    _restore(room, backups)
    _resume(room, backup_at)
    _pass_time(room, HOUR)

    assert (len(room.taken(post)), room.target(post).status) == (1, "published")


def test_what_was_looked_for_after_one_restore_is_looked_for_after_the_next_one(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread sandbox:refuse:1:3600", in_=MINUTE)
    first_at, first = room.clock(), _backups(room)
    room.deployment.stores.engine_switch.pause()
    _restore(room, first)
    _resume(room, first_at)
    _pass_time(room, 10 * MINUTE)
    assert room.target(post).progress.looked_for is not None
    second_at, second = room.clock(), _backups(room)
    _pass_time(room, 2 * HOUR)

    room.deployment.stores.engine_switch.pause()
    _lose(room, post)
    _restore(room, second)
    _resume(room, second_at)
    _pass_time(room, HOUR)

    assert (len(room.taken(post)), room.target(post).status) == (1, "published")


def test_what_is_made_after_a_restore_goes_out_on_its_second(room: EngineRoom) -> None:
    backup_at, backups = room.clock(), _backups(room)
    room.clock.pass_time(HOUR)
    room.deployment.stores.engine_switch.pause()
    _restore(room, backups)
    _resume(room, backup_at)
    room.clock.pass_time(timedelta(seconds=1))

    post = room.scheduled("Made after the restore", in_=timedelta(seconds=20))
    due = room.target(post).due_at
    _pass_time(room, HOUR)

    assert [entry.created_at for entry in room.taken(post)] == [due]


def test_without_confirming_the_same_restore_sends_twice(room: EngineRoom) -> None:
    """The proof that the rehearsal would notice: so little late, nothing is looked for."""
    sent = room.scheduled("Out after the backup", in_=HOUR)
    backups = _backups(room)
    _pass_time(room, HOUR + 9 * MINUTE)

    room.deployment.stores.engine_switch.pause()
    _lose(room, sent)
    _restore(room, backups)
    room.deployment.stores.engine_switch.resume()
    _pass_time(room, HOUR)

    assert len(room.taken(sent)) == 2


def test_a_pause_survives_the_restore_of_the_table_that_holds_it(room: EngineRoom) -> None:
    backups = _backups(room)

    room.deployment.stores.engine_switch.pause()
    _restore(room, backups)

    assert room.deployment.stores.engine_switch.read().paused


def test_rows_younger_than_the_backup_are_gone_after_it(room: EngineRoom) -> None:
    backups = _backups(room)
    young = room.draft("Made after the backup")

    room.deployment.stores.engine_switch.pause()
    _restore(room, backups)

    table = room.deployment.tables.posts
    rows = room.deployment.clients.dynamodb.scan(TableName=table)["Items"]
    assert young.id not in {row["pk"]["S"] for row in rows}


def test_nothing_is_restored_under_a_running_engine(room: EngineRoom) -> None:
    backups = _backups(room)

    with pytest.raises(EngineRunsError):
        _restore(room, backups)


def test_the_mark_of_a_move_that_came_after_the_backup_stays(room: EngineRoom) -> None:
    backups = _backups(room)
    mark = Mark(
        workspace_id=room.caller.workspace_id,
        step=MoveStep.CLEARED,
        place="stage prod",
        mover="1",
        since=room.clock(),
    )
    room.deployment.stores.marks.take(mark, None)
    room.deployment.stores.engine_switch.pause()

    _restore(room, backups)

    assert mark == room.deployment.stores.marks.find(room.caller.workspace_id)
