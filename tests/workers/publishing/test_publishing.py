"""What becomes of a target, for each thing that the sandbox platform can do to it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode, Outcome
from chalicelib.domain.platforms.platform import Platform
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTES_5 = timedelta(minutes=5)
HOURS_2 = timedelta(hours=2)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def test_a_scheduled_target_goes_out_at_its_second_and_not_before(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTES_5)

    room.pass_time(MINUTES_5 - timedelta(milliseconds=1))
    before = room.taken(post)
    room.pass_time(timedelta(milliseconds=1))

    assert before == []
    assert "published" == room.target(post).status
    assert [room.target(post).due_at] == [entry.created_at for entry in room.taken(post)]


class Busy(SandboxConnector):
    """A platform that processes for minutes at most, and asks to call again in three hours."""

    step_timeout: ClassVar[timedelta] = timedelta(minutes=5)
    asked: int = 0

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == "publish" and not self.asked:
            self.asked += 1
            return Failed(
                code=FailureCode.RATE_LIMITED, message="Later.", retry_after=timedelta(hours=3)
            )
        return super().advance(publication, checkpoint)


def test_waiting_for_another_try_does_not_count_as_processing(room: EngineRoom) -> None:
    busy = Busy(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: busy}, real={})
    post = room.scheduled("Fresh bread")

    room.pass_time(timedelta(hours=8))

    assert ("published", None) == (room.target(post).status, room.target(post).error_code)


class SlowsDown(SandboxConnector):
    """A platform that answers the visible call with 429 once, and says for how long."""

    asked: ClassVar[timedelta] = timedelta(minutes=7)
    tries: int = 0

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        self.tries += checkpoint.step == "publish"
        if checkpoint.step == "publish" and self.tries == 1:
            raise RateLimitedError(self.asked)
        return super().advance(publication, checkpoint)


def test_what_a_platform_asks_to_wait_is_waited(room: EngineRoom) -> None:
    slow = SlowsDown(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: slow}, real={})
    post = room.scheduled("Fresh bread")
    due = room.target(post).due_at
    assert due is not None

    room.pass_time(timedelta(hours=1))

    [entry] = room.taken(post)
    assert entry.created_at - due >= slow.asked


def test_without_a_connector_a_post_says_that_its_platform_is_not_served(room: EngineRoom) -> None:
    room.deployment.connectors = Connectors(sandbox={}, real={})
    post = room.scheduled("Fresh bread")

    room.pass_time(HOURS_2)

    target = room.target(post)
    assert (target.status, target.error_code) == ("failed", "permission_missing")
    assert target.error_message == "This deployment cannot publish to the platform yet."


class Halfhearted(SandboxConnector):
    """A platform that publishes and leaves something out."""

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        outcome = super().advance(publication, checkpoint)
        return replace(outcome, note="No comment.") if isinstance(outcome, Done) else outcome


def test_what_did_not_go_as_asked_stands_in_the_history(room: EngineRoom) -> None:
    linkedin = Platform.LINKEDIN
    connector = Halfhearted(linkedin, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={linkedin: connector}, real={})
    post = room.scheduled("Fresh bread")

    room.pass_time(HOURS_2)

    history = room.deployment.stores.posts.history(post.id)
    assert ("target.published", "No comment.") == (
        history.events[-1].action,
        history.events[-1].detail["note"],
    )


@pytest.mark.parametrize(
    ("words", "status", "code", "taken"),
    [
        ("sandbox:fail:caption_rejected", "failed", "caption_rejected", 0),
        ("sandbox:flaky:3", "published", None, 1),
        ("sandbox:slow:120", "published", None, 1),
        ("sandbox:slow:7200", "failed", "processing_timeout", 1),
        ("sandbox:refuse:2:30", "published", None, 1),
        ("sandbox:ambiguous", "published", None, 1),
        ("sandbox:taken_5xx", "published", None, 1),
        ("sandbox:lost", "published", None, 1),
        ("sandbox:hidden:90", "published", None, 1),
        ("sandbox:untellable", "failed", "outcome_unknown", 1),
        ("sandbox:hang:3", "published", None, 1),
        ("sandbox:hang:50", "published", None, 1),
        ("sandbox:limit:600", "published", None, 1),
        ("sandbox:limit:20000", "published", None, 1),
        ("sandbox:slow_upload:40", "published", None, 1),
        ("sandbox:expired", "failed", "auth_expired", 0),
    ],
)
def test_every_behaviour_of_the_platform_ends_in_the_truth(
    room: EngineRoom, words: str, status: str, code: str | None, taken: int
) -> None:
    post = room.scheduled(f"Fresh bread {words}")

    room.pass_time(timedelta(hours=8))

    target = room.target(post)
    assert (status, code, taken) == (target.status, target.error_code, len(room.taken(post)))
    assert target.progress.wake_at is None


def test_a_visible_call_that_is_refused_is_made_again_when_the_platform_said(
    room: EngineRoom,
) -> None:
    post = room.scheduled("Fresh bread sandbox:refuse:1:30", in_=timedelta(minutes=1))
    due = room.target(post).due_at

    room.pass_time(timedelta(minutes=2))

    assert due is not None
    [entry] = room.taken(post)
    assert entry.created_at - due <= timedelta(seconds=31)
