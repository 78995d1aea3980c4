# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Lets the emulator serve a standard queue's message groups in turn, as SQS's fair queues do.

Of the visible messages, those come first whose group has the fewest in flight, so one
workspace's 10,000 posts do not delay another's one. Within a group the order of sending stays.
"""

import time
from collections import Counter, deque
from collections.abc import Sequence

from ministack.services import sqs

from chalicelib.local.emulator.ministack_shapes import Message, Queue


def install() -> None:
    """Replace ministack's choice of the messages to hand out."""
    collect = sqs._collect_msgs

    def collect_fairly(queue: Queue, most: int, visibility_timeout_s: int) -> object:
        if queue["is_fifo"]:
            return collect(queue, most, visibility_timeout_s)
        # It looks at every message that it is given, and there may be thousands.
        given = {**queue, "messages": _fair(queue["messages"], most)}
        return collect(given, most, visibility_timeout_s)

    sqs._collect_msgs = collect_fairly


def _fair(messages: Sequence[Message], most: int) -> list[Message]:
    """Return the visible messages to hand out next, in the order in which they were sent."""
    now = time.time()
    visible = [message for message in messages if message["visible_at"] <= now]
    if len({message.get("group_id") for message in visible}) <= 1:
        return visible[:most]
    in_flight = Counter(
        message.get("group_id")
        for message in messages
        if message["visible_at"] > now and message["receive_count"]
    )
    chosen = set(_in_turn(visible, in_flight, most))
    return [message for message in visible if message["id"] in chosen]


def _in_turn(visible: Sequence[Message], in_flight: Counter[str | None], most: int) -> list[str]:
    waiting: dict[str | None, deque[str]] = {}
    for message in visible:
        waiting.setdefault(message.get("group_id"), deque()).append(message["id"])
    load = {group: in_flight[group] for group in waiting}
    chosen: list[str] = []
    while waiting and len(chosen) < most:
        group = min(waiting, key=load.__getitem__)
        chosen.append(waiting[group].popleft())
        load[group] += 1
        if not waiting[group]:
            del waiting[group]
    return chosen
