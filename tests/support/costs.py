"""What an input may cost: multiples of a plain piece of work, measured on the same machine.

A machine at work, or a slow one, takes longer for both.
"""

import json
import statistics
import time

A_MEGABYTE = b'{"caption":"a","targets":[' + b",".join([b'{"x":1}'] * 100_000) + b"]}"
_AT_TIMES = 3


def readings_s(times: float) -> float:
    """Return the seconds of processor that it takes to read a megabyte of JSON so many times."""
    took = []
    for _ in range(_AT_TIMES):
        began = time.process_time()
        json.loads(A_MEGABYTE)
        took.append(time.process_time() - began)
    return times * statistics.median(took)
