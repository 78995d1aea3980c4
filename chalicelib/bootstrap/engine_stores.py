"""The repositories and queues of the engine; the tick imports no others."""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.settings import Settings
from chalicelib.storage.engine.armed_targets import ArmedTargets
from chalicelib.storage.engine.switch import EngineSwitch, TickMark
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import ARM_AHEAD, Lanes, PublishQueue

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    from chalicelib.bootstrap.ground import Ground
    from chalicelib.storage.engine.catch_up import CatchUpRepository
    from chalicelib.storage.engine.outcomes import OutcomeRepository


class EngineStores:
    """The repositories of targets, outcomes and the engine switch, and the lanes' queues."""

    def __init__(self, ground: "Ground") -> None:
        dynamodb, tables = self._place = ground.clients.dynamodb, ground.tables
        self.targets = TargetRepository(dynamodb, tables)
        self.armed_targets = ArmedTargets(dynamodb, tables)
        self.engine_switch = EngineSwitch(dynamodb, tables)
        self.tick_mark = TickMark(dynamodb, tables)
        self.lanes = make_lanes(ground.clients.sqs, ground.settings)

    @cached_property
    def outcomes(self) -> "OutcomeRepository":
        from chalicelib.storage.engine.outcomes import OutcomeRepository

        return OutcomeRepository(*self._place)

    @cached_property
    def catch_up(self) -> "CatchUpRepository":
        from chalicelib.storage.engine.catch_up import CatchUpRepository

        return CatchUpRepository(*self._place)


def make_lanes(sqs: "SQSClient", settings: Settings) -> Lanes:
    """Return the lanes' queues; retries share the prepare lane's unless they have one."""
    dead = settings.publish_dead_queue
    fire = PublishQueue(sqs, settings.publish_queue, dead, ahead=ARM_AHEAD)
    retry = prepare = PublishQueue(sqs, settings.prepare_queue, dead)
    if settings.retries_apart:
        retry = PublishQueue(sqs, settings.retries_queue, dead)
    return Lanes(fire=fire, prepare=prepare, retry=retry)
