"""A file is prepared and uploaded ahead of the second; only the visible step waits for it."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.sample_media import Clip, encode

QUARTER = timedelta(minutes=15)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def _a_video_in_15_minutes(room: EngineRoom, caption: str) -> Post:
    services = room.deployment
    media = services.media.library.upload(room.caller, "oven.mp4", encode(Clip(seconds=1)))
    draft = NewPost(
        caption=caption,
        media_ids=(media.id,),
        targets=(NewTarget(account_id=room.account_id()),),
    )
    post, _ = services.posting.drafts.create(room.caller, draft)
    return services.posting.scheduling.schedule(room.caller, post.id, at=room.clock() + QUARTER)


def test_a_video_with_a_slow_upload_is_visible_at_its_second(
    room: EngineRoom,
) -> None:
    post = _a_video_in_15_minutes(room, "Oven sandbox:slow_upload:60")
    due = room.target(post).due_at

    room.pass_time(QUARTER)

    assert [due] == [entry.created_at for entry in room.taken(post)]


def test_a_target_is_still_scheduled_while_it_is_prepared(
    room: EngineRoom,
) -> None:
    post = _a_video_in_15_minutes(room, "Oven sandbox:slow_upload:60")

    room.pass_time(timedelta(minutes=6))

    assert TargetStatus.SCHEDULED is room.target(post).status
    assert room.target(post).progress.checkpoint is not None


def test_an_edit_drops_what_was_prepared_and_goes_out_in_time(
    room: EngineRoom,
) -> None:
    post = _a_video_in_15_minutes(room, "Oven sandbox:slow_upload:60")
    due = room.target(post).due_at
    room.pass_time(timedelta(minutes=8))

    changes = PostChanges(caption="New oven sandbox:slow_upload:60")
    room.deployment.posting.drafts.edit(room.caller, post.id, changes)
    dropped = room.target(post).progress.checkpoint
    room.pass_time(timedelta(minutes=10))

    assert dropped is None
    assert [(due, "New oven sandbox:slow_upload:60")] == [
        (entry.created_at, entry.caption) for entry in room.taken(post)
    ]


def test_a_prepared_target_can_be_cancelled_until_its_second(
    room: EngineRoom,
) -> None:
    post = _a_video_in_15_minutes(room, "Oven")
    room.pass_time(QUARTER - timedelta(seconds=1))

    room.deployment.posting.scheduling.cancel(room.caller, post.id)
    room.pass_time(timedelta(days=2))

    assert [] == room.taken(post)
