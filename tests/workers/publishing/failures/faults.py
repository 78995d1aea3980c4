"""Faults at every point where the engine touches the outside: counted, then struck one by one.

A plan counts the calls to DynamoDB, SQS and the sandbox platform while it is armed, and strikes at
the n-th: before the call, after it, with an error in place of its answer, with a rival worker that
runs the same wake message right there, with a standstill of minutes in which others do what is
due, or with a copy of the call that arrives late. What happens after is what recovery makes of it.
"""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from botocore import xform_name
from botocore.exceptions import ClientError, ReadTimeoutError

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.storage.sandbox_here import SandboxHere

if TYPE_CHECKING:
    from botocore.client import BaseClient


class KilledError(BaseException):
    """The process is gone: nothing after this line ran."""


class Strike(StrEnum):
    """What happens at the chosen call."""

    KILL_BEFORE = "kill before"
    KILL_AFTER = "kill after"
    DROP_ANSWER = "drop the answer"
    THROTTLE = "throttle"
    RIVAL = "rival"
    STALL_BEFORE = "stall before"
    STALL_AFTER = "stall after"
    LATE_DOUBLE = "late double"


NOT_STALLED = frozenset({"sandbox.take"})
"""Calls before which nothing stalls: between the fence's look and the write stands nothing else."""
_DOUBLED_AFTER = 2


@dataclass(slots=True)
class FaultPlan:
    """Counts calls while armed and strikes at one of them."""

    calls: list[str] = field(default_factory=list)
    rival: Callable[[], None] = lambda: None
    stall: Callable[[], None] = lambda: None
    _asked: Callable[[], object] = lambda: None
    _doubled: Callable[[], object] | None = None
    _strike: Strike | None = None
    _at: int = -1
    _armed: bool = False
    _thread: int = 0

    def arm(self, strike: Strike | None = None, at: int = -1) -> None:
        """Begin to count, and strike at the call with this number."""
        self.calls.clear()
        self._thread = threading.get_ident()
        self._strike, self._at, self._armed, self._doubled = strike, at, True, None

    def disarm(self) -> None:
        """Let everything work again."""
        self._armed = False

    def before(self, call: str) -> None:
        """Note a call that is about to be made; renewals come when they like and do not count."""
        if not self._armed or threading.get_ident() != self._thread:
            return
        self.calls.append(call)
        if self._is_now(Strike.KILL_BEFORE):
            self._fall(KilledError())
        if self._is_now(Strike.THROTTLE):
            self._fall(_throttled(call))
        if self._is_now(Strike.RIVAL):
            self._aside(self.rival)
        if self._is_now(Strike.STALL_BEFORE) and call not in NOT_STALLED:
            self._aside(self.stall)
        if self._is_now(Strike.LATE_DOUBLE):
            self._doubled = self._asked
        if len(self.calls) - 1 == self._at + _DOUBLED_AFTER:
            self.double()

    def double(self) -> None:
        """Let the chosen call arrive once more, as a network or a client may repeat it."""
        doubled = self._doubled
        if doubled is not None:
            with suppress(ClientError):
                self._aside(doubled)

    def _aside(self, happens: Callable[[], object]) -> None:
        """Let something happen that is neither counted nor struck."""
        armed, self._armed = self._armed, False
        try:
            happens()
        finally:
            self._armed = armed

    def after(self, call: str) -> None:
        """Note a call that was made."""
        if not self._armed or threading.get_ident() != self._thread:
            return
        if self._is_now(Strike.STALL_AFTER):
            self._aside(self.stall)
        if self._is_now(Strike.KILL_AFTER):
            self._fall(KilledError())
        if self._is_now(Strike.DROP_ANSWER):
            is_platform = call.startswith("sandbox")
            lost = UnansweredError() if is_platform else ReadTimeoutError(endpoint_url=call)
            self._fall(lost)

    def _is_now(self, strike: Strike) -> bool:
        return self._strike is strike and len(self.calls) - 1 == self._at

    def _fall(self, error: BaseException) -> None:
        self._armed = False
        raise error

    def watch(self, client: "BaseClient", service: str) -> None:
        """Count and strike the calls of a botocore client."""

        def before(model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
            self.before(f"{service}.{model.name}")

        def after(model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
            self.after(f"{service}.{model.name}")

        def asked(params: Any, model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
            call, given = getattr(client, xform_name(model.name)), dict(params)
            self._asked = lambda: call(**given)

        client.meta.events.register(f"provide-client-params.{service}", asked)
        client.meta.events.register(f"before-call.{service}", before)
        client.meta.events.register(f"after-call.{service}", after)


class FaultySandbox:
    """The sandbox platform's store, behind a plan; what is taken stays taken."""

    def __init__(self, store: SandboxHere, plan: FaultPlan) -> None:
        self._store = store
        self._plan = plan

    def take(self, entry: SandboxEntry) -> None:
        self._plan.before("sandbox.take")
        self._store.take(entry)
        self._plan.after("sandbox.take")

    def keep_file(self, name: str, pieces: Iterator[bytes]) -> bool:
        return self._store.keep_file(name, pieces)

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        self._plan.before("sandbox.find")
        found = self._store.find(account_id, target_id)
        self._plan.after("sandbox.find")
        return found

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        return self._store.get(platform, remote_id)

    def remove(self, platform: Platform, remote_id: str) -> bool:
        return self._store.remove(platform, remote_id)

    def forget(self, account_ids: Collection[str]) -> None:
        self._store.forget(account_ids)

    def bump(self, key: str) -> int:
        self._plan.before("sandbox.bump")
        value = self._store.bump(key)
        self._plan.after("sandbox.bump")
        return value


def _throttled(call: str) -> Exception:
    if call.startswith("sandbox"):
        return UnansweredError()
    answer = {"Error": {"Code": "ProvisionedThroughputExceededException", "Message": "slow down"}}
    return ClientError(answer, call)  # type: ignore[arg-type]  # the stubs want every field
