"""A 200 to cancel, delete or PATCH means that the old version cannot go out any more."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.errors import AlreadyLive, NothingToCancel
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import PublishQueue
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def test_a_cancelled_target_never_goes_out(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)

    room.deployment.posting.scheduling.cancel(room.caller, post.id)
    room.pass_time(timedelta(days=2))

    assert ("cancelled", []) == (room.target(post).status, room.taken(post))


def test_a_cancelled_target_can_be_scheduled_again(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    room.deployment.posting.scheduling.cancel(room.caller, post.id)

    again = room.deployment.posting.scheduling.schedule(room.caller, post.id)
    room.pass_time(MINUTE)

    assert room.clock() == again.targets[0].scheduled_at
    assert "published" == room.target(post).status


def test_a_hint_of_a_deleted_post_does_nothing(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    wake_message = room.waking(room.clock() + MINUTE)[0]

    room.deployment.posting.drafts.delete(room.caller, post.id)
    room.clock.pass_time(MINUTE)
    room.worker.run(wake_message)

    assert ("cancelled", []) == (room.target(post).status, room.taken(post))


def test_an_edit_goes_out_and_the_old_text_does_not(room: EngineRoom) -> None:
    post = room.scheduled("Old bread", in_=MINUTE)

    changes = PostChanges(caption="New bread")
    room.deployment.posting.drafts.edit(room.caller, post.id, changes)
    room.pass_time(MINUTE)

    assert ["New bread"] == [entry.caption for entry in room.taken(post)]


def test_a_moved_target_goes_at_its_new_time_only(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    later = room.clock() + timedelta(hours=3)
    move = TargetChange(id=post.targets[0].id, scheduled_at=later)

    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(targets=(move,)))
    room.pass_time(timedelta(hours=5))

    assert [later] == [entry.created_at for entry in room.taken(post)]


def test_a_target_that_waits_for_a_retry_can_be_cancelled(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread sandbox:flaky:5", in_=MINUTE)
    room.pass_time(MINUTE)
    assert TargetStatus.PUBLISHING is room.target(post).status

    room.deployment.posting.scheduling.cancel(room.caller, post.id)
    room.pass_time(timedelta(hours=3))

    assert ("cancelled", []) == (room.target(post).status, room.taken(post))


def test_a_target_whose_outcome_is_in_doubt_cannot_be_cancelled(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread sandbox:hidden:300", in_=MINUTE)
    room.pass_time(MINUTE)

    with pytest.raises(NothingToCancel):
        room.deployment.posting.scheduling.cancel(room.caller, post.id)


def test_an_unknown_outcome_keeps_its_caption_fixed_and_retry_looks_first(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Fresh bread sandbox:untellable", in_=MINUTE)
    room.pass_time(timedelta(hours=2))
    assert "outcome_unknown" == room.target(post).error_code

    with pytest.raises(AlreadyLive):
        room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(caption="Other"))
    room.deployment.posting.scheduling.retry(room.caller, post.id)
    room.pass_time(timedelta(hours=2))

    assert 1 == len(room.taken(post))


def test_a_doubled_hint_costs_nothing(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    wake_message = room.waking(room.clock() + MINUTE)[0]
    room.clock.pass_time(MINUTE)

    for _ in range(3):
        room.worker.run(wake_message)

    assert 1 == len(room.taken(post))


def test_a_hint_that_came_early_is_waited_out_and_never_fires_early(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=timedelta(milliseconds=700))
    wake_message = room.waking(room.clock() + MINUTE)[0]
    due = wake_message.wake_at

    room.worker.run(wake_message)

    assert [due] == [entry.created_at for entry in room.taken(post)]


@pytest.mark.parametrize(("early", "sent"), [(3 * MINUTE, 1), (9 * HOUR, 0)])
def test_a_hint_that_came_too_early_is_sent_again_only_where_no_tick_will_do(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch, early: timedelta, sent: int
) -> None:
    """What a clock nine hours ahead had woken was sent again every 15 minutes.

    Found by the simulation (seed 731000430): 69 times, as two ticks had seen that clock.
    """
    room.scheduled("Fresh bread", in_=early)
    wake_message = room.waking(room.clock() + early)[0]
    again: list[TargetRef] = []
    monkeypatch.setattr(PublishQueue, "send", lambda _, refs, **__: again.extend(refs))

    room.worker.run(wake_message)

    assert again == [wake_message] * sent


def test_a_row_that_breaks_every_worker_ends_as_failed(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    target = room.target(post)
    room.deployment.clients.dynamodb.update_item(
        TableName=room.deployment.tables.posts,
        Key={"pk": {"S": post.id}, "sk": {"S": f"TARGET#{target.id}"}},
        UpdateExpression="SET options = :broken",
        ExpressionAttributeValues={":broken": {"S": "{not json"}},
    )

    room.clock.pass_time(MINUTE)
    for _ in range(12):
        for ref in room.waking(room.clock()):
            _run_and_survive(room, ref)
        room.clock.pass_time(timedelta(seconds=70))

    assert [] == room.waking(room.clock() + timedelta(days=1))


def _run_and_survive(room: EngineRoom, ref: TargetRef) -> None:
    try:
        room.worker.run(ref)
    except ValueError:
        return
