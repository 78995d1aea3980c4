"""One post's way with everything real in a LocalStack: `make test-localstack`."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.api.http.endpoint_cases import a_photo
from tests.api.http_house import a_house
from tests.api.http_room import Room
from tests.support.emulator import EmulatorProcess

pytestmark = pytest.mark.localstack


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> Room:
    """Make the template's resources and a workspace in LocalStack."""
    return a_house(emulator, tmp_path).room()


def test_a_photo_is_uploaded_scheduled_and_published(room: Room) -> None:
    photo = room.upload(a_photo(), "bread.jpg")
    post = room.scheduled("linkedin", "instagram", media_ids=[photo])

    room.pass_time(timedelta(hours=2))

    assert ["published", "published"] == room.statuses(post)


def test_a_tick_sends_a_hint_and_the_queue_has_it(room: Room) -> None:
    room.scheduled("linkedin", at=room.in_(seconds=60))

    room.house.deployment.dispatcher.tick()

    waiting, _, delayed = room.house.deployment.stores.lanes.fire.depth()
    assert waiting + delayed >= 1


def test_the_key_wraps_what_only_it_unwraps(room: Room) -> None:
    kms, key = room.house.deployment.clients.kms, room.house.deployment.settings.tokens_key
    context = {"account_id": "ada"}

    made = kms.generate_data_key(KeyId=key, KeySpec="AES_256", EncryptionContext=context)
    opened = kms.decrypt(CiphertextBlob=made["CiphertextBlob"], EncryptionContext=context)

    assert made["Plaintext"] == opened["Plaintext"]
