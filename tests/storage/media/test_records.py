"""Records of files: what is listed, what is found, and removal against posts made meanwhile."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.domain.media.types import MediaType
from chalicelib.kit.dynamodb.table import Expression
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.media.uploads import UploadLostError
from chalicelib.storage.tables import media_key, media_use_key
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.media_rooms import WORKSPACE, MediaRooms, media_rooms

NOW = datetime(2030, 5, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=90)
ELSEWHERE = "9" * 32
POST = "0192f0c1a7b87c3d9e5f60718293a4b5"


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


@pytest.fixture
def workspace() -> str:
    return new_id(NOW)


def a_file(workspace_id: str = WORKSPACE, *, made: datetime = NOW) -> Media:
    return Media(
        id=new_id(made),
        workspace_id=workspace_id,
        mime=MediaType.MP4,
        filename="été.mp4",
        size_bytes=1_073_741_824,
        width=1920,
        height=1080,
        duration_s=12.345,
        fps=29.97,
        video_codec="h264",
        index_first=True,
        created_at=made,
    )


def kept(rooms: MediaRooms, media: Media) -> Media:
    """Keep a file as an upload does."""
    upload = an_upload(media)
    rooms.uploads.begin(upload, review_at=NOW)
    rooms.uploads.complete(media, an_upload(media), review_at=LATER)
    return media


def an_upload(media: Media) -> UnfinishedUpload:
    return UnfinishedUpload(
        id=media.id,
        workspace_id=media.workspace_id,
        filename=media.filename,
        state=FileState.UPLOADING,
        created_at=media.created_at,
    )


def use(rooms: MediaRooms, media: Media, post_id: str = POST) -> None:
    """Use a file as the transaction that makes a post does."""
    table = rooms.settings.media_table
    transaction = Transaction(rooms.dynamodb)
    postable = Expression("#list_workspace = :workspace", {"workspace": media.workspace_id})
    transaction.check(table, media_key(media.id), postable, MediaNotFound())
    transaction.put(table, media_use_key(media.id, post_id))
    transaction.commit()


def test_a_file_is_read_back_as_it_was_kept(rooms: MediaRooms) -> None:
    media = kept(rooms, a_file())

    assert rooms.files.get(WORKSPACE, media.id) == media


def test_a_photo_keeps_no_duration(rooms: MediaRooms) -> None:
    photo = kept(rooms, replace(a_file(), mime=MediaType.PNG, duration_s=None, fps=None))

    assert rooms.files.get(WORKSPACE, photo.id) == photo


@pytest.mark.parametrize("media_id", ["f" * 32, "", "nonsense", "a/b"])
def test_what_does_not_exist_is_not_found(rooms: MediaRooms, media_id: str) -> None:
    with pytest.raises(MediaNotFound):
        rooms.files.get(WORKSPACE, media_id)


def test_a_file_of_another_workspace_is_not_found(rooms: MediaRooms) -> None:
    media = kept(rooms, a_file())

    with pytest.raises(MediaNotFound):
        rooms.files.get(ELSEWHERE, media.id)


def test_a_file_is_not_found_before_its_upload_ends(rooms: MediaRooms) -> None:
    media = a_file()
    rooms.uploads.begin(an_upload(media), review_at=NOW)

    with pytest.raises(MediaNotFound):
        rooms.files.get(WORKSPACE, media.id)


def test_the_newest_files_come_first(rooms: MediaRooms, workspace: str) -> None:
    days = [NOW + timedelta(days=day) for day in (2, 1, 3)]
    second, first, third = [kept(rooms, a_file(workspace, made=day)) for day in days]

    assert rooms.files.list_newest(workspace) == [third, second, first]


def test_no_more_than_the_newest_are_listed(rooms: MediaRooms, workspace: str) -> None:
    files = [kept(rooms, a_file(workspace, made=NOW + timedelta(hours=h))) for h in range(5)]

    assert rooms.files.list_newest(workspace, most=3) == files[:1:-1]


def test_more_than_one_batch_is_listed_in_order(rooms: MediaRooms, workspace: str) -> None:
    files = [kept(rooms, a_file(workspace, made=NOW + timedelta(hours=h))) for h in range(103)]

    assert rooms.files.list_newest(workspace) == files[::-1]


def test_a_removed_file_is_found_but_not_listed(rooms: MediaRooms, workspace: str) -> None:
    media = kept(rooms, a_file(workspace))

    rooms.files.mark_removed(media.id, review_at=NOW)

    assert rooms.files.list_newest(workspace) == []
    assert rooms.files.get(workspace, media.id) == replace(media, file_removed=True)


def test_a_file_that_was_marked_can_be_put_back(rooms: MediaRooms, workspace: str) -> None:
    media = kept(rooms, a_file(workspace))
    rooms.files.mark_removed(media.id, review_at=NOW)

    rooms.files.put_back(media, marked_for=NOW, review_at=LATER)

    assert rooms.files.list_newest(workspace) == [media]
    use(rooms, media)


def test_a_removed_file_cannot_be_used_by_a_new_post(rooms: MediaRooms) -> None:
    media = kept(rooms, a_file())
    rooms.files.mark_removed(media.id, review_at=NOW)

    with pytest.raises(MediaNotFound):
        use(rooms, media)


def test_a_file_knows_the_posts_that_use_it(rooms: MediaRooms) -> None:
    media = kept(rooms, a_file())
    use(rooms, media)

    assert rooms.files.users(media.id) == [POST]


def test_what_is_due_for_review_is_found_once(rooms: MediaRooms) -> None:
    soon, late = kept(rooms, a_file()), kept(rooms, a_file())
    rooms.files.review_again(soon.id, NOW - timedelta(days=400))

    due = list(rooms.files.due_for_review(NOW - timedelta(days=399)))

    assert due == [soon.id]
    assert late.id not in due


def test_an_upload_that_was_given_up_becomes_no_file(rooms: MediaRooms) -> None:
    media = a_file()
    rooms.uploads.begin(an_upload(media), review_at=NOW)
    rooms.uploads.forget(an_upload(media))

    with pytest.raises(UploadLostError):
        rooms.uploads.complete(media, an_upload(media), review_at=None)


def test_completing_twice_is_as_completing_once(rooms: MediaRooms) -> None:
    media = kept(rooms, a_file())

    rooms.uploads.complete(media, an_upload(media), review_at=LATER)

    assert rooms.files.get(WORKSPACE, media.id) == media


def test_giving_up_leaves_a_finished_file_alone(rooms: MediaRooms) -> None:
    media = kept(rooms, a_file())

    rooms.uploads.forget(an_upload(media))

    assert rooms.files.get(WORKSPACE, media.id) == media


@needs_threads
@pytest.mark.parametrize("round_", range(10))
def test_a_post_made_while_its_file_is_removed_is_refused_or_keeps_the_record(
    rooms: MediaRooms, round_: int
) -> None:
    """Removal marks first and looks for uses then; the post demands the mark's absence."""
    del round_
    media = kept(rooms, a_file())
    rooms.store.writer(f"media/{WORKSPACE}/{media.id}", MediaType.MP4).finish()
    outcomes: list[str] = []

    def post() -> None:
        try:
            use(rooms, media)
            outcomes.append("posted")
        except MediaNotFound:
            outcomes.append("refused")

    in_parallel(post, lambda: rooms.library.take_away(media))

    record = rooms.files.find(media.id)
    expected = None if outcomes == ["refused"] else replace(media, file_removed=True)
    assert expected == record


def in_parallel(*actions: Callable[[], None]) -> None:
    threads = [threading.Thread(target=action) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
