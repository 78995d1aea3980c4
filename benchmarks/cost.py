"""What a post costs on AWS, from the calls that its way makes: `python -m benchmarks.cost`.

Two targets and a photo go from upload to their last poll at results, over the whole API and the
real engine in an emulator, on accounts with sealed tokens; every call of DynamoDB, S3, SQS and KMS
is counted and priced. What cannot be counted here (how long Lambda runs) is assumed, and said so in
docs/cost.md.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from botocore.model import OperationModel

from benchmarks.capacity.asked import CHECK_S
from benchmarks.capacity.counting import sign_in
from benchmarks.figures import Beside, Figure
from benchmarks.following import PLANS, Follower, Plan, let_posts_rest
from benchmarks.prices import LIST_PRICES, MILLION
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import CHECK_AHEAD, PREPARE_AHEAD
from chalicelib.storage.engine.claims import MessageKind, TargetRef, wake_kind
from chalicelib.workers.bursts import FEW_AHEAD
from tests.api.http.endpoint_cases import a_photo
from tests.api.http_house import a_house
from tests.api.http_room import Document, Room
from tests.support.emulator import EmulatorProcess, start_embedded

API_S, API_GB = 0.05, 1.0
FIRE_S = FEW_AHEAD.total_seconds() + 2
PREPARE_S, PREPARE_GB, PUBLISH_GB, TARGETS_AT_ONCE = 2.0, 1.024, 1.769, 10
POLL_S, POLL_GB, POLLS_AT_ONCE = 1.0, 0.5, 50
LOG_BYTES_A_LINE = 400
SHARDS, QUEUES = 16, 5
MOVES, RESTS = "gains views steadily", "stops after two days"
_READS = frozenset({"GetItem", "BatchGetItem", "Query", "TransactGetItems", "Scan"})
_S3_READS = frozenset({"GetObject", "HeadObject"})
_S3_FREE = frozenset({"DeleteObject", "AbortMultipartUpload"})


@dataclass(slots=True)
class Bill:
    """What one part of the way used."""

    used: Counter[str] = field(default_factory=Counter)
    polls: int = 0

    def add(self, what: str, amount: float = 1) -> None:
        """Note a use."""
        self.used[what] += amount  # type: ignore[assignment]  # units may be halves

    @property
    def dollars(self) -> float:
        """Return its price."""
        return sum(LIST_PRICES[what] * amount for what, amount in self.used.items())


@dataclass(slots=True)
class Till:
    """Listens to the clients of a deployment and writes what they use on the bill of the moment."""

    bill: Bill = field(default_factory=Bill)

    def listen(self, room: Room) -> None:
        """Hear every client of a deployment."""
        deployment = room.house.deployment
        tables = deployment.clients.dynamodb.meta.events
        tables.register("before-parameter-build.dynamodb", self._ask_for_units)
        tables.register("after-call.dynamodb", self._units)
        deployment.clients.s3.meta.events.register("before-call.s3", self._object)
        deployment.clients.sqs.meta.events.register("before-call.sqs", self._message)
        deployment.clients.kms.meta.events.register("before-call.kms", self._key)

    def _ask_for_units(self, params: dict[str, Any], **_: object) -> None:
        params["ReturnConsumedCapacity"] = "INDEXES"

    def _units(self, parsed: dict[str, Any], model: OperationModel, **_: object) -> None:
        spent = parsed.get("ConsumedCapacity", [])
        several = spent if isinstance(spent, list) else [spent]
        kind = "read" if model.name in _READS else "write"
        for one in several:
            self.bill.add(f"DynamoDB {kind} unit", float(one["CapacityUnits"]))

    def _object(self, model: OperationModel, **_: object) -> None:
        if model.name not in _S3_FREE:
            self.bill.add("S3 read" if model.name in _S3_READS else "S3 write")

    def _message(self, **_: object) -> None:
        self.bill.add("SQS request")

    def _key(self, **_: object) -> None:
        self.bill.add("KMS request")


@dataclass(frozen=True, slots=True)
class Measured:
    """The bill of each part of one post's way, and of other ways to follow it."""

    parts: dict[str, Bill]
    followed: dict[tuple[str, str], Bill]
    canary: Bill
    """A month's posts of the canary, one a minute."""


def measured() -> Measured:
    """Return what one post uses, followed by every plan, moving and at rest."""
    emulator = start_embedded()
    try:
        bills = {
            (name, moves): _way_in(emulator, plan, rests=moves == RESTS)
            for name, plan in PLANS.items()
            for moves in (MOVES, RESTS)
        }
        canary = _canary(emulator)
    finally:
        emulator.stop()
    followed = {case: parts["Results"] for case, parts in bills.items()}
    return Measured(bills["recent growth", MOVES], followed, canary)


def of_a_post(emulator: EmulatorProcess) -> dict[str, Bill]:
    """Return the bill of each part of the way of one post that gains views steadily."""
    return _way_in(emulator, PLANS["recent growth"], rests=False)


def _canary(emulator: EmulatorProcess) -> Bill:
    """Return what the canary's posts of a month use, from those of an hour."""
    with tempfile.TemporaryDirectory() as folder:
        room = a_house(emulator, Path(folder)).room()
        room.account("x")
        upkeep = room.house.deployment.upkeep
        canary = replace(upkeep.canary, workspace_id=room.workspace_id)
        till, hour = Till(), Bill()
        till.listen(room)
        for minute in range(0, 180, 5):
            till.bill = hour if minute in range(65, 125) else Bill()  # with deletions
            canary.run()
            room.pass_time(timedelta(minutes=5))
    # Each is alone in its second: a message for it, its copy, and one for its check.
    hour.add("SQS request", 60 * 3 * 3)
    hour.add("Lambda request", 60 * 3)
    hour.add("Lambda GB-second", 60 * (FIRE_S * PUBLISH_GB + CHECK_S * PREPARE_GB))
    hour.add("log GB", 60 * 2 * LOG_BYTES_A_LINE / 1e9)
    return Bill(Counter({what: amount * 24 * 30 for what, amount in hour.used.items()}))


def _way_in(emulator: EmulatorProcess, plan: Plan, *, rests: bool) -> dict[str, Bill]:
    with tempfile.TemporaryDirectory() as folder:
        room = a_house(emulator, Path(folder)).room()
        return _way(room, plan, rests=rests)


def _way(room: Room, plan: Plan, *, rests: bool) -> dict[str, Bill]:
    deployment = room.house.deployment
    sandbox = deployment.connectors.sandbox
    deployment.connectors = Connectors(sandbox=sandbox, real=sandbox)
    for platform in (Platform.LINKEDIN, Platform.INSTAGRAM):
        sign_in(room, platform, room.house.clock())
    till = Till()
    till.listen(room)
    media, api, checks, engine, stored = Bill(), Bill(), Bill(), Bill(), Bill()
    till.bill = media
    photo = room.upload(a_photo(), "bread.jpg")
    _requests(media, 1)
    till.bill = api
    post = room.draft("linkedin", "instagram", media_ids=[photo])
    room.act(post, "schedule", {"at": room.in_(hours=1)})
    for _ in range(3):
        room.show(post)
    _requests(api, 5)
    till.bill = Bill()
    due = room.waking(room.house.clock() + timedelta(hours=2))
    till.bill = checks
    _check(room, due, checks)
    _publish(room, till, post, engine)
    if rests:
        let_posts_rest(room)
    _follow(Follower.by(plan, room, post["id"]), till, stored)
    return {"Media": media, "API": api, "Checks": checks, "Engine": engine, "Results": stored}


def _check(room: Room, due: Sequence[TargetRef], bill: Bill) -> None:
    """Let every target be checked as the tick asks, each by a message and a run of its own.

    What is prepared ahead sends its check again, for a quarter of an hour before it is due.
    """
    house = room.house
    at_once = [replace(ref, wake_at=ref.wake_at - CHECK_AHEAD) for ref in due]
    passed_on = [replace(ref, wake_at=ref.wake_at + PREPARE_AHEAD) for ref in at_once]
    bill.add("SQS request", len(due))  # the tick sends them, what is passed on sends itself
    for ref in (*at_once, *passed_on):
        house.clock.now = ref.wake_at
        house.deployment.engine.prepare_lane.run(replace(ref, kind=MessageKind.TICK_CHECK))
        bill.add("SQS request", 2)
        bill.add("Lambda request")
        bill.add("Lambda GB-second", CHECK_S * PREPARE_GB)


def _publish(room: Room, till: Till, post: Document, bill: Bill) -> None:
    """Let the engine send it. The tick's own reads are idle cost; finding what is due is ours."""
    house, targets = room.house, 2
    end = house.clock() + timedelta(hours=2)
    till.bill = Bill()
    while due := room.waking(end):
        house.clock.now = max(house.clock(), due[0].wake_at)
        till.bill = bill
        for ref in due:
            if ref.wake_at <= house.clock():
                _work(house.deployment, ref, bill)
        till.bill = Bill()
    if room.statuses(post) != ["published", "published"]:
        raise RuntimeError("The post did not go out.")
    bill.add("log GB", 2 * targets * LOG_BYTES_A_LINE / 1e9)


def _work(deployment: Deployment, ref: TargetRef, bill: Bill) -> None:
    """Work on one wake message in its lane; each is sent, received and deleted."""
    target = deployment.stores.targets.get(ref)
    bill.add("DynamoDB read unit", -1)
    if target is not None and target.fires_next:
        # Its message, and the copy that finds it done.
        bill.add("SQS request", 2 * 3 / TARGETS_AT_ONCE)
        bill.add("Lambda request", 1 / TARGETS_AT_ONCE)
        bill.add("DynamoDB read unit", 0.5)
        deployment.engine.fire_worker.run(replace(ref, kind=MessageKind.TICK))
        bill.add("Lambda request", 1 / TARGETS_AT_ONCE)
        bill.add("Lambda GB-second", FIRE_S * PUBLISH_GB / TARGETS_AT_ONCE)
    else:
        deployment.engine.publish_worker.run(replace(ref, kind=wake_kind(target)))
        bill.add("SQS request", 3)
        bill.add("Lambda request")
        bill.add("Lambda GB-second", PREPARE_S * PREPARE_GB)


def _follow(follower: Follower, till: Till, bill: Bill) -> None:
    """Gather results for a month. What a round reads that finds nothing is idle cost."""

    def begin_poll() -> None:
        till.bill = Bill()

    for polled in follower.polls(begin_poll):
        bill.used.update(till.bill.used)
        bill.polls += 1
        bill.add("DynamoDB read unit", -len(follower.worker.shards) * 0.5)
        bill.add("Lambda GB-second", polled * POLL_S * POLL_GB / POLLS_AT_ONCE)
        till.bill = Bill()


def _requests(bill: Bill, count: int) -> None:
    bill.add("API Gateway request", count)
    bill.add("Lambda request", count)
    bill.add("Lambda GB-second", count * API_S * API_GB)
    bill.add("log GB", count * LOG_BYTES_A_LINE / 1e9)


def idle() -> Bill:
    """Return what a month costs in which nothing is posted."""
    bill, minutes = Bill(), 30 * 24 * 60
    # The tick and notify run every minute, collect and review every five.
    bill.add("Lambda request", minutes * (2 + 2 / 5))
    bill.add("Lambda GB-second", minutes * (2 + 2 / 5) * 0.3 * 0.5)
    # The tick asks each shard what is near, what to check and what is overdue.
    bill.add("DynamoDB read unit", minutes * (3 * SHARDS + 3 * SHARDS / 5) * 0.5)
    # The tick asks how long three queues are; each of five has five pollers, asking every 20 s.
    bill.add("SQS request", minutes * (3 + QUEUES * 5 * 3))
    bill.add("log GB", minutes * LOG_BYTES_A_LINE / 1e9)
    return bill


def report(costs: Measured) -> str:
    """Return the tables of docs/cost.md."""
    return "\n".join(
        [*_parts(costs.parts), "", *_followed(costs.followed), "", *_idle(), *_canary_row(costs)]
    )


def _parts(bills: dict[str, Bill]) -> Iterator[str]:
    yield from ("| part | per 1,000 posts | per million posts |", "|---|---|---|")
    yield from (_row(name, bill.dollars) for name, bill in bills.items())
    yield from (_row("**all**", _whole(bills)), "", "Used by one post:", "")
    yield from ("| | " + " | ".join(bills) + " |", "|---" * (len(bills) + 1) + "|")
    for what in sorted({what for bill in bills.values() for what in bill.used} - {"log GB"}):
        yield f"| {what} | " + " | ".join(f"{b.used[what]:.5g}" for b in bills.values()) + " |"


def _followed(bills: dict[tuple[str, str], Bill]) -> Iterator[str]:
    yield "| followed for 30 days by | a post that | polls | write units | per million posts |"
    yield "|---|---|---|---|---|"
    for (plan, moves), bill in bills.items():
        units = f"{bill.used['DynamoDB write unit']:.5g}"
        yield f"| {plan} | {moves} | {bill.polls} | {units} | ${MILLION * bill.dollars:,.0f} |"


def _idle() -> Iterator[str]:
    month = idle()
    yield f"Idle, a month: ${month.dollars:.2f}, of that"
    for what, amount in month.used.items():
        if what != "log GB":
            yield f"- {what}: {amount:,.0f} = ${LIST_PRICES[what] * amount:.2f}"


def _canary_row(costs: Measured) -> Iterator[str]:
    yield f"The canary, a month: ${costs.canary.dollars:.2f}"


def _whole(bills: dict[str, Bill]) -> float:
    return sum(bill.dollars for bill in bills.values())


def _row(name: str, dollars: float) -> str:
    return f"| {name} | ${1000 * dollars:.3f} | ${MILLION * dollars:,.0f} |"


def run() -> list[Figure]:
    """Print the tables; return what a million posts cost."""
    costs = measured()
    print(report(costs))
    by_fixed_times = MILLION * costs.followed["fixed times", MOVES].dollars
    return [
        Figure("requests of a million posts, $", MILLION * _whole(costs.parts)),
        Figure(
            "following a million posts for 30 days, $",
            MILLION * costs.parts["Results"].dollars,
            peer=Beside("polled at fixed times", by_fixed_times),
        ),
    ]


if __name__ == "__main__":
    run()
