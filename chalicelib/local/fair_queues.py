"""Lets the emulator serve a standard queue's message groups in turn, as SQS's fair queues do.

Of the visible messages, those come first whose group has the fewest in flight, so one
workspace's 10,000 posts do not delay another's one. Within a group the order of sending stays.
Private names of ministack are used: its version is pinned exactly.
"""

import time
from collections import Counter
from collections.abc import Sequence

from ministack.services import sqs


def install() -> None:
    """Replace ministack's choice of the messages to hand out."""
    collect = sqs._collect_msgs

    def collect_fairly(queue, most, visibility_timeout_s):
        if not queue["is_fifo"]:
            _fair_to_the_front(queue, most)
        return collect(queue, most, visibility_timeout_s)

    sqs._collect_msgs = collect_fairly


def _fair_to_the_front(queue, most: int) -> None:
    """Reorder the queue's messages so that ministack's first `most` visible ones are fair."""
    now = time.time()
    visible = [message for message in queue["messages"] if message["visible_at"] <= now]
    if len({message.get("group_id") for message in visible}) < 2:
        return
    in_flight = Counter(
        message.get("group_id")
        for message in queue["messages"]
        if message["visible_at"] > now and message["receive_count"]
    )
    chosen = set(_in_turn(visible, in_flight, most))
    queue["messages"].sort(key=lambda message: message["id"] not in chosen)


def _in_turn(visible: Sequence, in_flight: Counter, most: int) -> list[str]:
    waiting = {}
    for message in visible:
        waiting.setdefault(message.get("group_id"), []).append(message["id"])
    load = {group: in_flight[group] for group in waiting}
    chosen = []
    while waiting and len(chosen) < most:
        group = min(waiting, key=load.__getitem__)
        chosen.append(waiting[group].pop(0))
        load[group] += 1
        if not waiting[group]:
            del waiting[group]
    return chosen
