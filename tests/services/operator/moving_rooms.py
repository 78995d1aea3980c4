"""Two deployments and a workspace that moves between them, with a hand that may cut off the power.

`Cut` stands before a deployment's DynamoDB client and its sandbox: once so many calls that write
are done, every further one dies, as if the process had been killed there. `Unreachable` stands
before the other side's clients of tables and files.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from botocore.exceptions import EndpointConnectionError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.services.operator.moving.move import Move
from chalicelib.services.operator.moving.side import Side
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import FrozenClock

_WRITES = frozenset({"put_item", "update_item", "delete_item", "transact_write_items"})
_SANDBOX_WRITES = frozenset({"take", "keep_file", "forget"})


class Killed(BaseException):
    """The process ended here."""


@dataclass(slots=True)
class Power:
    """How many writes are left before the power is cut; `is_late` lets the last one through."""

    left: int = 1_000_000
    is_late: bool = False

    def spend(self) -> bool:
        """Count a write; tell whether it is the last."""
        if self.left <= 0:
            raise Killed
        self.left -= 1
        if self.left == 0 and not self.is_late:
            raise Killed
        return self.left == 0


@dataclass(frozen=True, slots=True)
class Cut:
    """A client whose writes need power."""

    client: Any
    power: Power
    writes: frozenset[str] = _WRITES

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as boto3's own
        made = getattr(self.client, name)
        if name not in self.writes:
            return made

        def write(*given: Any, **call: Any) -> Any:  # noqa: ANN401 - the same
            is_last = self.power.spend()
            answer = made(*given, **call)
            if is_last:
                raise Killed
            return answer

        return write


@dataclass(slots=True)
class Line:
    """How many calls of the other side are answered before nobody answers there any more."""

    left: int


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A client of a side that stops to answer: reads and writes alike."""

    client: Any
    line: Line

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as boto3's own
        made = getattr(self.client, name)

        def call(*names: str, **given: Any) -> Any:  # noqa: ANN401 - the same
            if self.line.left <= 0:
                raise EndpointConnectionError(endpoint_url="https://down.example")
            self.line.left -= 1
            return made(*names, **given)

        return call


@dataclass(slots=True)
class TwoHouses:
    """The side that is left and the other, on one clock."""

    here: House
    there: House

    def room_there(self, room: Room) -> Room:
        """Return the same workspace, by the same key, on the other side."""
        return replace(room, house=self.there)

    def move(self, *, back: bool = False, power: Power | None = None) -> Move:
        """Return a move, of a command that dies when the power ends."""
        source, target = (self.there, self.here) if back else (self.here, self.there)
        clock = self.here.clock
        given = power or Power()
        return Move(
            source=_side(source, given),
            target=_side(target, given),
            clock=clock,
            wait=lambda seconds: clock.pass_time(timedelta(seconds=seconds)),
        )

    def move_while_it_answers(self, line: Line) -> Move:
        """Return a move to a side that answers so many calls to its tables and files."""
        target = self.there_while_it_answers(line).whole_workspace.moving_side
        return replace(self.move(), target=target)

    def there_while_it_answers(self, line: Line) -> Deployment:
        """Return the other side, of which tables and files answer so many calls."""
        down = Deployment(self.there.deployment.settings, clock=self.there.clock)
        clients = self.there.deployment.clients
        down.clients.dynamodb = Unreachable(clients.dynamodb, line)  # type: ignore[assignment]
        down.clients.s3 = Unreachable(clients.s3, line)  # type: ignore[assignment]
        down.sandbox_store = self.there.sandbox
        return down


def _side(house: House, power: Power) -> Side:
    """Return a house's side as another process has it."""
    own = Deployment(house.deployment.settings, clock=house.clock)
    own.clients.dynamodb = Cut(house.deployment.clients.dynamodb, power)  # type: ignore[assignment]
    own.sandbox_store = Cut(house.sandbox, power, _SANDBOX_WRITES)  # type: ignore[assignment]
    return own.whole_workspace.moving_side


def two_houses(emulator: EmulatorProcess, folder: Path) -> TwoHouses:
    """Return two deployments."""
    clock = FrozenClock()
    for name in ("here", "there"):
        (folder / name).mkdir()
    here, there = (a_house(emulator, folder / name, clock=clock) for name in ("here", "there"))
    return TwoHouses(here, there)


def keep_tokens(room: Room, access: str) -> str:
    """Connect an account that has tokens; return its id."""
    deployment = room.house.deployment
    account_id = room.connect("bluesky")
    account = next(
        one
        for one in deployment.stores.account_repository.list(room.workspace_id)
        if one.id == account_id and one.platform is Platform.BLUESKY
    )
    deployment.stores.token_store.rows.replace(
        account, deployment.stores.token_store.seal(account.id, Tokens(access=access))
    )
    return account_id
