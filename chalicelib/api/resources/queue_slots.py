"""Endpoints of the workspace's weekly queue times (docs/api.md "Scheduling")."""

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import AnyCall, Call, NoContent, Reply, endpoint
from chalicelib.api.http.fields import WHOLE, In, Line
from chalicelib.api.http.making_once import make_once
from chalicelib.domain.errors import QueueSlotNotFound
from chalicelib.domain.times.queue_slots import TIME_OF_DAY, QueueSlot
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.messages import JsonObject
from chalicelib.services.posts.queue_slots import SlotList

MOST_WEEKDAYS_SENT = 100
LONGEST_LABEL = 200

Weekday = Annotated[int, Field(ge=0, le=6, description="0 is Monday, 6 is Sunday."), WHOLE]


class QueueSlotIn(In):
    """A weekly time, in the workspace's time zone."""

    weekdays: list[Weekday] = Field(
        min_length=1, max_length=MOST_WEEKDAYS_SENT, examples=[[0, 1, 2, 3, 4]]
    )
    time: str = Field(pattern=TIME_OF_DAY, examples=["19:00"])
    label: Line = Field(default="", max_length=LONGEST_LABEL, examples=["Evening"])


class QueueSlotOut(Out, Of[QueueSlot]):
    """A weekly time at which queued posts go out."""

    id: str
    weekdays: list[Weekday]
    time: str
    label: str


class QueueSlotsOut(Out, Of[SlotList]):
    """The workspace's weekly times and the next one that is free."""

    data: Annotated[list[QueueSlotOut], From("slots")]
    next_free: datetime | None = Field(
        description="In the workspace's time zone; null when none is free in 60 days."
    )

    @classmethod
    def serialize(cls, value: SlotList, call: AnyCall | None) -> JsonObject:
        """Write the slots; the next free time shows the workspace's clock."""
        if call is not None and value.next_free is not None:
            zone = ZoneInfo(call.caller.timezone)
            value = value._replace(next_free=value.next_free.astimezone(zone))
        return super().serialize(value, call)


@endpoint(
    summary="List the weekly queue times, and the next free one",
    scope=Scope.READ,
    returns=QueueSlotsOut,
)
def list_queue_slots(call: Call) -> SlotList:
    """Answer the queue times."""
    return call.services.posting.queue_slots.list(call.caller)


@endpoint(
    summary="Add a weekly queue time",
    scope=Scope.PUBLISH,
    body=QueueSlotIn,
    example={"weekdays": [0, 1, 2, 3, 4], "time": "19:00", "label": "Evening"},
    returns=QueueSlotOut,
    status=201,
    takes_idempotency_key=True,
)
def add_queue_slot(call: Call[QueueSlotIn]) -> Reply[QueueSlot]:
    """Add a queue time."""
    slots, body = call.services.posting.queue_slots, call.body
    return make_once(
        call,
        lambda mark: slots.add(
            call.caller, weekdays=body.weekdays, time=body.time, label=body.label, mark=mark
        ),
        verb="queue-slot",
        find=lambda slot_id: slots.find(call.caller, slot_id),
        made_of=body.model_dump_json(),
    )


@endpoint(
    summary="Remove a weekly queue time; posts already scheduled keep their times",
    scope=Scope.PUBLISH,
    returns=NoContent,
    status=204,
    raises=(QueueSlotNotFound,),
)
def remove_queue_slot(call: Call) -> None:
    """Remove a queue time."""
    call.services.posting.queue_slots.remove(call.caller, call.path["slot_id"])
