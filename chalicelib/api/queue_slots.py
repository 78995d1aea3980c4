"""Endpoints of the workspace's weekly queue times (SPEC "Scheduling")."""

from chalicelib.api.endpoint import Call, NoContent, endpoint
from chalicelib.api.schemas_queue import QueueSlotIn, QueueSlotOut, QueueSlotsOut
from chalicelib.domain.access import Scope
from chalicelib.domain.errors import QueueSlotNotFound
from chalicelib.domain.queue_slots import QueueSlot
from chalicelib.services.queue_slots import SlotList


@endpoint(
    "GET",
    "/v1/queue-slots",
    summary="The weekly queue times, and the next free one",
    scope=Scope.READ,
    returns=QueueSlotsOut,
)
def list_queue_slots(call: Call) -> SlotList:
    """Answer the queue times."""
    return call.services.queue_slots.list(call.caller)


@endpoint(
    "POST",
    "/v1/queue-slots",
    summary="Add a weekly queue time",
    scope=Scope.PUBLISH,
    body=QueueSlotIn,
    returns=QueueSlotOut,
    status=201,
)
def add_queue_slot(call: Call[QueueSlotIn]) -> QueueSlot:
    """Add a queue time."""
    return call.services.queue_slots.add(
        call.caller,
        weekdays=call.body.weekdays,
        time=call.body.time,
        label=call.body.label,
    )


@endpoint(
    "DELETE",
    "/v1/queue-slots/{slot_id}",
    summary="Remove a weekly queue time; posts already scheduled keep their times",
    scope=Scope.PUBLISH,
    returns=NoContent,
    status=204,
    raises=(QueueSlotNotFound,),
)
def remove_queue_slot(call: Call) -> None:
    """Remove a queue time."""
    call.services.queue_slots.remove(call.caller, call.path["slot_id"])
