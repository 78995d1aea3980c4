"""From what was counted to what the model asks for, and what it costs."""

from benchmarks.capacity.counting import CHECK, FIRE, PREPARE, RESCUE, TICK, Counted, Used
from benchmarks.capacity.nine_oclock import Asks, Outcome
from benchmarks.prices import LIST_PRICES

CLAIM, OUTCOME = "UpdateItem", "TransactWriteItems"
_NOT_OURS = "kms.Decrypt"
CHECK_S = 0.15
"""Assumed: how long an invocation for one check takes."""
GB = 1.769
_KEYS_A_WORKSPACE = 4
"""Partitions of a workspace's lists by status (`storage/tables.py`)."""
_UNEVEN = 1.16
"""How much more than a fourth the busiest of them takes (`partitions`)."""


def asks_of(count: Counted) -> Asks:
    """Return what one target asks for.

    The handlers' processor time is counted over the embedded engine, which does the tables' work in
    the same process; botocore's part is added for each call. It is divided by the calls of arming,
    claim and outcome.
    """
    fire, tick = count.steps[FIRE], count.steps[TICK]
    calls = {name: number / count.targets for name, number in fire.calls.items()}
    whole = sum(calls.values())
    shares = {
        "claim": calls[f"dynamodb.{CLAIM}"] / whole,
        "outcome": calls[f"dynamodb.{OUTCOME}"] / whole,
    }
    cpu_s = fire.cpu_s / count.targets + whole * count.call_cpu_s
    sent = sum(used.messages for used in count.steps.values())
    rescue = count.steps[RESCUE]
    return Asks(
        send_cpu_s=tick.cpu_s / sent + count.call_cpu_s / 10,
        arm_cpu_s=cpu_s * (1 - shares["claim"] - shares["outcome"]),
        claim_cpu_s=cpu_s * shares["claim"],
        outcome_cpu_s=cpu_s * shares["outcome"],
        rescue_cpu_s=(rescue.cpu_s + sum(rescue.calls.values()) * count.call_cpu_s)
        / rescue.messages,
        decrypts=calls.get(_NOT_OURS, 0.0),
        claim=_places(fire, CLAIM, count.targets),
        outcome=_places(fire, OUTCOME, count.targets),
        key_of_a_workspace=_UNEVEN / _KEYS_A_WORKSPACE,
    )


def _places(used: Used, operation: str, targets: int) -> dict[str, float]:
    return {
        place: units / targets
        for (named, place), units in used.written.items()
        if named == operation
    }


def dollars(outcome: Outcome, count: Counted) -> float:
    """Return what all targets of a morning cost by list price, from check to outcome."""
    each = target_dollars(count) * len(outcome.late_s)
    lambda_s = outcome.busy_s + outcome.prepare_s
    requests = outcome.invocations * LIST_PRICES["Lambda request"]
    return each + requests + lambda_s * GB * LIST_PRICES["Lambda GB-second"]


def target_dollars(count: Counted) -> float:
    """Return what one target costs besides the time of `publish` and of uploads."""
    total = 0.0
    for name, used in count.steps.items():
        if name == TICK:
            continue
        total += used.read_units * LIST_PRICES["DynamoDB read unit"]
        total += sum(used.written.values()) * LIST_PRICES["DynamoDB write unit"]
        total += used.calls[_NOT_OURS] * LIST_PRICES["KMS request"]
        # Sent, received and deleted, ten at a time.
        total += 0.3 * used.messages * LIST_PRICES["SQS request"]
        if name in {CHECK, PREPARE}:
            total += used.invocations * LIST_PRICES["Lambda request"]
        if name == CHECK:
            total += used.invocations * CHECK_S * GB * LIST_PRICES["Lambda GB-second"]
    return total / count.targets
