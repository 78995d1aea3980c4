"""A machine's disk goes back to a snapshot, and its service starts with it: nobody confirms.

What was sent since the snapshot then looks like what an outage made late. It stays one post where
its platform shows it; the sandbox always does. docs/server.md tells what is not found elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import (
    Checkpoint,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.kit.transport.responses import count
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
LAST_PAGE = 2
_NEVER = datetime.max.replace(tzinfo=UTC)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A disk as it was."""

    room: EngineRoom
    rows: dict[str, list[dict[str, Any]]]

    @classmethod
    def of(cls, room: EngineRoom) -> "Snapshot":
        """Take one now."""
        dynamodb, tables = room.deployment.clients.dynamodb, room.deployment.tables
        names = (tables.posts, tables.directory)
        return cls(room, {name: dynamodb.scan(TableName=name)["Items"] for name in names})

    def go_back(self) -> None:
        """Let the disk be as it was."""
        dynamodb = self.room.deployment.clients.dynamodb
        for table, rows in self.rows.items():
            for row in dynamodb.scan(TableName=table)["Items"]:
                dynamodb.delete_item(TableName=table, Key={n: row[n] for n in ("pk", "sk")})
            for row in rows:
                dynamodb.put_item(TableName=table, Item=row)


class Unhelpful(SandboxConnector):
    """A platform that says the same to each question, and to each new post unless it `sends`."""

    says: Callable[[], PlatformError | None]
    sends = False

    def start(self, publication: Publication) -> Outcome:
        error = None if self.sends else self.says()
        if error is not None:
            raise error
        return super().start(publication)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        if (error := self.says()) is not None:
            raise error
        return super().reconcile(publication, checkpoint, sent)


def _is_unhelpful(
    room: EngineRoom, error: PlatformError, until: datetime = _NEVER, *, sends: bool = False
) -> None:
    made = Unhelpful(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    made.says = lambda: error if room.clock() < until else None
    made.sends = sends
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: made}, real={})


class Paged(SandboxConnector):
    """A platform whose list has the post on its third page."""

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        page = count(checkpoint.data.get("page"))
        if page < LAST_PAGE:
            return Wait(Checkpoint(checkpoint.step, {"page": page + 1}))
        return super().reconcile(publication, checkpoint, sent)


def _sent_since(room: EngineRoom, post: Post) -> Snapshot:
    """Take a snapshot, and let the post go out."""
    snapshot = Snapshot.of(room)
    room.pass_time(30 * MINUTE)
    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)
    return snapshot


def test_what_went_out_after_a_snapshot_stays_one_post(room: EngineRoom) -> None:
    sent = room.scheduled("Fresh bread", in_=MINUTE)
    later = room.scheduled("Cake", in_=2 * HOUR)
    snapshot = _sent_since(room, sent)
    before = room.target(sent).remote_id

    snapshot.go_back()
    room.pass_time(3 * HOUR)

    assert [entry.remote_id for entry in room.taken(sent)] == [before]
    assert (room.target(sent).status, room.target(sent).remote_id) == ("published", before)
    assert (room.target(later).status, len(room.taken(later))) == ("published", 1)


def test_a_look_goes_on_from_page_to_page(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    snapshot = _sent_since(room, post)
    paged = Paged(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)

    snapshot.go_back()
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: paged}, real={})
    room.run_due()

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


def test_what_waited_for_a_retry_in_the_snapshot_stays_one_post(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread sandbox:flaky:1", in_=MINUTE)
    room.pass_time(MINUTE + SECOND)
    assert (room.target(post).progress.tries, room.taken(post)) == (1, [])
    snapshot = _sent_since(room, post)

    snapshot.go_back()
    room.pass_time(3 * HOUR)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


def test_what_a_worker_died_with_stays_one_post(room: EngineRoom) -> None:
    """The machine starts with a burst of late posts, and is stopped in it once more."""
    post = room.scheduled("Fresh bread", in_=MINUTE)
    snapshot = _sent_since(room, post)

    snapshot.go_back()
    (ref,) = room.wake_messages(post)
    lease = Lease(token="dies", until=room.clock() + LEASE)
    assert room.worker.targets.claim(ref, lease, now=room.clock(), steady=room.clock())
    room.pass_time(3 * HOUR)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


@pytest.mark.parametrize(
    "error", [NotSentError(), UnansweredError()], ids=["not sent", "no answer"]
)
def test_what_goes_back_before_the_network_does_stays_one_post(
    room: EngineRoom, error: PlatformError
) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    snapshot = _sent_since(room, post)

    snapshot.go_back()
    _is_unhelpful(room, error, until=room.clock() + 20 * MINUTE)
    room.pass_time(3 * HOUR)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


@pytest.mark.parametrize(
    ("error", "most"),
    [
        (UnansweredError(), 10 * MINUTE),
        (RejectedError(FailureCode.PERMISSION_MISSING, "No."), SECOND),
    ],
    ids=["never answers", "lets nobody look"],
)
def test_a_platform_that_cannot_be_asked_keeps_nothing_late_for_long(
    room: EngineRoom, error: PlatformError, most: timedelta
) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    _is_unhelpful(room, error, sends=True)
    room.clock.pass_time(30 * MINUTE)

    room.pass_time(most)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


def test_a_platform_that_cannot_tell_keeps_nothing_late_from_going_out(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread sandbox:untellable", in_=MINUTE)
    room.clock.pass_time(30 * MINUTE)

    room.run_due()

    assert 1 == len(room.taken(post))


def test_what_failed_as_too_late_is_looked_for_before_a_retry_sends_it(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    snapshot = _sent_since(room, post)

    snapshot.go_back()
    room.clock.pass_time(30 * HOUR)
    room.run_due()
    assert room.target(post).error_code == "too_late"
    room.deployment.posting.scheduling.retry(room.caller, post.id)
    room.pass_time(HOUR)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


def test_what_failed_for_its_sign_in_is_looked_for_before_a_retry_sends_it(
    room: EngineRoom,
) -> None:
    """Sign-ins that were renewed after the snapshot do not work any more: refresh tokens rotate."""
    post = room.scheduled("Fresh bread", in_=MINUTE)
    snapshot = _sent_since(room, post)
    connectors = room.deployment.connectors

    snapshot.go_back()
    _is_unhelpful(room, RejectedError(FailureCode.AUTH_EXPIRED, "Sign in again."))
    room.pass_time(HOUR)
    assert room.target(post).error_code == "auth_expired"
    room.deployment.connectors = connectors
    room.deployment.posting.scheduling.retry(room.caller, post.id)
    room.pass_time(HOUR)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)


def _send(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.scheduling.publish_now(room.caller, post.id)


def _edit(room: EngineRoom, post: Post) -> None:
    changes = PostChanges(targets=(TargetChange(id=post.targets[0].id, options={}),))
    room.deployment.posting.drafts.edit(room.caller, post.id, changes)


def _stop_and_send(room: EngineRoom, post: Post) -> None:
    room.deployment.posting.scheduling.cancel(room.caller, post.id)
    _send(room, post)


@pytest.mark.parametrize("change", [_send, _edit, _stop_and_send])
def test_what_a_person_sets_in_motion_before_the_engine_does_stays_one_post(
    room: EngineRoom, change: Callable[[EngineRoom, Post], None]
) -> None:
    """Its page still shows it as to be sent, at a time that has passed."""
    post = room.scheduled("Fresh bread", in_=MINUTE)
    snapshot = _sent_since(room, post)

    snapshot.go_back()
    change(room, post)
    room.pass_time(3 * HOUR)

    assert (room.target(post).status, len(room.taken(post))) == ("published", 1)
