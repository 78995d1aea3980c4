"""A model of SQS: at least once, in any order, late, with batches that fail in part.

Messages become visible after their delay. Who receives one has it for the visibility timeout;
not deleted by then, it is offered again, and after too many receipts it goes to the dead ones.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from botocore.exceptions import ClientError, EndpointConnectionError

from tests.simulation.faults import Fault, Out
from tests.simulation.models.tables_model import TEMPLATE
from tests.simulation.virtual_time.scheduler import Task
from tests.simulation.world import World

ON_LAMBDA = TEMPLATE.parent / "template" / "parts" / "functions.json"
_LATEST_S = 75.0
_ASKED_AGAIN_S = 0.5
"""How soon at the latest a queue is asked again that handed out nothing."""
_WRITES = ("SendMessage", "SendMessageBatch")
Answer = dict[str, Any]
HOP = "hop"
"""Under this name a process keeps which hop of a chain it runs; one that SQS did not wake, none."""


@dataclass(slots=True, eq=False)
class Message:
    """One message, and from when on it can be received."""

    id: str
    body: str
    group: str
    visible_at: float
    hop: int = 1
    """The place of the function that it wakes in its chain of requests."""
    receipts: int = 0


@dataclass(slots=True)
class Queue:
    """One queue; `waiting` are those that wait for messages."""

    world: World
    visibility_s: float
    most_receipts: int
    messages: dict[str, Message] = field(default_factory=dict)
    waiting: list[Task] = field(default_factory=list)
    dead: list[Message] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)
    """How often each message was sent."""
    _soonest: float | None = None
    """When the next message becomes visible; None until somebody asks after a change.

    All that wait ask at each moment at which a message becomes visible: up to hundreds of them.
    """

    @property
    def is_shut(self) -> bool:
        """Tell whether nobody gets a message now."""
        return self.world.disk_is_full or self._shut_until > self.world.now

    @property
    def _shut_until(self) -> float:
        """Return when the outage ends because of which nobody gets a message, if there is one."""
        return max(self.world.without.get(out, 0.0) for out in (Out.QUEUES, Out.FUNCTIONS))

    def add(self, message: Message) -> None:
        """Take a message in."""
        self.messages[message.id] = message
        self._soonest = None
        self._wake_one()

    def clear(self) -> None:
        """Forget all messages."""
        self.messages.clear()
        self._soonest = None

    def receive(self, most: int, patience_s: float = math.inf) -> list[Message]:
        """Return some visible messages in any order, waiting until there are any, or so long."""
        gives_up_at = self.world.now + patience_s
        while self.world.now < gives_up_at:
            if self.is_shut:
                until_s = max(self._shut_until - self.world.now, 0.0)
                self.world.scheduler.sleep(until_s + self.world.chance.uniform(0, _ASKED_AGAIN_S))
                continue
            now = self.world.now
            if self._next_visible_at() <= now:
                ready = [m for m in self.messages.values() if m.visible_at <= now]
                taken = self._hand_out(ready, most)
                if taken:
                    return taken
                continue  # they went to the dead ones
            task = self.world.scheduler.current
            self.waiting.append(task)
            keeps_waiting = partial(self._waits_s, task, gives_up_at)
            self.world.scheduler.park_for(self._asks_in_s(gives_up_at), keeps_waiting)
            if task in self.waiting:
                self.waiting.remove(task)
        # The wake-up that this one slept through may have been for a message of another's.
        self._wake_one()
        return []

    def _waits_s(self, task: Task, gives_up_at: float) -> float | None:
        """Return how long one that looks again goes on waiting, None where it would not."""
        now = self.world.now
        if now >= gives_up_at or self.is_shut or self._next_visible_at() <= now:
            return None
        self.waiting.remove(task)
        self.waiting.append(task)
        return self._asks_in_s(gives_up_at)

    def _asks_in_s(self, gives_up_at: float) -> float:
        now = self.world.now
        soonest = self._next_visible_at() if self.messages else now + 3_600
        return max(min(soonest, gives_up_at) - now, 0.001)

    def _next_visible_at(self) -> float:
        if self._soonest is None:
            self._soonest = min((m.visible_at for m in self.messages.values()), default=math.inf)
        return self._soonest

    def _wake_one(self) -> None:
        self.waiting = [task for task in self.waiting if not task.process.is_dead]
        if self.waiting:
            self.world.scheduler.wake(self.waiting.pop(0))

    def _hand_out(self, ready: list[Message], most: int) -> list[Message]:
        self._soonest = None
        self.world.chance.shuffle(ready)
        if self.world.plan.is_fair:
            now, all_of_them = self.world.now, self.messages.values()
            held = Counter(m.group for m in all_of_them if m.receipts and m.visible_at > now)
            ready.sort(key=lambda message: held[message.group])
        taken = []
        for message in ready[:most]:
            message.receipts += 1
            if message.receipts > self.most_receipts:
                self.dead.append(self.messages.pop(message.id))
                continue
            twice = self.world.strikes(Fault.TWICE)
            message.visible_at = self.world.now + (0.5 if twice else self.visibility_s)
            taken.append(message)
        return taken

    def delete(self, ids: set[str]) -> None:
        """Forget messages that were worked off; one that was handed out twice comes once more."""
        if self.world.disk_is_full or Out.QUEUES in self.world.without:
            raise EndpointConnectionError(endpoint_url="model DeleteMessageBatch")
        for one in ids:
            message = self.messages.get(one)
            if message is not None and message.visible_at > self.world.now + 1:
                del self.messages[one]
                self._soonest = None

    def send(self, body: str, group: str, delay_s: float) -> None:
        """Take a new message in."""
        self.said[body] += 1
        late_s = 0.0
        if self.world.strikes(Fault.LATE_MESSAGE):
            late_s = self.world.faults.chance(Fault.LATE_MESSAGE).uniform(1.0, _LATEST_S)
        name = f"{self.world.chance.getrandbits(64):016x}"
        hop = 1 + int(str(self.world.scheduler.current.process.things.get(HOP, 0)))
        self.add(Message(name, body, group, self.world.now + delay_s + late_s, hop))


class QueueModelClient:
    """What boto3's client of SQS is to the storage."""

    def __init__(self, world: World, queues: Mapping[str, Queue]) -> None:
        self._world = world
        self._queues = queues

    def get_queue_url(self, *, QueueName: str) -> Answer:  # noqa: N803 - boto3's
        return {"QueueUrl": QueueName}

    def send_message_batch(self, *, QueueUrl: str, Entries: list[Answer]) -> Answer:  # noqa: N803 - boto3's
        self._travel("SendMessageBatch")
        failed, sent = [], []
        for entry in Entries:
            if self._world.strikes(Fault.ENTRY_FAILED):
                failed.append({"Id": entry["Id"], "Code": "InternalError", "SenderFault": False})
                continue
            group = entry.get("MessageGroupId", "")
            self._queues[QueueUrl].send(
                entry["MessageBody"], group, float(entry.get("DelaySeconds", 0))
            )
            sent.append({"Id": entry["Id"], "MessageId": entry["Id"]})
        self._arrive("SendMessageBatch")
        return {"Successful": sent, **({"Failed": failed} if failed else {})}

    def send_message(self, *, QueueUrl: str, MessageBody: str, **more: Any) -> Answer:  # noqa: ANN401, N803 - boto3's
        self._travel("SendMessage")
        group = str(more.get("MessageGroupId", ""))
        self._queues[QueueUrl].send(MessageBody, group, float(more.get("DelaySeconds", 0)))
        self._arrive("SendMessage")
        return {"MessageId": "sent"}

    def get_queue_attributes(self, *, QueueUrl: str, **_: object) -> Answer:  # noqa: N803 - boto3's
        self._travel("GetQueueAttributes")
        now, all_of_them = self._world.now, self._queues[QueueUrl].messages.values()
        visible = sum(m.visible_at <= now for m in all_of_them)
        held = sum(m.visible_at > now and m.receipts > 0 for m in all_of_them)
        delayed = len(all_of_them) - visible - held
        self._arrive("GetQueueAttributes")
        counts = {"": visible, "NotVisible": held, "Delayed": delayed}
        names = {f"ApproximateNumberOfMessages{kind}": str(n) for kind, n in counts.items()}
        return {"Attributes": names}

    def _travel(self, name: str) -> None:
        self._world.point(f"before {name}")
        self._world.travel(0.002, 0.01)
        is_full = self._world.disk_is_full and name in _WRITES
        if is_full or Out.QUEUES in self._world.without:
            raise EndpointConnectionError(endpoint_url=f"model {name}")
        if self._world.strikes(Fault.QUEUE_DOWN):
            answer: Any = {"Error": {"Code": "RequestThrottled", "Message": "the model refuses"}}
            raise ClientError(answer, name)

    def _arrive(self, name: str) -> None:
        self._world.travel(0.002, 0.01)
        self._world.point(f"after {name}")


def queues(world: World, prefix: str) -> dict[str, Queue]:
    """Return every queue of the template, by name, with its own time-outs, on Lambda its longer."""
    resources = json.loads(TEMPLATE.read_text(encoding="utf-8"))["Resources"]
    on_lambda = json.loads(ON_LAMBDA.read_text(encoding="utf-8"))["Resources"]
    found: dict[str, Queue] = {}
    for place, resource in resources.items():
        if resource["Type"] != "AWS::SQS::Queue":
            continue
        properties = resource["Properties"]
        if world.plan.on_lambda:
            properties = {**properties, **on_lambda.get(place, {}).get("Properties", {})}
        name = properties["QueueName"]["Fn::Sub"].replace("${ResourcePrefix}", prefix)
        redrive = properties.get("RedrivePolicy", {})
        found[name] = Queue(
            world,
            visibility_s=float(properties.get("VisibilityTimeout", 30)),
            most_receipts=int(redrive.get("maxReceiveCount", 1_000_000)),
        )
    return found


Handle = Callable[[Mapping[str, object]], object]
