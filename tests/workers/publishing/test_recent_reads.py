"""What is read for half the price, as it may have been a moment ago, and what never is."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.post import Post
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, read_wake_message
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.workers.dispatcher import RESCUE_AFTER
from chalicelib.workers.publishing.arming import Arrival
from chalicelib.workers.publishing.run import Run
from tests.api.http.endpoint_cases import a_photo
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE = timedelta(minutes=1)
Reading = tuple[str, bool]
"""What was read, and whether it was consistent."""


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


@contextmanager
def _readings(room: EngineRoom) -> Iterator[list[Reading]]:
    """Note the readings of rows, each by its table."""
    noted: list[Reading] = []

    def note(params: Mapping[str, Any], model: object, **_: object) -> None:
        if getattr(model, "name", "") in {"GetItem", "Query", "BatchGetItem"}:
            asked = params.get("RequestItems") or {params["TableName"]: params}
            noted.extend(
                (table.rpartition("-")[2], bool(one.get("ConsistentRead")))
                for table, one in asked.items()
            )

    events = room.deployment.clients.dynamodb.meta.events
    events.register("before-parameter-build.dynamodb", note)
    try:
        yield noted
    finally:
        events.unregister("before-parameter-build.dynamodb", note)


def _read_by(room: EngineRoom, *refs: TargetRef) -> list[Reading]:
    """Work on messages that arrive together; return what was read."""
    with _readings(room) as noted:
        for _, error in room.fire_worker.run_all(refs):
            assert error is None
    return noted


def _of_posts(readings: list[Reading]) -> list[bool]:
    return [consistent for table, consistent in readings if table == "posts"]


def test_a_copy_of_what_was_worked_off_reads_one_row_at_half_the_price(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    room.fire_worker.run(ref)
    room.clock.pass_time(RESCUE_AFTER)

    assert _read_by(room, replace(ref, kind=MessageKind.COPY)) == [("posts", False)]
    assert len(room.taken(post)) == 1


def test_a_copy_does_what_a_lost_message_did_not_and_trusts_no_cheap_reading(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)
    room.clock.pass_time(RESCUE_AFTER)

    first, *others = _read_by(room, replace(ref, kind=MessageKind.COPY))

    assert (first[1], {consistent for _, consistent in others}) == (False, {True})
    assert len(room.taken(post)) == 1


def test_a_message_of_a_write_is_never_judged_by_a_cheap_reading(room: EngineRoom) -> None:
    post = room.scheduled("Bread", in_=timedelta(0))
    [ref] = room.wake_messages(post)

    assert {consistent for _, consistent in _read_by(room, ref)} == {True}
    assert len(room.taken(post)) == 1


@pytest.mark.parametrize("several", [1, 2])
def test_a_message_of_the_tick_reads_posts_at_half_the_price_and_accounts_as_they_are(
    room: EngineRoom, several: int
) -> None:
    posts = [room.scheduled("Bread", in_=timedelta(0)) for _ in range(several)]
    refs = [ref for post in posts for ref in room.wake_messages(post)]

    readings = _read_by(room, *(replace(ref, kind=MessageKind.TICK) for ref in refs))

    assert {("posts", False), ("directory", True)} == set(readings)
    assert [1] * several == [len(room.taken(post)) for post in posts]


def _a_moment_ago(monkeypatch: pytest.MonkeyPatch, post: Post) -> None:
    """Let every reading that costs half show a post like this."""
    whole = PostRepository.several

    def several(
        self: PostRepository, post_ids: set[str], *, is_consistent: bool = True
    ) -> dict[str, Post]:
        return whole(self, post_ids) if is_consistent else {post.id: post}

    monkeypatch.setattr(PostRepository, "several", several)


def test_what_was_changed_a_moment_ago_goes_out_as_it_is_now(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The write at the second names the version that was read, however old that was."""
    post = room.scheduled("Bread", in_=MINUTE)
    room.pass_time(MINUTE - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    _a_moment_ago(monkeypatch, room.post(post))
    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(caption="New bread"))

    readings = _read_by(room, replace(ref, kind=MessageKind.TICK))

    assert {True} == set(_of_posts(readings))
    assert ["New bread"] == [one.caption for one in room.taken(post)]


def test_what_was_cancelled_a_moment_ago_stays_unsent(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = room.scheduled("Bread", in_=MINUTE)
    room.pass_time(MINUTE - ARM_AHEAD)
    [ref] = room.wake_messages(post)
    _a_moment_ago(monkeypatch, room.post(post))
    room.deployment.posting.scheduling.cancel(room.caller, post.id)

    _read_by(room, replace(ref, kind=MessageKind.TICK))

    assert [] == room.taken(post)


def test_halves_of_two_writes_are_read_again_and_armed(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post's row is a moment old, that of its target is new."""
    post = room.scheduled("Bread", in_=MINUTE)
    before = room.post(post)
    room.deployment.posting.drafts.edit(room.caller, post.id, PostChanges(caption="New bread"))
    room.pass_time(MINUTE - ARM_AHEAD)
    _a_moment_ago(monkeypatch, replace(before, targets=room.post(post).targets))
    [ref] = [replace(ref, kind=MessageKind.TICK) for ref in room.wake_messages(post)]
    arming = room.fire_worker.arming

    one = Arrival(ref)
    arming.find([one])
    armed = arming.arm(one, room.deployment.stores.engine_switch.read())

    assert isinstance(armed, Run)
    assert armed.publication.text == "New bread"


@pytest.mark.parametrize("kind", MessageKind)
def test_what_its_worker_lets_wake_again_is_read_as_it_is(
    room: EngineRoom, kind: MessageKind
) -> None:
    """Its message follows a write, whatever message that followed."""
    services, sent = room.deployment, list[TargetRef]()
    media = services.media.library.upload(room.caller, "bread.jpg", a_photo())
    target = NewTarget(account_id=room.account_id())
    draft = NewPost(caption="Bread", media_ids=(media.id,), targets=(target,))
    post, _ = services.posting.drafts.create(room.caller, draft)
    services.posting.scheduling.schedule(room.caller, post.id, at=room.clock() + 3 * MINUTE)
    [ref] = room.wake_messages(post)

    def note(params: Mapping[str, Any], **_: object) -> None:
        sent.extend(read_wake_message(one["MessageBody"]) for one in params["Entries"])

    services.clients.sqs.meta.events.register("before-parameter-build.sqs.SendMessageBatch", note)
    room.worker.run(replace(ref, kind=kind))

    [again] = room.wake_messages(post)
    assert (room.clock() < again.wake_at, [again]) == (True, sent)
