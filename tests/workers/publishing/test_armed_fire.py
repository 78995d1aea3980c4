"""Armed before its second: one write, the call, the outcome; whatever changed meanwhile wins."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import Checkpoint, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import NotSentError
from chalicelib.kit.transport.fence import check_fence, is_only_connecting
from chalicelib.services.operator.connections import Connections
from chalicelib.storage.engine.armed_targets import ArmedTargets
from chalicelib.storage.engine.claims import LeaseLostError, TargetRef
from chalicelib.storage.engine.switch import RecentSwitch, SeenSwitch, SwitchState
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from chalicelib.workers.publishing.arming import Arrival
from chalicelib.workers.publishing.run import Run
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import Clip, encode

MINUTE = timedelta(minutes=1)
VIDEO_PLATFORMS = frozenset(Platform) - {Platform.GOOGLE_BUSINESS_PROFILE}


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path, platforms=tuple(Platform))


class SeenBefore(RecentSwitch):
    """A look at the switch that is as old as a test wants it."""

    def __init__(self, seen: SeenSwitch) -> None:
        self._told = seen

    def read(self) -> SeenSwitch:
        return self._told


def armed_once(room: EngineRoom) -> tuple[Post, Arrival, Run, SwitchState]:
    """Schedule a post in a minute and arm it seconds ahead, with the switch as it was read."""
    [armed] = armed_together(room, 1)
    return armed


def armed_together(room: EngineRoom, posts: int) -> list[tuple[Post, Arrival, Run, SwitchState]]:
    """Do that with several posts of one second."""
    made = [room.scheduled("Bread", in_=MINUTE) for _ in range(posts)]
    room.pass_time(MINUTE - ARM_AHEAD)
    switch = room.deployment.stores.engine_switch.read()
    found = []
    for post in made:
        [ref] = room.wake_messages(post)
        one = Arrival(ref)
        armed = room.fire_worker.arming.arm(one, switch)
        assert isinstance(armed, Run)
        found.append((post, one, armed, switch))
    return found


def _a_post_for(room: EngineRoom, platform: Platform) -> Post:
    """Return a scheduled post that the platform takes: with a video wherever it takes one."""
    services = room.deployment
    media_ids: tuple[str, ...] = ()
    if platform in VIDEO_PLATFORMS:
        media = services.media.library.upload(room.caller, "oven.mp4", encode(Clip(seconds=1)))
        media_ids = (media.id,)
    options = _OPTIONS.get(platform, {})
    target = NewTarget(account_id=room.account_id(platform), options=options)
    draft = NewPost(caption="Bread", media_ids=media_ids, targets=(target,))
    post, _ = services.posting.drafts.create(room.caller, draft)
    return services.posting.scheduling.schedule(room.caller, post.id, at=room.clock() + 20 * MINUTE)


_OPTIONS: dict[Platform, dict[str, Json]] = {
    Platform.TIKTOK: {"privacy_level": "SELF_ONLY"},
    Platform.YOUTUBE: {"title": "Oven"},
    Platform.REDDIT: {"subreddit": "goldenhour_test", "title": "Oven"},
    Platform.PINTEREST: {"board": "810000000000000001"},
}


def _until_armed(room: EngineRoom, post: Post) -> list[str]:
    """Prepare a post, run it from ten seconds ahead; return the calls made after its second."""
    due = room.target(post).due_at
    assert due is not None
    room.pass_time(due - room.clock() - ARM_AHEAD)
    calls: list[str] = []

    def note(model: object, **_: object) -> None:
        if room.clock() >= due:
            calls.append(str(getattr(model, "name", "")))

    for client in (
        room.deployment.clients.dynamodb,
        room.deployment.clients.sqs,
        room.deployment.clients.kms,
    ):
        client.meta.events.register("before-call", note)
    [ref] = room.wake_messages(post)
    room.fire_worker.run(ref)
    return calls


@pytest.mark.parametrize("platform", Platform)
def test_after_the_second_there_is_one_write_the_last_look_the_call_and_the_outcome(
    room: EngineRoom, platform: Platform
) -> None:
    post = _a_post_for(room, platform)
    due = room.target(post).due_at

    calls = _until_armed(room, post)

    assert calls == ["UpdateItem", "GetItem", "TransactWriteItems"]
    assert [entry.created_at for entry in room.taken(post)] == [due]
    assert room.target(post).status is TargetStatus.PUBLISHED


def _cancel(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.scheduling.cancel(room.caller, post.id)


def _delete(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.drafts.delete(room.caller, post.id)


def _retell(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(caption="New bread"))


@pytest.mark.parametrize("stop", [_cancel, _delete, _retell])
def test_what_came_before_the_second_is_heeded_by_an_armed_target(
    room: EngineRoom, stop: Callable[[EngineRoom, Post], None]
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.pass_time(MINUTE - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, room.deployment.stores.engine_switch.read())

    stop(room, post)
    room.clock.pass_time(ARM_AHEAD)
    room.fire_worker.fire(one, armed, room.deployment.stores.engine_switch.read())  # type: ignore[arg-type]

    assert "Bread" not in [entry.caption for entry in room.taken(post)]


def test_what_was_changed_after_it_was_armed_goes_out_at_its_second_as_it_is_now(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    room.pass_time(MINUTE - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, room.deployment.stores.engine_switch.read())

    _retell(room, post)
    room.clock.pass_time(ARM_AHEAD)
    room.fire_worker.fire(one, armed, room.deployment.stores.engine_switch.read())  # type: ignore[arg-type]

    assert [(one.caption, one.created_at) for one in room.taken(post)] == [("New bread", due)]


def test_once_an_account_is_disconnected_nothing_that_was_armed_goes_out(room: EngineRoom) -> None:
    post, one, armed, switch = armed_once(room)

    _connections(room).disconnect(room.target(post).account_id)
    room.clock.pass_time(ARM_AHEAD)
    room.fire_worker.fire(one, armed, switch)

    assert room.taken(post) == []
    assert room.target(post).error_code == "account_removed"


def test_once_an_account_is_disconnected_who_prepares_its_targets_stops(room: EngineRoom) -> None:
    post = _a_post_for(room, Platform.LINKEDIN)
    room.clock.pass_time(12 * MINUTE)
    ref = TargetRef(post.id, post.targets[0].id, post.workspace_id, room.clock())
    lease = Lease(token="upload", until=room.clock() + LEASE)
    held = room.deployment.stores.targets.claim(ref, lease, now=room.clock())
    assert isinstance(held, Target)

    _connections(room).disconnect(held.account_id)

    with pytest.raises(LeaseLostError):
        room.deployment.stores.targets.save(ref, held, lease.token)


def test_a_reconnected_account_outdates_what_is_armed_and_nothing_that_is_far(
    room: EngineRoom,
) -> None:
    near = room.scheduled("Bread", in_=MINUTE)
    far = room.scheduled("Cake", in_=60 * MINUTE)
    account = room.deployment.stores.account_repository.get(
        near.workspace_id, near.targets[0].account_id
    )
    assert account is not None

    deployment = room.deployment
    outdated = ArmedTargets(deployment.clients.dynamodb, deployment.tables).outdate(
        account, now=room.clock()
    )

    assert outdated == 1
    assert room.target(near).version == near.targets[0].version + 2
    assert room.target(far).version == far.targets[0].version


def _connections(room: EngineRoom) -> Connections:
    return room.deployment.people.connections


def test_it_is_published_when_the_platform_answered_and_not_when_that_was_kept(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    room.pass_time(MINUTE - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    switch = room.deployment.stores.engine_switch.read()
    one = Arrival(ref)
    armed = room.fire_worker.arming.arm(one, switch)
    room.clock.pass_time(ARM_AHEAD)

    keep = room.fire_worker.fire(one, armed, switch)  # type: ignore[arg-type]
    room.clock.pass_time(timedelta(seconds=5))
    assert keep is not None
    keep()

    history = room.deployment.stores.posts.history(post.id)
    assert room.target(post).published_at == due
    assert [attempt.lateness_s for attempt in history.attempts] == [0.0]


def test_an_armed_target_is_still_scheduled_and_held_by_nobody(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.pass_time(MINUTE - ARM_AHEAD)
    before = room.target(post)
    [ref] = room.wake_messages(post)

    room.fire_worker.arming.arm(Arrival(ref), room.deployment.stores.engine_switch.read())

    assert room.target(post) == before


def test_two_who_armed_the_same_target_fire_it_once(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.pass_time(MINUTE - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    switch = room.deployment.stores.engine_switch.read()
    arrivals = [Arrival(ref) for _ in range(2)]
    armed = [room.fire_worker.arming.arm(one, switch) for one in arrivals]
    room.clock.pass_time(ARM_AHEAD)

    for one, run in zip(arrivals, armed, strict=True):
        room.fire_worker.fire(one, run, switch)  # type: ignore[arg-type]

    assert len(room.taken(post)) == 1


def test_what_is_far_behind_its_second_costs_one_look_at_the_switch_more(room: EngineRoom) -> None:
    """A burst that outlasts five seconds has enough to do: nothing else is read again."""
    post, one, armed, switch = armed_once(room)
    calls: list[str] = []

    def note(model: object, **_: object) -> None:
        calls.append(str(getattr(model, "name", "")))

    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=60))
    room.deployment.clients.dynamodb.meta.events.register("before-call", note)
    rest = room.fire_worker.fire(one, armed, switch)

    assert rest is not None
    assert calls == ["GetItem", "UpdateItem", "GetItem"]
    assert [entry.created_at for entry in room.taken(post)] == [room.clock()]


def test_a_late_burst_looks_at_the_switch_once_a_second(room: EngineRoom) -> None:
    armed = armed_together(room, 3)
    reads = []

    def read() -> SwitchState:
        reads.append(room.clock())
        return room.deployment.stores.engine_switch.read()

    worker = replace(room.fire_worker, late_switch=RecentSwitch(read, room.clock))
    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=60))
    for post, one, run, switch in armed[:2]:
        worker.fire(one, run, switch)
        assert len(room.taken(post)) == 1
    room.deployment.stores.engine_switch.pause()
    room.clock.pass_time(timedelta(seconds=1))
    post, one, run, switch = armed[2]
    worker.fire(one, run, switch)

    assert room.taken(post) == []
    assert len(reads) == 2


def test_a_look_at_the_switch_counts_from_when_it_was_read(room: EngineRoom) -> None:
    """Whoever paused the engine waits 17 s: five of them are for what was looked at before."""
    post, one, run, switch = armed_once(room)

    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=60))
    late = SeenBefore(SeenSwitch(switch, room.clock() - timedelta(seconds=5.1)))
    replace(room.fire_worker, late_switch=late).fire(one, run, switch)

    assert room.taken(post) == []


def test_what_is_later_than_an_outage_would_make_it_waits_its_turn(room: EngineRoom) -> None:
    post, one, armed, switch = armed_once(room)
    went: list[TargetRef] = []

    room.clock.pass_time(ARM_AHEAD + 11 * MINUTE)
    worker = replace(room.fire_worker, slower_way=lambda ref, _: went.append(ref))
    worker.fire(one, armed, switch)

    assert room.taken(post) == []
    assert len(went) == 1


def test_what_changed_while_a_burst_made_it_late_is_read_anew_and_goes_out_as_it_is_now(
    room: EngineRoom,
) -> None:
    post, one, armed, switch = armed_once(room)

    _retell(room, post)
    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=6))
    rest = room.fire_worker.fire(one, armed, switch)

    assert rest is not None
    rest()
    assert [entry.caption for entry in room.taken(post)] == ["New bread"]
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_a_restore_is_heeded_by_what_was_armed_too_long_ago(room: EngineRoom) -> None:
    """It may have gone out after the backup: it is looked for before it is sent."""
    post, one, armed, switch = armed_once(room)
    went: list[TargetRef] = []

    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=6))
    room.deployment.stores.engine_switch.resume_confirming(room.clock() - MINUTE, now=room.clock())
    worker = replace(room.fire_worker, slower_way=lambda ref, _: went.append(ref))
    worker.fire(one, armed, switch)

    assert room.taken(post) == []
    assert len(went) == 1


def test_a_pause_stops_what_was_armed_too_long_ago(room: EngineRoom) -> None:
    post, one, armed, switch = armed_once(room)

    room.deployment.stores.engine_switch.pause()
    room.clock.pass_time(ARM_AHEAD + timedelta(seconds=6))
    room.fire_worker.fire(one, armed, switch)

    assert room.taken(post) == []
    assert room.target(post).status is TargetStatus.SCHEDULED


def test_a_paused_engine_arms_nothing(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)

    room.deployment.stores.engine_switch.pause()
    room.fire_worker.run(ref)

    assert room.taken(post) == []


EARLY = timedelta(seconds=40)


def test_what_comes_early_is_armed_when_it_always_is(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    [ref] = room.wake_messages(post)
    room.clock.pass_time(MINUTE - EARLY)

    room.fire_worker.run(ref)

    looks = int((EARLY - ARM_AHEAD).total_seconds())
    assert room.waited[:looks] == [1.0] * looks
    assert sum(room.waited[looks:]) == ARM_AHEAD.total_seconds()
    assert room.target(post).status is TargetStatus.PUBLISHED
    assert room.clock() == ref.wake_at


@pytest.mark.parametrize("stopped", ["paused", "cancelled"])
def test_what_happens_while_it_waits_to_be_armed_counts(room: EngineRoom, stopped: str) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    [ref] = room.wake_messages(post)
    room.clock.pass_time(MINUTE - EARLY)

    def meanwhile(seconds: float) -> None:
        room.sleep(seconds)
        if len(room.waited) > 1:
            return
        if stopped == "paused":
            room.deployment.stores.engine_switch.pause()
        else:
            room.deployment.posting.scheduling.cancel(room.caller, post.id)

    replace(room.fire_worker, wait=meanwhile).run(ref)

    assert room.taken(post) == []


def test_what_is_due_earlier_is_not_kept_waiting_by_what_came_early(room: EngineRoom) -> None:
    late = room.scheduled("Bread", in_=MINUTE)
    soon = room.scheduled("Cake", in_=MINUTE - timedelta(seconds=25))
    refs = [ref for post in (late, soon) for ref in room.wake_messages(post)]
    room.clock.pass_time(MINUTE - EARLY)

    room.fire_worker.run_all(refs)

    at = {post.id: room.taken(post)[0].created_at for post in (late, soon)}
    assert at == {late.id: refs[0].wake_at, soon.id: refs[1].wake_at}


class Connects(SandboxConnector):
    """A sandbox that notes when its visible step was entered, and whether to connect only."""

    connects_ahead: ClassVar[bool] = True
    refuses: ClassVar[bool] = False
    clock: FrozenClock
    entered: list[tuple[timedelta, bool]]

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == "publish":
            self.entered.append((publication.due_at - self.clock(), is_only_connecting()))
            if self.refuses and is_only_connecting():
                raise NotSentError("Nobody answers.")
            check_fence()
        return super().advance(publication, checkpoint)

    @classmethod
    def into(cls, room: EngineRoom) -> "Connects":
        made = cls(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1", wait=room.sleep)
        made.clock, made.entered = room.clock, []
        room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: made}, real={})
        return made


class ConnectsInVain(Connects):
    """One that cannot be reached before its second."""

    refuses: ClassVar[bool] = True


@pytest.mark.parametrize("kind", [Connects, ConnectsInVain])
def test_a_connection_is_opened_two_seconds_ahead_and_the_call_made_at_its_second(
    room: EngineRoom, kind: type[Connects]
) -> None:
    sandbox = kind.into(room)
    post = room.scheduled("Bread", in_=MINUTE)

    _until_armed(room, post)

    assert sandbox.entered == [(timedelta(seconds=2), True), (timedelta(0), False)]
    assert [entry.created_at for entry in room.taken(post)] == [room.target(post).due_at]


def test_what_is_due_sooner_is_called_without(room: EngineRoom) -> None:
    sandbox = Connects.into(room)
    post = room.scheduled("Bread", in_=timedelta(seconds=1))
    [ref] = room.wake_messages(post)

    room.fire_worker.run(ref)

    assert [is_ahead for _, is_ahead in sandbox.entered] == [False]
