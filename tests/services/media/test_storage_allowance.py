"""How many bytes of files a workspace may keep: reserved, counted, given back, never oversold."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import PlanLimit
from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.access import Caller, Plan
from chalicelib.domain.workspace.plans import storage_limit
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.services.media.direct_uploads import REFUSAL_KEPT
from chalicelib.services.media.upload import GIVEN_UP_AFTER
from chalicelib.storage.media.store import incoming_key
from chalicelib.storage.tables import storage_key
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.frozen_clock import NOON, FrozenClock
from tests.support.media_rooms import MediaRooms, a_caller, media_rooms
from tests.support.sample_media import samples

GB = 1_073_741_824
LIMIT = storage_limit(Plan.STARTER)
PHOTO = samples()["plain.jpg"].data
VIDEO = samples()["index_first.mp4"].data


class Shelf:
    """A workspace's files and what they count for."""

    def __init__(self, rooms: MediaRooms, clock: FrozenClock) -> None:
        self.rooms, self.clock = rooms, clock
        self.caller: Caller = replace(a_caller(new_id(NOON)), plan=Plan.STARTER)

    @property
    def used(self) -> int:
        return self.rooms.uploads.used_bytes(self.caller.workspace_id)

    def keep(self, size: int) -> None:
        """Count so many bytes, as if files were there."""
        row = {**storage_key(self.caller.workspace_id), "used_bytes": size}
        self.rooms.dynamodb.put_item(
            TableName=self.rooms.settings.media_table, Item=attributes(row)
        )

    def upload(self, data: bytes = PHOTO) -> str:
        return self.rooms.library.upload(self.caller, "bread.jpg", data).id

    def reserve(self, size: int) -> str:
        return self.rooms.direct.begin(self.caller, filename="bread.jpg", size_bytes=size).id

    def arrive(self, media_id: str, data: bytes) -> None:
        """Let a direct upload's file come in."""
        self.rooms.s3.put_object(
            Bucket=self.rooms.settings.media_bucket,
            Key=incoming_key(self.caller.workspace_id, media_id),
            Body=data,
        )
        self.rooms.direct.finish(media_id)


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> tuple[MediaRooms, FrozenClock]:
    clock = FrozenClock()
    return media_rooms(make_resources(emulator.endpoint), clock), clock


@pytest.fixture
def shelf(rooms: tuple[MediaRooms, FrozenClock]) -> Shelf:
    return Shelf(*rooms)


def test_what_fits_exactly_is_taken_and_a_byte_more_refused(shelf: Shelf) -> None:
    shelf.keep(LIMIT - len(PHOTO))

    shelf.upload()

    assert shelf.used == LIMIT
    with pytest.raises(PlanLimit, match="Creator covers 100 GB"):
        shelf.upload()
    assert shelf.used == LIMIT


def test_a_file_of_unknown_size_is_counted_when_it_is_in(shelf: Shelf) -> None:
    shelf.keep(LIMIT - len(PHOTO) + 1)
    upload = shelf.rooms.library.open_upload(shelf.caller, "bread.jpg")
    upload.write(PHOTO)

    with pytest.raises(PlanLimit):
        upload.finish()
    upload.abort()

    assert shelf.used == LIMIT - len(PHOTO) + 1
    assert not [key for key in shelf.rooms.objects() if shelf.caller.workspace_id in key]


def test_what_was_announced_too_large_is_given_back(shelf: Shelf) -> None:
    upload = shelf.rooms.library.open_upload(shelf.caller, "bread.mp4", GB)
    upload.write(VIDEO)
    reserved = shelf.used

    upload.finish()

    assert (reserved, shelf.used) == (GB, len(VIDEO))


@pytest.mark.parametrize(("ends", "left"), [("arrives", len(PHOTO)), ("is forgotten", 0)])
def test_what_two_reserve_for_one_upload_is_counted_once(
    shelf: Shelf, ends: str, left: int
) -> None:
    """As when a file is fetched twice at once, or called off while it is fetched."""
    media_id, uploads = shelf.reserve(0), shelf.rooms.uploads
    as_begun = uploads.get(shelf.caller.workspace_id, media_id)

    for _ in range(2):
        uploads.reserve(as_begun, GB, review_at=NOON)
    reserved = shelf.used
    if ends == "arrives":
        shelf.arrive(media_id, PHOTO)
    else:
        uploads.forget(as_begun)

    assert (reserved, shelf.used) == (GB, left)


def test_a_broken_upload_gives_its_reservation_back(shelf: Shelf) -> None:
    upload = shelf.rooms.library.open_upload(shelf.caller, "bread.mp4", GB)
    upload.write(VIDEO)
    reserved = shelf.used

    upload.abort()
    upload.abort()

    assert (reserved, shelf.used) == (GB, 0)


def test_reservations_of_direct_uploads_count(shelf: Shelf) -> None:
    for _ in range(20):
        shelf.reserve(GB)

    with pytest.raises(PlanLimit, match="20 GB are used or reserved"):
        shelf.reserve(1)


def test_a_removed_file_gives_its_bytes_back_once(shelf: Shelf) -> None:
    media_id = shelf.upload()
    media = shelf.rooms.library.get(shelf.caller, media_id)

    shelf.rooms.library.remove(shelf.caller, media_id)
    shelf.rooms.uploads.give_back(media)

    assert shelf.used == 0


def arrives(shelf: Shelf, media_id: str) -> None:
    shelf.arrive(media_id, PHOTO)
    shelf.rooms.direct.finish(media_id)


def is_refused(shelf: Shelf, media_id: str) -> None:
    shelf.arrive(media_id, b"no picture at all" * 9)


def never_comes(shelf: Shelf, media_id: str) -> None:
    upload = shelf.rooms.uploads.find(media_id)
    assert upload is not None
    later = FrozenClock()
    later.now = shelf.clock.now + max(GIVEN_UP_AFTER, REFUSAL_KEPT) + timedelta(days=1)
    late = media_rooms(shelf.rooms.settings, later)
    late.direct.look_for(upload)
    late.direct.look_for(upload)


@pytest.mark.parametrize(
    ("ends", "left"), [(arrives, len(PHOTO)), (is_refused, 0), (never_comes, 0)]
)
def test_a_direct_upload_counts_what_it_became(
    shelf: Shelf, ends: Callable[[Shelf, str], None], left: int
) -> None:
    media_id = shelf.reserve(GB)

    ends(shelf, media_id)

    assert shelf.used == left


@needs_threads
def test_many_at_once_never_take_more_than_there_is(shelf: Shelf) -> None:
    shelf.keep(LIMIT - 5 * GB)

    def reserve(_: int) -> bool:
        try:
            shelf.reserve(GB)
        except PlanLimit:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(reserve, range(16)))

    assert taken.count(True) == 5
    assert shelf.used == LIMIT


def test_an_operator_sees_what_is_kept_and_can_raise_it(
    rooms: tuple[MediaRooms, FrozenClock],
) -> None:
    media, clock = rooms
    administration = Deployment(media.settings, clock=clock).people.administration
    workspace, owner = administration.create_workspace(
        name="Bakery", plan=Plan.STARTER, timezone="UTC", approvals=False, owner_name="Ada"
    )
    shelf = Shelf(media, clock)
    shelf.caller = replace(shelf.caller, workspace_id=workspace.id)
    shelf.upload()

    raised = administration.update_workspace(workspace.id, raised_storage=30 * GB)

    assert (raised.stored_bytes, raised.storage_limit) == (len(PHOTO), 30 * GB)
    key = administration.create_key(owner.id)
    services = Deployment(media.settings, clock=clock)
    caller = services.workspace.authentication.authenticate(f"Bearer {key.secret}")
    assert caller.raised_storage == 30 * GB
