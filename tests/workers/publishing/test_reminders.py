"""The Free plan at its second: nothing is sent, the author is reminded; plans that change since."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.target import CHECK_AHEAD, TargetStatus
from chalicelib.domain.workspace.access import Plan
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path, plan=Plan.FREE)


def change_plan(room: EngineRoom, plan: Plan) -> None:
    room.deployment.stores.workspaces.update(room.caller.workspace_id, plan=plan)
    room.caller = replace(room.caller, plan=plan)


def told(room: EngineRoom, post: Post) -> list[Action]:
    history = room.deployment.stores.posts.history(post.id)
    assert history.attempts == ()
    return [event.action for event in history.events]


@pytest.mark.parametrize("platform", [Platform.LINKEDIN, Platform.X])
def test_at_its_second_nothing_is_sent_and_the_author_is_reminded(
    room: EngineRoom, platform: Platform
) -> None:
    post = room.scheduled("Fresh bread https://bakery.example", in_=MINUTE, platforms=(platform,))

    room.pass_time(MINUTE - timedelta(seconds=1))
    before = room.target(post)
    room.pass_time(HOUR)

    target = room.target(post)
    assert before.status is TargetStatus.SCHEDULED
    assert (target.status, target.waits_to_be_posted) == (TargetStatus.DRAFT, True)
    assert (target.scheduled_at, target.progress.wake_at) == (before.scheduled_at, None)
    assert room.post(post).status is PostStatus.DRAFT
    assert room.taken(post) == []
    assert told(room, post)[-1] is Action.TARGET_REMINDED
    assert told(room, post).count(Action.TARGET_REMINDED) == 1


def test_a_reminder_is_not_checked_over_and_over(room: EngineRoom) -> None:
    """A check that came for one sent itself again at once, until its second."""
    post = room.scheduled("Fresh bread", in_=10 * MINUTE)
    own, (target,) = post.workspace_id, post.targets
    wakes = TargetRef(post.id, target.id, own, room.clock() + 10 * MINUTE - CHECK_AHEAD)
    sent = []
    sqs = room.deployment.clients.sqs.meta.events
    sqs.register("before-parameter-build.sqs", lambda params, **_: sent.append(params))

    told = room.deployment.checking.risks.check(replace(wakes, kind=MessageKind.TICK_CHECK))

    assert (told, sent) == (0, [])


def test_publish_now_reminds_now(room: EngineRoom) -> None:
    post = room.draft("Fresh bread")

    room.deployment.posting.scheduling.publish_now(room.caller, post.id)
    room.pass_time(MINUTE)

    assert (room.taken(post), room.target(post).waits_to_be_posted) == ([], True)


def test_what_is_reminded_of_may_be_scheduled_again(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    room.pass_time(HOUR)

    at = room.clock() + MINUTE
    room.deployment.posting.scheduling.schedule(room.caller, post.id, at=at)
    waits = room.target(post).waits_to_be_posted
    room.pass_time(HOUR)

    assert (waits, room.target(post).waits_to_be_posted) == (False, True)
    assert told(room, post).count(Action.TARGET_REMINDED) == 2


def test_what_was_scheduled_before_the_plan_ended_goes_out(room: EngineRoom) -> None:
    change_plan(room, Plan.STARTER)
    post = room.scheduled("Fresh bread", in_=MINUTE)
    change_plan(room, Plan.FREE)

    room.pass_time(HOUR)

    assert (len(room.taken(post)), room.target(post).status) == (1, TargetStatus.PUBLISHED)


@pytest.mark.parametrize(("platform", "sent"), [(Platform.LINKEDIN, 1), (Platform.X, 0)])
def test_after_an_upgrade_what_needs_no_allowance_is_sent(
    room: EngineRoom, platform: Platform, sent: int
) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE, platforms=(platform,))
    change_plan(room, Plan.STARTER)

    room.pass_time(HOUR)

    assert len(room.taken(post)) == sent
    assert room.target(post).waits_to_be_posted is (sent == 0)


def test_there_and_back_between_scheduling_and_the_second_is_a_reminder(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    change_plan(room, Plan.STUDIO)
    change_plan(room, Plan.FREE)

    room.pass_time(HOUR)

    assert (room.taken(post), room.target(post).waits_to_be_posted) == ([], True)


def test_what_failed_in_doubt_is_looked_for_on_free_and_never_sent_again(room: EngineRoom) -> None:
    change_plan(room, Plan.STARTER)
    post = room.scheduled("Fresh bread sandbox:untellable", in_=MINUTE)
    room.pass_time(2 * HOUR)
    taken = room.taken(post)
    change_plan(room, Plan.FREE)

    room.deployment.posting.scheduling.retry(room.caller, post.id)
    room.pass_time(3 * HOUR)

    assert room.taken(post) == taken
    assert room.target(post).error_code == "outcome_unknown"
