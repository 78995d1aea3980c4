"""No key that many targets share takes a write for every one of them: it would limit them all.

Counted on the real engine by `benchmarks/capacity/partitions.py`, for one workspace whose targets
are due in one second. DynamoDB gives one partition a thousand write units a second, however many
it has.
"""

from benchmarks.capacity.partitions import COUNTED, counted

MOST_A_TARGET = 0.99


def test_no_key_that_targets_share_takes_a_write_for_each_of_them() -> None:
    counts = counted()

    shared = {
        place: units / COUNTED
        for place, units in counts.by_partition.items()
        if not place[1].startswith("a post") and units / COUNTED > MOST_A_TARGET
    }
    assert shared == {}
