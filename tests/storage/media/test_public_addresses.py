"""Addresses of files: random, cheap, named plainly, and known only while their row is there."""

from datetime import timedelta

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.media.types import MediaType
from chalicelib.settings import Settings
from chalicelib.storage.media.addresses import GRACE, OwnDoor, PresignedLinks, plain_name
from chalicelib.storage.media.pull_links import PullLink
from chalicelib.storage.media.store import file_key
from chalicelib.storage.media.stored_file import StoredFile
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON, FrozenClock
from tests.support.media_rooms import WORKSPACE, MediaRooms, media_rooms

DAY = timedelta(hours=24)
LINK = PullLink(
    key=file_key(WORKSPACE, "a" * 32),
    mime=MediaType.JPEG,
    filename="bread.jpg",
    size_bytes=3_000,
    expires_at=NOON + DAY,
)


@pytest.fixture
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    """Return rooms whose rows stay: the emulator's clock is the real one."""
    return media_rooms(make_resources(emulator.endpoint))


def a_file(rooms: MediaRooms) -> StoredFile:
    door = OwnDoor(links=rooms.links, url="https://post.example", clock=FrozenClock())
    return StoredFile(
        store=rooms.store,
        key=LINK.key,
        mime=MediaType.JPEG,
        filename="Bread.jpeg",
        size_bytes=LINK.size_bytes,
        addresses=door,
    )


def token_of(address: str | None) -> str:
    assert address is not None
    return address.split("/")[-2]


def test_a_token_opens_what_it_was_made_for(rooms: MediaRooms) -> None:
    token = rooms.links.make(LINK)

    assert LINK == rooms.links.find(token)


def test_no_two_addresses_of_a_file_are_alike(rooms: MediaRooms) -> None:
    assert 20 == len({rooms.links.make(LINK) for _ in range(20)})


def test_another_token_opens_nothing(rooms: MediaRooms) -> None:
    rooms.links.make(LINK)

    assert rooms.links.find("0" * 32) is None


@pytest.mark.parametrize("token", ["", "x", "0" * 31, "0" * 33, "A" * 32, "a" * 5_000])
def test_what_cannot_be_a_token_is_not_even_looked_up(token: str) -> None:
    nowhere = Settings.from_environment({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"})

    assert Deployment(nowhere).media.pull_links.find(token) is None


def test_an_address_names_the_file_plainly_and_lasts_longer_than_asked(rooms: MediaRooms) -> None:
    address = a_file(rooms).public_url(DAY)

    token = token_of(address)
    assert address == f"https://post.example/v1/pulled/{token}/Bread.jpg"
    link = rooms.links.find(token)
    assert link is not None
    assert NOON + DAY + GRACE == link.expires_at


def test_asking_again_in_one_run_costs_no_second_row(rooms: MediaRooms) -> None:
    file = a_file(rooms)

    addresses = {file.public_url(DAY) for _ in range(5)}

    assert 1 == len(addresses) == len(rooms.rows())


def test_another_run_gets_an_address_of_its_own(rooms: MediaRooms) -> None:
    assert a_file(rooms).public_url(DAY) != a_file(rooms).public_url(DAY)


def test_a_row_is_forgotten_by_the_table_after_its_end(rooms: MediaRooms) -> None:
    rooms.links.make(LINK)

    (row,) = rooms.rows()

    assert row["expires_at"] == {"N": str(int(LINK.expires_at.timestamp()))}


def test_neither_a_file_nor_its_door_shows_an_address_in_its_repr(rooms: MediaRooms) -> None:
    file = a_file(rooms)

    token = token_of(file.public_url(DAY))

    assert token not in repr(file)


def test_a_presigned_link_leads_to_the_bucket(rooms: MediaRooms) -> None:
    file = StoredFile(
        store=rooms.store,
        key=LINK.key,
        mime=MediaType.JPEG,
        filename="bread.jpg",
        size_bytes=9,
        addresses=PresignedLinks(rooms.store),
    )

    address, _, _ = str(file.public_url(DAY)).partition("?")
    assert rooms.settings.media_bucket in address
    assert address.endswith(f"/{LINK.key}")
    assert rooms.rows() == []


@pytest.mark.parametrize(
    ("filename", "mime", "plain"),
    [
        ("bread.jpg", MediaType.JPEG, "bread.jpg"),
        ("BREAD.JPEG", MediaType.JPEG, "BREAD.jpg"),
        ("Été à la plage.MOV", MediaType.MP4, "Ete-a-la-plage.mp4"),
        ("été 🌞.mov", MediaType.MOV, "ete.mov"),
        ("パン.png", MediaType.PNG, "file.png"),
        ("../../passwd.x", MediaType.WEBP, "passwd.webp"),
        ("a.b.c.webp", MediaType.WEBP, "a-b-c.webp"),
        ("x" * 300 + ".mp4", MediaType.MP4, "x" * 60 + ".mp4"),
        ("", MediaType.MP4, "file.mp4"),
        ("?#%&=.jpg", MediaType.JPEG, "file.jpg"),
        ("line\r\nbreak.jpg", MediaType.JPEG, "line-break.jpg"),
    ],
)
def test_a_name_is_plain_and_ends_as_its_type_does(
    filename: str, mime: MediaType, plain: str
) -> None:
    assert plain == plain_name(filename, mime)
