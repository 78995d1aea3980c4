"""Calls that make a thing once for an Idempotency-Key, whatever the thing is."""

from collections.abc import Callable

from chalicelib.api.http.endpoint import AnyCall, Reply, reply_once
from chalicelib.services.repeats import Marking, Repeatable, ThingT


def make_once(
    call: AnyCall,
    make: Callable[[Marking], ThingT],
    *,
    verb: str,
    find: Callable[[str], ThingT],
    made_of: str,
) -> Reply[ThingT]:
    """Return what `make` makes, or what an earlier call with the same key made.

    `services.repeats` says what the rest is.
    """
    thing = Repeatable(verb=verb, key=call.idempotency_key, find=find, made_of=made_of)
    return reply_once(call.services.workspace.repeats.once(call.caller, thing, make))
