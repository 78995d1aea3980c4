"""Calls with an Idempotency-Key: repeated within a day, a call answers what the first one made.

The key is stored in the transaction that makes the thing: there is neither without the other, and
of two calls at once, one makes it and both answer it.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Generic, Protocol, TypeVar

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import NotFound, ServiceError
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.repeats import KeyTakenError, Made, Mark, RepeatRepository, mark_of


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


_TRIES = 8
"""So often may what another call made be gone before it is found."""
ThingT = TypeVar("ThingT", bound=_HasId)
Marking = Callable[[str], Mark | None]


def no_mark(_: str) -> None:
    """Return no mark: what is made has no key."""


"""Returns what notes the call's key for a thing of this id, None if the call has no key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeatable(Generic[ThingT]):
    """What a call makes: found again by its id.

    `key` is the Idempotency-Key, None without one. `made_of` identifies the call's body; for an
    upload it is known only once the body was read.
    """

    verb: str
    key: str | None
    find: Callable[[str], ThingT]
    made_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier(Generic[ThingT]):
    """What an earlier call with the same key made, and of which body."""

    thing: ThingT
    made_of: str

    def compare(self, made_of: str) -> tuple[ThingT, Making]:
        """Return the thing, and whether the later call had the same body."""
        # Rows of before uploads were compared say nothing of their body.
        is_alike = self.made_of in (made_of, "")
        return self.thing, Making.REPEATED if is_alike else Making.ANOTHER_BODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """Keys of all workspaces, over their rows."""

    rows: RepeatRepository
    clock: Clock

    def once(
        self, caller: Caller, call: Repeatable[ThingT], make: Callable[[Marking], ThingT]
    ) -> tuple[ThingT, Making]:
        """Make a thing, or return what an earlier call with the same key made.

        `make` writes the mark of the thing's id in the transaction that makes the thing, and may
        raise KeyTakenError. Raises what `make` refuses by, unless another call with the key has
        made the thing meanwhile.
        """
        for _ in range(_TRIES):
            earlier = self.earlier(caller, call)
            if earlier is not None:
                return earlier.compare(call.made_of)
            try:
                return make(partial(self._mark, caller, call)), Making.NEW
            except KeyTakenError:
                continue
            except ServiceError:
                # What the other call made may be in the way, as a label of the same name is.
                if self.earlier(caller, call) is None:
                    raise
        raise StaleWriteError

    def _mark(self, caller: Caller, call: Repeatable[ThingT], made_id: str) -> Mark | None:
        if call.key is None:
            return None
        made = Made(id=made_id, made_of=call.made_of)
        return mark_of(caller.workspace_id, call.verb, call.key, made, self.clock())

    def earlier(self, caller: Caller, call: Repeatable[ThingT]) -> Earlier[ThingT] | None:
        """Return what an earlier call made; the key of a deleted thing may be used again."""
        if call.key is None:
            return None
        made = self.rows.find(caller.workspace_id, call.verb, call.key, self.clock())
        if made is None:
            return None
        with suppress(NotFound):
            return Earlier(thing=call.find(made.id), made_of=made.made_of)
        self.rows.forget(caller.workspace_id, call.verb, call.key, made.id)
        return None
