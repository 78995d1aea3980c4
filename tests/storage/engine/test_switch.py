"""The operator's switch says what it was told last, whatever becomes of an earlier write."""

from datetime import timedelta
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from chalicelib.domain.engine.holds import Holds, Whose, begin, find_hold
from chalicelib.domain.outcome import Failed, FailureCode, PlatformAnswer
from chalicelib.domain.platforms.platform import Platform
from chalicelib.services.operator.sign_ins import LONGEST_VALUE
from chalicelib.storage.engine.switch import EngineSwitch, RecentSwitch, SwitchState
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import NOON, FrozenClock


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


class LateWrites:
    """A client whose writes get no answer, and arrive when `arrive` is called."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401  # boto3's
        self._client = client
        self._late: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # boto3's
        return getattr(self._client, name)

    def put_item(self, **call: Any) -> None:  # noqa: ANN401  # boto3's
        self._late.append(call)
        raise ReadTimeoutError(endpoint_url="http://127.0.0.1")

    def arrive(self) -> None:
        for call in self._late:
            self._client.put_item(**call)


@pytest.mark.parametrize("times", [0, 1], ids=["new", "paused before"])
def test_a_pause_that_arrives_after_the_resume_stops_nothing(room: EngineRoom, times: int) -> None:
    switch = EngineSwitch(room.deployment.clients.dynamodb, room.deployment.tables)
    late = LateWrites(room.deployment.clients.dynamodb)
    for _ in range(times):
        switch.pause()
    with pytest.raises(ReadTimeoutError):
        EngineSwitch(late, room.deployment.tables).pause()  # type: ignore[arg-type]  # a stand-in

    switch.resume()
    with pytest.raises(room.deployment.clients.dynamodb.exceptions.ConditionalCheckFailedException):
        late.arrive()

    assert switch.read() == SwitchState(paused=False)


def test_the_engine_can_be_paused_however_many_applications_are_held_up(room: EngineRoom) -> None:
    """Every workspace may have an application of its own, and all are in the switch's row."""
    switch = EngineSwitch(room.deployment.clients.dynamodb, room.deployment.tables)
    failed = Failed(
        code=FailureCode.RATE_LIMITED,
        message="é" * 300,
        app_wide=True,
        answer=PlatformAnswer(status=429, sentence="🥐" * 300),
    )
    own = [
        Whose(platform=Platform.X, application=f"{n:0{LONGEST_VALUE}d}", workspace_id=f"{n:032x}")
        for n in range(300)
    ]

    def hold(holds: Holds) -> Holds:
        return reduce(lambda so_far, whose: begin(so_far, whose, failed, NOON), own, holds)

    switch.change_holds(hold)

    assert switch.pause().paused
    assert find_hold(switch.read().holds, own[-1]) is not None


def test_a_workspace_that_is_closed_stays_so_beside_another(room: EngineRoom) -> None:
    switch = EngineSwitch(room.deployment.clients.dynamodb, room.deployment.tables)

    switch.close("bakery")
    switch.close("mill")

    assert switch.read().closed == {"bakery", "mill"}


def test_what_was_read_by_a_clock_that_ran_ahead_is_read_again() -> None:
    clock = FrozenClock()
    readings = iter([SwitchState(), SwitchState(paused=True)])
    recent = RecentSwitch(lambda: next(readings), clock)
    assert not recent.read().state.paused

    clock.pass_time(-timedelta(hours=1))

    assert recent.read().state.paused
