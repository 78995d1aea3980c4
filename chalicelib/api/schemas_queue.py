"""Bodies and answers of `/v1/queue-slots` (SPEC "Queue slot")."""

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from chalicelib.api.endpoint import AnyCall
from chalicelib.api.fields import WHOLE, In, Out
from chalicelib.api.wire import JsonObject
from chalicelib.domain.queue_slots import QueueSlot
from chalicelib.services.queue_slots import SlotList

MOST_WEEKDAYS_SENT = 100
LONGEST_LABEL = 200

Weekday = Annotated[int, Field(ge=0, le=6, description="0 is Monday, 6 is Sunday."), WHOLE]


class QueueSlotIn(In):
    """A weekly time, in the workspace's time zone."""

    weekdays: list[Weekday] = Field(
        min_length=1, max_length=MOST_WEEKDAYS_SENT, examples=[[0, 1, 2, 3, 4]]
    )
    time: str = Field(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["19:00"])
    label: str = Field(default="", max_length=LONGEST_LABEL, examples=["Evening"])


class QueueSlotOut(Out):
    """A weekly time at which queued posts go out."""

    id: str
    weekdays: list[Weekday]
    time: str
    label: str

    @staticmethod
    def of(result: QueueSlot, _call: AnyCall) -> JsonObject:
        """Write a queue slot."""
        return {
            "id": result.id,
            "weekdays": list(result.weekdays),
            "time": result.time,
            "label": result.label,
        }


class QueueSlotsOut(Out):
    """The workspace's weekly times and the next one that is free."""

    data: list[QueueSlotOut]
    next_free: datetime | None = Field(
        description="In the workspace's time zone; null when none is free in 60 days."
    )

    @staticmethod
    def of(result: SlotList, call: AnyCall) -> JsonObject:
        """Write the slots; the next free time shows the workspace's clock."""
        next_free = result.next_free
        zone = ZoneInfo(call.caller.timezone)
        return {
            "data": [QueueSlotOut.of(slot, call) for slot in result.slots],
            "next_free": None if next_free is None else next_free.astimezone(zone).isoformat(),
        }
