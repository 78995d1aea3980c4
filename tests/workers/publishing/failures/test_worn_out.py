"""Targets that break or end every worker end too; those that a machine only lost go out."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import Checkpoint, Outcome, Reconciliation, Sent
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.progress import MOST_WAKES
from chalicelib.domain.posts.query import PostQuery
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.kit.limits.thread_pool import NoThreadError
from chalicelib.storage.engine.claims import LeaseLostError
from chalicelib.storage.tables import post_key, target_key
from chalicelib.workers.publishing.attempts import Attempts
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

SOON = timedelta(minutes=1)


class CrashError(Exception):
    """What no worker is prepared for."""


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path, platforms=(Platform.X,))


class Crashing(SandboxConnector):
    """A platform that breaks its worker at a step, as a file that kills FFmpeg would."""

    at: str

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == self.at:
            raise CrashError
        return super().advance(publication, checkpoint)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        raise CrashError(publication.target_id, checkpoint.step, sent.at)


def crashing(room: EngineRoom, at: str) -> None:
    """Let X break whoever makes the step `at`."""
    connector = Crashing(Platform.X, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    connector.at = at
    sandbox = {**room.deployment.connectors.sandbox, Platform.X: connector}
    room.deployment.connectors = Connectors(sandbox=sandbox, real={})


def crash_until_nothing_wakes(room: EngineRoom) -> int:
    """Wake what is there as often as the engine would; return how many workers it broke."""
    broken = 0
    while due := room.waking(room.clock() + timedelta(days=3)):
        room.clock.now = max(room.clock(), due[0].wake_at)
        try:
            room.run_due()
        except (CrashError, KeyError):
            broken += 1
    return broken


def x_units(room: EngineRoom) -> int:
    """Return how much of the month's allowance is used up."""
    rows = room.deployment.clients.dynamodb.scan(TableName=room.deployment.tables.directory)[
        "Items"
    ]
    used = [row["x_units"]["N"] for row in rows if row["sk"]["S"].startswith("USE#")]
    return sum(map(int, used))


def failed_posts(room: EngineRoom) -> list[str]:
    """Return the posts that the list of failed ones names."""
    query = PostQuery(statuses=frozenset({PostStatus.FAILED}))
    return [
        post.id
        for post in room.deployment.stores.post_lists.find(room.caller.workspace_id, query).posts
    ]


@pytest.mark.parametrize(
    ("step", "code", "breaks"),
    [
        ("upload", "unknown", MOST_WAKES),
        ("publish", "outcome_unknown", 1 + MOST_WAKES),  # the first one had made progress
    ],
)
def test_a_target_that_breaks_every_worker_fails_as_any_other_does(
    room: EngineRoom, step: str, code: str, breaks: int
) -> None:
    crashing(room, step)
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    assert 1 == x_units(room)

    broken = crash_until_nothing_wakes(room)

    target = room.target(post)
    assert ("failed", code) == (target.status, target.error_code)
    assert breaks == broken
    assert 0 == x_units(room)
    assert [post.id] == failed_posts(room)


def test_a_row_that_nobody_can_read_ends_by_its_key(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    target, table = post.targets[0], room.deployment.tables.posts
    key = attributes(target_key(post.id, target.id))
    database = room.deployment.clients.dynamodb
    database.update_item(TableName=table, Key=key, UpdateExpression="REMOVE platform")

    broken = crash_until_nothing_wakes(room)

    row = database.get_item(TableName=table, Key=key)["Item"]
    assert MOST_WAKES == broken
    assert ("failed", "unknown") == (row["status"]["S"], row["error_code"]["S"])
    assert [] == room.sandbox.find(target.account_id, target.id)
    assert 0 == x_units(room)


def test_a_row_that_nobody_can_read_and_that_may_be_live_says_so(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    target, table = post.targets[0], room.deployment.tables.posts
    key = attributes(target_key(post.id, target.id))
    database = room.deployment.clients.dynamodb
    database.update_item(
        TableName=table,
        Key=key,
        UpdateExpression="SET sent = :sent REMOVE platform",
        ExpressionAttributeValues={":sent": {"S": "{}"}},
    )

    crash_until_nothing_wakes(room)

    row = database.get_item(TableName=table, Key=key)["Item"]
    assert ("failed", "outcome_unknown") == (row["status"]["S"], row["error_code"]["S"])
    assert "sent" in row


def spoil(room: EngineRoom, key: dict[str, str], expression: str, value: int | None = None) -> None:
    """Change a row as nothing of this service would."""
    values = {} if value is None else {"ExpressionAttributeValues": {":value": {"N": str(value)}}}
    room.deployment.clients.dynamodb.update_item(
        TableName=room.deployment.tables.posts,
        Key=attributes(key),
        UpdateExpression=expression,
        **values,  # type: ignore[arg-type]  # the stubs know no such mapping
    )


def test_a_target_whose_post_nobody_can_read_ends_by_its_key(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    refs = room.wake_messages(post)
    spoil(room, post_key(post.id), "REMOVE created_at")

    for _ in range(MOST_WAKES):
        room.clock.now = max(ref.wake_at for ref in room.waking(room.clock() + SOON * 2))
        with suppress(KeyError):
            room.worker.run(refs[0])

    key = target_key(post.id, post.targets[0].id)
    row = room.deployment.clients.dynamodb.get_item(
        TableName=room.deployment.tables.posts, Key=attributes(key)
    )["Item"]
    assert ("failed", "unknown") == (row["status"]["S"], row["error_code"]["S"])


def test_a_crash_after_progress_does_not_end_a_target_that_was_claimed_often(
    room: EngineRoom,
) -> None:
    crashing(room, "publish")
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    spoil(room, target_key(post.id, post.targets[0].id), "SET wakes = :value", MOST_WAKES - 1)
    room.clock.pass_time(SOON)

    with pytest.raises(CrashError):
        room.worker.run(room.wake_messages(post)[0])

    target = room.target(post)
    assert ("publishing", True) == (target.status, target.is_in_doubt)


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "No."}}, "UpdateItem")


def test_a_row_that_the_table_never_takes_ends_as_one_that_breaks_its_workers(
    room: EngineRoom,
) -> None:
    crashing(room, "upload")
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Crashing, "advance", Mock(side_effect=refusal("ValidationException")))
        for _ in range(MOST_WAKES):
            [ref] = room.waking(room.clock() + 2 * SOON)
            room.clock.now = max(room.clock(), ref.wake_at)
            with suppress(ClientError):
                room.worker.run(ref)

    assert ("failed", "unknown") == (room.target(post).status, room.target(post).error_code)


def test_a_target_whose_end_cannot_be_kept_ends_by_its_key(
    room: EngineRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    spoil(room, target_key(post.id, post.targets[0].id), "SET wakes = :value", MOST_WAKES)
    monkeypatch.setattr(Attempts, "keep_failed", Mock(side_effect=refusal("AccessDenied")))
    [ref] = room.wake_messages(post)
    room.clock.pass_time(SOON + timedelta(days=1))

    room.worker.run(ref)

    target = room.target(post)
    assert ("failed", "unknown", room.clock()) == (
        target.status,
        target.error_code,
        target.failed_at,
    )


class KilledError(BaseException):
    """The end of a worker: what a process that is killed does next is nothing."""


class Killing(SandboxConnector):
    """A platform whose step `at` ends its worker, for as long as `is_over` does not tell it is."""

    at: str
    kills: int
    is_over: Callable[[], bool]

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == self.at and not self.is_over():
            self.kills += 1
            raise KilledError
        return super().advance(publication, checkpoint)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        if not self.is_over():
            self.kills += 1
            raise KilledError
        return super().reconcile(publication, checkpoint, sent)


def killing(room: EngineRoom, at: str, is_over: Callable[[], bool]) -> Killing:
    """Let X end whoever makes the step `at`, until it is over."""
    connector = Killing(Platform.X, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    connector.at, connector.kills, connector.is_over = at, 0, is_over
    sandbox = {**room.deployment.connectors.sandbox, Platform.X: connector}
    room.deployment.connectors = Connectors(sandbox=sandbox, real={})
    return connector


def live_on(room: EngineRoom, time: timedelta) -> None:
    """Let time go by, in worker after worker: where one is killed, the next has its messages."""
    end = room.clock() + time
    while due := room.waking(end):
        room.clock.now = max(room.clock(), due[0].wake_at)
        for ref in due:
            with suppress(KilledError):
                room.worker.run(ref)
    room.clock.now = end


@pytest.mark.parametrize(
    ("step", "hours"), [("upload", 0.5), ("upload", 3), ("upload", 20), ("publish", 0.5)]
)
def test_what_a_machine_lost_again_and_again_goes_out_once_when_it_stays_up(
    room: EngineRoom, step: str, hours: float
) -> None:
    """It cannot tell: its row looks as that of a target which ends its workers."""
    up_again = room.clock() + SOON + timedelta(hours=hours)
    connector = killing(room, step, lambda: room.clock() >= up_again)
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))

    live_on(room, SOON + timedelta(hours=hours))
    history = room.deployment.stores.posts.history(post.id)
    told = [attempt.error_message or "" for attempt in history.attempts]
    live_on(room, timedelta(hours=1, minutes=20))

    assert connector.kills > MOST_WAKES
    assert room.target(post).status == "published"
    assert len(room.taken(post)) == 1
    assert "The service retries by itself. The next try is at" in told[0]


@pytest.mark.parametrize(("step", "code"), [("upload", "unknown"), ("publish", "outcome_unknown")])
def test_a_target_that_ends_every_worker_fails_after_a_day_and_few_workers(
    room: EngineRoom, step: str, code: str
) -> None:
    connector = killing(room, step, lambda: False)
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))

    live_on(room, SOON + timedelta(days=1, seconds=1))

    target = room.target(post)
    assert ("failed", code) == (target.status, target.error_code)
    assert target.error_message is not None
    assert target.error_message.startswith("The service could not process this target.")
    assert connector.kills <= 40
    assert 0 == x_units(room)
    assert [] == room.waking(room.clock() + timedelta(days=3))


def test_a_target_that_rests_can_be_cancelled(room: EngineRoom) -> None:
    killing(room, "upload", lambda: False)
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    live_on(room, timedelta(hours=2))

    room.deployment.posting.scheduling.cancel(room.caller, post.id)
    live_on(room, timedelta(days=2))

    assert room.target(post).status == "cancelled"
    assert [] == room.taken(post)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError("no handle"),
        NoThreadError("no thread"),
        LeaseLostError(),
        ContentionError(),
        StaleWriteError(),
        refusal("AccessDeniedException"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_a_machine_lacks_for_long_is_not_the_targets_fault(
    room: EngineRoom, error: Exception
) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    connector = killing(room, "upload", lambda: True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Killing, "advance", Mock(side_effect=error))
        for _ in range(2 * MOST_WAKES):
            with suppress(type(error)):
                live_on(room, timedelta(seconds=66))
    assert connector.kills == 0

    live_on(room, timedelta(hours=1))

    assert room.target(post).status == "published"
