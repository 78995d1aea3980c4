"""What leaves by itself: videos 90 days after their posts are done, uploads that never ended."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import requests

from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.media.media import FileState, Media
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import file_key
from chalicelib.workers.retention import Retention
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.sample_media import samples

VIDEO = samples()["index_last.mp4"].data
PHOTO = samples()["plain.jpg"].data
DAY = timedelta(days=1)
KEPT = 90 * DAY


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def reviewed(room: EngineRoom, *, after: timedelta = timedelta(0)) -> None:
    """Let time go by with a review each ten days, as often as matters."""
    end = room.clock() + after
    while room.clock() < end:
        room.pass_time(min(10 * DAY, end - room.clock()))
        retention(room).run()
    retention(room).run()


def retention(room: EngineRoom) -> Retention:
    deployment = room.deployment
    return Retention(
        files=files(room),
        uploads=deployment.media.uploads,
        posts=deployment.stores.posts,
        library=deployment.media.library,
        direct_uploads=deployment.media.direct_uploads,
        clock=room.clock,
    )


def files(room: EngineRoom) -> MediaRepository:
    return MediaRepository(room.deployment.clients.dynamodb, room.deployment.tables)


def a_video(room: EngineRoom, data: bytes = VIDEO) -> Media:
    return room.deployment.media.library.upload(room.caller, "v.mp4", data)


def a_post(room: EngineRoom, media: Media) -> Post:
    target = NewTarget(account_id=room.account_id(Platform.LINKEDIN))
    draft = NewPost(caption="Fresh bread", media_ids=(media.id,), targets=(target,))
    return room.deployment.posting.drafts.create(room.caller, draft, idempotency_key=None)[0]


def published(room: EngineRoom, media: Media) -> Post:
    post = a_post(room, media)
    room.deployment.posting.scheduling.publish_now(room.caller, post.id)
    room.pass_time(timedelta(minutes=2))
    return room.post(post)


def is_there(room: EngineRoom, media: Media) -> bool:
    key = file_key(media.workspace_id, media.id)
    found = room.deployment.media.library.get(room.caller, media.id)
    return not found.file_removed and room.deployment.media.store.size(key) is not None


def test_a_video_leaves_90_days_after_its_post_is_done(room: EngineRoom) -> None:
    video = a_video(room)
    post = published(room, video)
    assert post.status == "published"

    reviewed(room, after=KEPT - DAY)
    assert is_there(room, video)
    reviewed(room, after=2 * DAY)

    assert room.deployment.media.library.get(room.caller, video.id) == (
        replace(video, file_removed=True)
    )
    assert room.deployment.media.store.size(file_key(video.workspace_id, video.id)) is None


def test_the_last_post_decides(room: EngineRoom) -> None:
    video = a_video(room)
    published(room, video)
    room.pass_time(60 * DAY)
    published(room, video)

    reviewed(room, after=KEPT - DAY)
    assert is_there(room, video)
    reviewed(room, after=2 * DAY)

    assert not is_there(room, video)


def test_a_video_stays_while_a_post_is_not_done(room: EngineRoom) -> None:
    video = a_video(room)
    published(room, video)
    a_post(room, video)

    reviewed(room, after=3 * KEPT)

    assert is_there(room, video)


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_video_that_is_posted_as_it_would_leave_stays_unless_somebody_removes_it(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch, *, is_removed: bool
) -> None:
    video, mark = a_video(room), MediaRepository.mark_removed
    published(room, video)
    others = iter([True])

    def mark_amid_others(rows: MediaRepository, media_id: str, *, review_at: datetime) -> None:
        is_first = next(others, False)
        if is_first:
            a_post(room, video)
        mark(rows, media_id, review_at=review_at)
        if is_first and is_removed:
            room.deployment.media.library.remove(room.caller, video.id)

    monkeypatch.setattr(MediaRepository, "mark_removed", mark_amid_others)
    reviewed(room, after=KEPT + DAY)

    found = room.deployment.media.library.get(room.caller, video.id)
    assert found.file_removed is is_removed


def test_a_cancelled_post_is_done(room: EngineRoom) -> None:
    video = a_video(room)
    post = a_post(room, video)
    scheduling = room.deployment.posting.scheduling
    scheduling.schedule(room.caller, post.id, at=room.clock() + DAY)
    scheduling.cancel(room.caller, post.id)

    reviewed(room, after=KEPT + 10 * DAY)

    assert not is_there(room, video)


def test_an_unused_video_stays(room: EngineRoom) -> None:
    video = a_video(room)

    reviewed(room, after=3 * KEPT)

    assert is_there(room, video)


def test_a_photo_stays(room: EngineRoom) -> None:
    photo = a_video(room, PHOTO)
    published(room, photo)

    reviewed(room, after=3 * KEPT)

    assert is_there(room, photo)


def test_a_removal_that_stopped_half_way_is_finished(room: EngineRoom) -> None:
    video = a_video(room)
    files(room).mark_removed(video.id, review_at=room.clock())

    reviewed(room)

    with pytest.raises(MediaNotFound):
        room.deployment.media.library.get(room.caller, video.id)
    assert room.deployment.media.store.size(file_key(video.workspace_id, video.id)) is None


def test_a_file_whose_event_was_lost_is_found(room: EngineRoom) -> None:
    direct = room.deployment.media.direct_uploads
    upload = direct.begin(room.caller, filename="v.mp4", size_bytes=len(VIDEO))
    requests.put(upload.url, data=VIDEO, timeout=240)

    room.pass_time(timedelta(minutes=5))
    retention(room).run()

    assert direct.state(room.caller, upload.id).state is FileState.READY


def test_an_upload_that_never_came_is_given_up_after_a_day(room: EngineRoom) -> None:
    direct = room.deployment.media.direct_uploads
    upload = direct.begin(room.caller, filename="v.mp4", size_bytes=len(VIDEO))

    room.pass_time(timedelta(hours=23))
    retention(room).run()
    assert direct.state(room.caller, upload.id).state is FileState.WAITING
    room.pass_time(timedelta(hours=2))
    retention(room).run()

    state = direct.state(room.caller, upload.id)
    assert (state.state, state.code) == (FileState.REFUSED, "file_missing")


def test_what_a_dead_upload_left_is_cleared_away(room: EngineRoom) -> None:
    upload = room.deployment.media.library.open_upload(room.caller, "v.mp4")
    upload.write(VIDEO + bytes(9_000_000))

    room.pass_time(25 * timedelta(hours=1))
    retention(room).run()

    bucket = room.deployment.settings.media_bucket
    assert not room.deployment.clients.s3.list_multipart_uploads(Bucket=bucket).get("Uploads")
    assert retention(room).run() == 0
