"""No key that many targets share takes a write for every one of them: it would limit them all.

Counted on the real engine by `benchmarks/capacity/partitions.py`, for one workspace whose targets
are due in one second. DynamoDB gives one partition a thousand write units a second, however many
it has.
"""

import random

from benchmarks.capacity.partitions import COUNTED, counted
from benchmarks.capacity.preparation import Lane
from chalicelib.workers.chains import MOST_HOPS

MOST_A_TARGET = 0.99


def test_no_key_that_targets_share_takes_a_write_for_each_of_them() -> None:
    counts = counted()

    shared = {
        place: units / COUNTED
        for place, units in counts.by_partition.items()
        if not place[1].startswith("a post") and units / COUNTED > MOST_A_TARGET
    }
    assert shared == {}


def test_a_platform_that_refuses_for_minutes_makes_no_chain_that_lambda_would_stop() -> None:
    lane = Lane(100, 50, random.Random(9))
    lane.refuse(2_000, 3.0)

    lane.prepare(100, 2.0)

    assert (0, True) == (lane.stopped, 2 < lane.longest_chain < MOST_HOPS // 2)


def test_a_chain_that_is_too_long_is_stopped_and_sent_again_by_the_tick() -> None:
    lane = Lane(100, 50, random.Random(9))

    hops = [1]
    for _ in range(40):
        wait, hop = lane.passed_on(1.0, hops[-1])
        hops.append(hop)

    assert MOST_HOPS == max(hops) == lane.longest_chain
    assert 2 == lane.stopped
    assert wait <= 61.0
