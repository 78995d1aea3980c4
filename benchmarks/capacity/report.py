"""The tables of docs/capacity.md: a nine o'clock for each size, account and setting.

python -m benchmarks capacity
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.capacity import limits, partitions
from benchmarks.capacity.asked import asks_of, dollars
from benchmarks.capacity.counting import Counted, counted
from benchmarks.capacity.nine_oclock import Asks, Day, Outcome, Stage, play
from chalicelib.workers.bursts import ahead_of
from infra.parameters import WARM_WRITES_OF_A_NEW_STAGE
from infra.template.functions import PLACES

SIZES = (1_000, 10_000, 100_000)
GOALS_S = {10_000: ("chosen", 5.0), 100_000: ("set", 60.0)}
VIDEO_S = 30.0
CALLS_S = (0.3, 1.0, 3.0)
REFUSED = 20_000
"""Targets of a platform that answers 503 to everything."""


def stage(account: str, *, writes: float = limits.NEW_TABLE_WRITES, pollers: int = 0) -> Stage:
    """Return a stage as `make deploy` makes it in an account of so many places."""
    places = PLACES[account]
    return Stage(
        places=places["Publish"],
        prepare_places=places["Prepare"],
        retry_places=places["Retry"] if account == "1000" else 0,
        writes=writes,
        pollers=pollers,
    )


CHOSEN = stage("1000", writes=WARM_WRITES_OF_A_NEW_STAGE)
SET = stage("1000", writes=limits.TABLE_WRITES)
WAYS: dict[str, tuple[str, Stage]] = {
    "new": ("10 places, as deployed", stage("10")),
    "chosen": ("1,000 places, as deployed", CHOSEN),
    "cold": ("1,000 places, `WarmWrites=0`", stage("1000")),
    "set": ("1,000 places, `WarmWrites=40000`", SET),
    "kept": ("the same and `PublishPollers=50`", replace(SET, pollers=50)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """A day on a stage, and what came of it."""

    name: str
    day: Day
    outcome: Outcome
    dollars: float


def a_morning(name: str, day: Day, stage: Stage, count: Counted) -> Morning:
    """Play a day with the messages as far ahead as the tick of such a stage sends them."""
    asks, places = asks_of(count), 0 if stage.pollers else stage.places
    ahead_s = ahead_of(day.targets, places).total_seconds()
    outcome = play(day, replace(stage, ahead_s=ahead_s), asks)
    return Morning(name=name, day=day, outcome=outcome, dollars=dollars(outcome, count))


def mornings(texts: Counted, photos: Counted) -> Iterator[Morning]:
    """Yield every row of the table."""
    for name, made in WAYS.values():
        for size in SIZES:
            yield a_morning(name, Day(targets=size), made, texts)
    for size in SIZES:
        one = Day(targets=size, of_one_workspace=True)
        yield a_morning("1,000 places, `WarmWrites=40000`, one workspace", one, SET, texts)
    for what, upload_s in (("a photo", limits.UPLOAD_S), ("a video of 30 s", VIDEO_S)):
        for key in ("new", "chosen"):
            for size in SIZES:
                day = Day(targets=size, upload_s=upload_s)
                yield a_morning(f"{WAYS[key][0]}, {what} each", day, WAYS[key][1], photos)
    yield from slow_calls(texts)
    yield from beside_refusals(photos)


def slow_calls(texts: Counted) -> Iterator[Morning]:
    """Yield the rows of platforms that take longer or shorter to answer."""
    for call_s in CALLS_S:
        for size in SIZES[:2]:
            for is_one, whose in ((False, ""), (True, ", one workspace")):
                one = Day(targets=size, of_one_workspace=is_one, call_s=call_s)
                name = f"1,000 places, as deployed, {call_s:g} s a call{whose}"
                yield a_morning(name, one, CHOSEN, texts)


def beside_refusals(photos: Counted) -> Iterator[Morning]:
    """Yield the rows of uploads beside a platform that answers 503 to everything."""
    for made, how in ((CHOSEN, "apart"), (replace(CHOSEN, retry_places=0), "in the same places")):
        day = Day(targets=10_000, upload_s=limits.UPLOAD_S, call_s=3.0, refused=REFUSED)
        name = f"1,000 places, a photo each, {REFUSED:,} refused targets tried again {how}"
        yield a_morning(name, day, made, photos)


def table(rows: Iterator[Morning]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| account and settings | targets | p50 | p99 | last | claims retried | cost |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        late = [seconds(row.outcome.percentile(share)) for share in (0.5, 0.99, 1.0)]
        again = f"{row.outcome.tried_again:,}" if row.outcome.tried_again else ""
        cells = [row.name, f"{row.day.targets:,}", *late, again, f"${row.dollars:,.2f}"]
        yield f"| {' | '.join(cells)} |"


def seconds(late_s: float) -> str:
    """Spell how late something was."""
    if late_s >= 600:  # noqa: PLR2004 - ten minutes
        return f"{late_s / 60:,.0f} min"
    return f"{late_s:.1f} s" if late_s < 10 else f"{late_s:,.0f} s"  # noqa: PLR2004 - a digit


def asked_table(count: Counted, asks: Asks) -> Iterator[str]:
    """Yield what a target asks for, step by step."""
    yield "| step, of a text | messages | calls | read units | write units | key |"
    yield "|---|---|---|---|---|---|"
    for name, used in count.steps.items():
        each = count.targets
        calls = sum(used.calls.values()) / each
        key = used.calls["kms.Decrypt"] / each
        written = sum(used.written.values()) / each
        reads = used.read_units / each
        cells = (used.messages / each, calls, reads, written, key)
        yield f"| {name} | {' | '.join(f'{cell:.3g}' for cell in cells)} |"
    ms = 1_000
    yield ""
    yield (
        f"CPU time per target: sent {asks.send_cpu_s * ms:.2f} ms, armed "
        f"{asks.arm_cpu_s * ms:.1f} ms, claimed {asks.claim_cpu_s * ms:.1f} ms, saved "
        f"{asks.outcome_cpu_s * ms:.1f} ms; a call of botocore {count.call_cpu_s * ms:.2f} ms."
    )


def run() -> None:
    """Print the tables."""
    print(partitions.report(partitions.counted()), end="\n\n")
    texts, photos = counted(), counted(files=True)
    print("\n".join(asked_table(texts, asks_of(texts))), end="\n\n")
    print("\n".join(table(mornings(texts, photos))))
