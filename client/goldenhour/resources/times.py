"""Operations on times, and results of the whole workspace."""

from collections.abc import Sequence
from datetime import date

from goldenhour.http.making import make
from goldenhour.http.transport import Call, Transport
from goldenhour.models.answers import GoldenHours, QueueSlot, QueueSlots, Summary


class Times:
    """Golden hours, queue times and the summary of what went out."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def golden_hours(self, platforms: Sequence[str] = ()) -> GoldenHours:
        """Return the next golden hour of each platform; of the five largest if none is named."""
        query = {"platforms": ",".join(platforms) or None}
        call = Call(method="GET", path="/v1/golden-hour", query=query, repeatable=True)
        return self._transport.send(call).read(GoldenHours)

    def queue_slots(self) -> QueueSlots:
        """Return the workspace's queue times and the next free one."""
        call = Call(method="GET", path="/v1/queue-slots", repeatable=True)
        return self._transport.send(call).read(QueueSlots)

    def add_queue_slot(
        self,
        *,
        weekdays: Sequence[int],
        time: str,
        label: str = "",
        idempotency_key: str | None = None,
    ) -> QueueSlot:
        """Add a queue time: weekdays (0 is Monday) and `HH:MM` in the workspace's zone."""
        return make(
            self._transport,
            "/v1/queue-slots",
            lambda answer: answer.read(QueueSlot),
            key=idempotency_key,
            json={"weekdays": [*weekdays], "time": time, "label": label},
        )

    def remove_queue_slot(self, slot_id: str) -> None:
        """Remove a queue time; posts that are scheduled at it keep their times."""
        self._transport.send(
            Call(method="DELETE", path=f"/v1/queue-slots/{slot_id}", repeatable=True)
        )

    def summary(
        self, days: int = 28, *, since: date | None = None, until: date | None = None
    ) -> Summary:
        """Return the results of the last 7 to 90 days.

        Or of the days from `since` to `until`, which is not included; to today without it.
        """
        query: dict[str, str | int | None] = {"days": days}
        if since is not None:
            query = {"from": since.isoformat(), "to": None if until is None else until.isoformat()}
        call = Call(method="GET", path="/v1/analytics/summary", query=query, repeatable=True)
        return self._transport.send(call).read(Summary)
