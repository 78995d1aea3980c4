"""What refuses a whole application fails one post; the others wait, and one at a time tries."""

from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.engine.holds import Holds
from chalicelib.domain.outcome import Blame, FailureCode, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.engine.switch import EngineSwitch
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTES, SECONDS = timedelta(minutes=1), timedelta(seconds=1)


class NotApproved(SandboxConnector):
    """A platform that lets an application post only once it is approved."""

    approved: ClassVar[bool] = False
    asked: ClassVar[list[str]] = []

    def start(self, publication: Publication) -> Outcome:
        type(self).asked.append(publication.target_id)
        if type(self).approved:
            return super().start(publication)
        error = RejectedError(FailureCode.PERMISSION_MISSING, "Not approved.", Blame.APPLICATION)
        error.app_wide = True
        raise error


@pytest.fixture
def platform() -> type[NotApproved]:
    return type("Platform", (NotApproved,), {"asked": []})


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path, platform: type[NotApproved]) -> EngineRoom:
    room = an_engine_room(emulator, tmp_path)
    room.deployment.stores.engine_switch.change_holds(lambda _: ())
    connector = platform(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: connector}, real={})
    return room


def test_the_first_fails_and_the_others_wait_their_hour(
    room: EngineRoom, platform: type[NotApproved]
) -> None:
    first = room.scheduled("one", in_=30 * SECONDS)
    others = [room.scheduled(str(n), in_=MINUTES + n * SECONDS) for n in range(4)]

    room.pass_time(30 * MINUTES)

    assert room.target(first).error_code == "permission_missing"
    assert [room.target(post).status for post in others] == ["publishing"] * 4
    # Without the hold each would have been refused; one at a time is tried, ever less often.
    assert len(platform.asked) < 12


def test_what_a_call_came_to_is_kept_though_the_hold_cannot_be_noted(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role of AWS that lacked one right to write lost the outcome of the call."""

    def denied(*_: object) -> Holds:
        raise PermissionError

    monkeypatch.setattr(EngineSwitch, "change_holds", denied)
    first = room.scheduled("one", in_=30 * SECONDS)

    room.pass_time(MINUTES)

    target = room.target(first)
    assert (target.status, target.error_code) == ("failed", "permission_missing")


def test_nothing_goes_on_for_ever(room: EngineRoom) -> None:
    room.scheduled("one", in_=30 * SECONDS)
    other = room.scheduled("two", in_=MINUTES)

    room.pass_time(90 * MINUTES)

    target = room.target(other)
    assert (target.status, target.error_code) == ("failed", "permission_missing")
    assert "The service gave up." in str(target.error_message)
    assert "operator has settled it" in str(target.error_message)


def test_once_approved_all_go_out_once(room: EngineRoom, platform: type[NotApproved]) -> None:
    room.scheduled("one", in_=30 * SECONDS)
    others = [room.scheduled(str(n), in_=MINUTES + n * SECONDS) for n in range(4)]
    room.pass_time(10 * MINUTES)

    platform.approved = True
    room.pass_time(25 * MINUTES)

    assert [len(room.taken(post)) for post in others] == [1] * 4
    assert room.deployment.people.engine_control.engine_status().holds == ()
