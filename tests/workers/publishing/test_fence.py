"""Time misbehaves between the saved doubt and the call: nothing goes out twice, no 200 is a lie."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.errors import AlreadyLive, NothingToCancel
from chalicelib.domain.outcome import Checkpoint, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.kit.transport.fence import check_fence
from chalicelib.workers.publishing.leases import ClaimedTarget
from chalicelib.workers.publishing.run import doubt_at
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import Clip, encode

MINUTE = timedelta(minutes=1)


class Standstill(SandboxConnector):
    """A sandbox before whose visible step something happens, once."""

    happens: Callable[[], None] | None = None
    uploads_for = timedelta(0)

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == "upload":
            self._wait(self.uploads_for.total_seconds())
        if checkpoint.step == "publish" and self.happens is not None:
            happens, self.happens = self.happens, None
            happens()
        return super().advance(publication, checkpoint)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


@pytest.fixture
def sandbox(room: EngineRoom) -> Standstill:
    sandbox = Standstill(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: sandbox}, real={})
    return sandbox


def test_a_process_that_stood_still_after_its_doubt_sends_nothing_more(
    room: EngineRoom, sandbox: Standstill
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)

    def stand_still() -> None:
        for _ in range(4):
            room.clock.pass_time(timedelta(seconds=50))
            room.run_due()

    sandbox.happens = stand_still
    room.pass_time(timedelta(minutes=10))

    assert len(room.taken(post)) == 1
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_a_standstill_that_nobody_used_only_makes_the_post_late(
    room: EngineRoom, sandbox: Standstill
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    due = room.target(post).due_at
    assert due is not None

    sandbox.happens = lambda: room.clock.pass_time(timedelta(seconds=25))
    room.pass_time(timedelta(minutes=10))

    assert [entry.created_at for entry in room.taken(post)] == [due + timedelta(seconds=25)]
    assert room.target(post).status is TargetStatus.PUBLISHED


def test_who_cancels_or_edits_while_it_is_being_sent_is_told_so(
    room: EngineRoom, sandbox: Standstill
) -> None:
    """Also when the run began before the second: the upload of this one passes it in one hold."""
    post = _a_video_in_30_seconds(room)
    told: list[object] = []
    services = room.deployment

    def stop() -> None:
        told.append(room.target(post).status)
        with pytest.raises(NothingToCancel):
            services.posting.scheduling.cancel(room.caller, post.id)
        with pytest.raises(AlreadyLive):
            services.posting.drafts.edit(room.caller, post.id, PostChanges(caption="New"))
        told.append("refused")

    sandbox.uploads_for = timedelta(seconds=40)
    sandbox.happens = stop
    room.run_due()

    assert told == [TargetStatus.PUBLISHING, "refused"]
    assert room.target(post).status is TargetStatus.PUBLISHED


def _a_video_in_30_seconds(room: EngineRoom) -> Post:
    services = room.deployment
    media = services.media.library.upload(room.caller, "bread.mp4", encode(Clip(seconds=1)))
    draft = NewPost(
        caption="Bread", media_ids=(media.id,), targets=(NewTarget(account_id=room.account_id()),)
    )
    post, _ = services.posting.drafts.create(room.caller, draft)
    at = room.clock() + timedelta(seconds=30)
    return services.posting.scheduling.schedule(room.caller, post.id, at=at)


def test_a_failed_post_that_may_be_out_counts_as_posting_while_it_is_looked_for(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread sandbox:untellable", in_=MINUTE)
    room.pass_time(timedelta(minutes=5))
    services = room.deployment

    services.posting.scheduling.retry(room.caller, post.id)

    assert room.target(post).status is TargetStatus.PUBLISHING
    with pytest.raises(NothingToCancel):
        services.posting.scheduling.cancel(room.caller, post.id)


def test_absence_is_believed_only_once_the_call_must_have_ended(room: EngineRoom) -> None:
    """A call may begin 20 s after its doubt, takes up to 30 s, and clocks differ by up to 10 s."""
    post = room.scheduled("Bread sandbox:lost", in_=MINUTE)
    due = room.target(post).due_at
    assert due is not None

    room.pass_time(timedelta(minutes=5))

    [entry] = room.taken(post)
    assert entry.created_at >= due + timedelta(seconds=20 + 30 + 10)


def test_a_doubled_late_write_of_progress_changes_nothing(
    room: EngineRoom, sandbox: Standstill
) -> None:
    """DynamoDB may apply a write again that botocore repeated: it must not erase the doubt."""
    post = room.scheduled("Bread", in_=MINUTE)
    writes: list[dict[str, object]] = []
    client = room.deployment.clients.dynamodb

    def note(params: dict[str, object], **_: object) -> None:
        writes.append(dict(params))

    client.meta.events.register("provide-client-params.dynamodb.UpdateItem", note)
    in_doubt: list[bool] = []

    def replay() -> None:
        client.meta.events.unregister("provide-client-params.dynamodb.UpdateItem", note)
        for write in writes:
            with pytest.raises(client.exceptions.ConditionalCheckFailedException):
                client.update_item(**write)  # type: ignore[arg-type]
        in_doubt.append(room.target(post).is_in_doubt)

    sandbox.happens = replay
    room.pass_time(timedelta(minutes=5))

    assert writes
    assert in_doubt == [True]
    assert len(room.taken(post)) == 1


def test_a_rival_with_another_clock_never_takes_a_call_in_flight_for_absent(
    room: EngineRoom, sandbox: Standstill
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    ahead = FrozenClock(room.clock())

    def rival() -> None:
        ahead.now = room.clock() + timedelta(seconds=10)
        for ref in room.waking(ahead()):
            room.worker_with(ahead).run(ref)

    sandbox.happens = rival
    room.pass_time(timedelta(minutes=10))

    assert len(room.taken(post)) == 1


@pytest.mark.parametrize(
    ("left_s", "age_s", "sent"), [(39, 0, 0), (41, 0, 1), (59, 21, 0), (59, 20, 1)]
)
def test_a_call_begins_only_while_nobody_else_can_have_the_target_before_it_ends(
    room: EngineRoom, left_s: int, age_s: int, sent: int
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.clock.pass_time(MINUTE)
    [ref] = room.wake_messages(post)
    lease = Lease(token="t", until=room.clock() + timedelta(seconds=left_s + age_s))
    target = room.deployment.stores.targets.claim(ref, lease, now=room.clock())
    assert isinstance(target, Target)
    claimed = ClaimedTarget(
        ref, lease, target, room.post(post), room.deployment.stores.targets, room.clock
    )
    preflight = room.worker.preflight
    account = preflight.open(claimed, room.deployment.stores.engine_switch.read())
    assert account is not None
    run = preflight.run(claimed, account)
    assert run is not None
    doubt = doubt_at(room.clock(), room_publication(room, post))
    claimed.become(target.doubt(Checkpoint("publish"), doubt, now=room.clock()))
    room.clock.pass_time(timedelta(seconds=age_s))

    run.call(claimed, Checkpoint("publish"), doubt, target.progress)

    assert len(room.taken(post)) == sent


def room_publication(room: EngineRoom, post: Post) -> Publication:
    account = room.worker.preflight.accounts.get(post.workspace_id, post.targets[0].account_id)
    assert account is not None
    return room.worker.preflight.publication(post, post.targets[0], account, None)


class TwoRequests(SandboxConnector):
    """A sandbox whose visible step goes on after the post is there; once, time passes before."""

    between: Callable[[], None] | None = None

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        outcome = super().advance(publication, checkpoint)
        if checkpoint.step == "publish" and self.between is not None:
            between, self.between = self.between, None
            between()
            check_fence()
        return outcome


def test_a_step_that_is_stopped_after_its_first_request_stays_in_doubt(room: EngineRoom) -> None:
    sandbox = TwoRequests(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: sandbox}, real={})
    sandbox.between = lambda: room.clock.pass_time(timedelta(seconds=50))
    post = room.scheduled("Bread", in_=MINUTE)

    room.pass_time(timedelta(minutes=10))

    assert len(room.taken(post)) == 1
    assert room.target(post).status is TargetStatus.PUBLISHED
