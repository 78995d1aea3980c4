"""`connector try` on a terminal: what it asks, what it posts, and the report that it leaves."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chalicelib.cli.command_line import goldenhour
from tests.api.http_room import Room
from tests.cli.operator import Operator
from tests.connectors.bluesky.fake import HANDLE, PASSWORD, FakeBluesky
from tests.connectors.bluesky.product import ADDRESSES, a_house, run_typed
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import samples


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeBluesky]:
    made = FakeBluesky(FrozenClock())
    yield made
    made.close()


@pytest.fixture(scope="module")
def room(emulator: EmulatorProcess, fake: FakeBluesky) -> Room:
    """Return a workspace of a deployment whose Bluesky is the fake."""
    house = a_house(emulator, dict.fromkeys(ADDRESSES, fake.url))
    fake.clock = house.clock
    return house.room()


@pytest.fixture(scope="module")
def account_id(room: Room) -> str:
    """Connect Nora's account."""
    operator = Operator(room.house.deployment)
    made = run_typed(
        operator,
        PASSWORD,
        *("account", "connect", room.workspace_id, "--platform", "bluesky"),
        *("--handle", HANDLE, "--app-password"),
    )
    return str(made["account_id"])


def _try(room: Room, *arguments: str, typed: str = "") -> Result:
    operator = Operator(room.house.deployment)
    call = ["connector", "try", *arguments]
    return CliRunner().invoke(goldenhour, call, input=typed, obj=operator._open)


def _writes(fake: FakeBluesky) -> int:
    return len([call for call in fake.calls if call.path.endswith("putRecord")])


def test_a_trial_posts_and_deletes_and_leaves_a_report_without_secrets(
    room: Room, account_id: str, fake: FakeBluesky, tmp_path: Path
) -> None:
    report = tmp_path / "report.md"
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    arguments = ("--account", account_id, "--media", photo, "--report", str(report), "--yes")

    result = _try(room, "bluesky", *arguments, "--json")

    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["good"]
    assert fake.posts == {}
    text = report.read_text(encoding="utf-8")
    assert text.count("xrpc/com.atproto.repo.putRecord") == 2
    assert "POST" in text
    assert "app.bsky.feed.post" in text
    for secret in (PASSWORD, "c2lnbmVk", fake.access(), fake.refresh()):
        assert secret not in text


def test_nothing_is_posted_before_the_operator_agrees(
    room: Room, account_id: str, fake: FakeBluesky
) -> None:
    written = _writes(fake)

    result = _try(room, "bluesky", "--account", account_id, typed="n\n")

    assert result.exit_code == 1
    assert f"This makes 1 real post as {HANDLE} on Bluesky and deletes them." in result.stderr
    assert _writes(fake) == written


def test_a_step_that_goes_wrong_is_in_the_report_and_the_exit_status(
    room: Room, account_id: str, fake: FakeBluesky, tmp_path: Path
) -> None:
    report = tmp_path / "report.md"
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    fake.failure_of_uploads = True
    arguments = ("--account", account_id, "--media", photo, "--report", str(report), "--yes")

    result = _try(room, "bluesky", *arguments)

    fake.failure_of_uploads = False
    assert result.exit_code == 1
    assert "media_rejected" in result.stderr
    assert '"error": "InvalidMimeType"' in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("platform", "more", "told"),
    [
        ("x", (), "The account is on Bluesky, not on x."),
        ("bluesky", ("--media", "0" * 32), "There is no file"),
        ("bluesky", ("--option", "langs"), "name=value"),
        ("bluesky", ("--option", "board=1"), "does not take these options"),
    ],
)
def test_what_cannot_be_tried_is_said_before_anything_is_posted(
    room: Room, account_id: str, fake: FakeBluesky, platform: str, more: tuple[str, ...], told: str
) -> None:
    written = _writes(fake)

    result = _try(room, platform, "--account", account_id, "--yes", *more)

    assert result.exit_code == 1
    assert told in result.stderr
    assert _writes(fake) == written


def test_a_test_account_is_sent_to_a_real_one(room: Room) -> None:
    operator = Operator(room.house.deployment)
    test = operator.text(
        *("account", "connect", room.workspace_id, "--platform", "x", "--handle", "bakes"),
        "--test",
        field="account_id",
    )

    result = _try(room, "x", "--account", test, "--yes")

    assert result.exit_code == 1
    assert "Connect a real account." in result.stderr
