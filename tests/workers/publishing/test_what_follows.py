"""What a refusal says of what follows is true: another try while there is one, else what to do.

A public complaint: targets that had failed for good still said that the service retries by itself.
"""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.calls.failures import (
    ErrorEntry,
    RateLimitedError,
    RejectedError,
)
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import Blame, FailureCode, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.history import Attempt
from chalicelib.domain.posts.post import Post
from chalicelib.kit.transport.failures import NotSentError, PlatformError
from chalicelib.storage.media.stored_file import MediaUnreadableError
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RETRIES = "The service retries by itself."


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


class Refuses(SandboxConnector):
    """A platform that answers every first call in one way."""

    refusal: ClassVar[Callable[[], PlatformError | MediaUnreadableError]]

    def start(self, publication: Publication) -> Outcome:
        del publication
        raise type(self).refusal()


def _refused(room: EngineRoom, how: Callable[[], PlatformError | MediaUnreadableError]) -> Post:
    """Schedule a post on a platform that refuses in this way."""
    kind = type("RefusesSo", (Refuses,), {"refusal": staticmethod(how)})
    connector = kind(Platform.LINKEDIN, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: connector}, real={})
    return room.scheduled("Fresh bread")


def _attempts(room: EngineRoom, post: Post) -> list[Attempt]:
    return [one for one in room.deployment.stores.posts.history(post.id).attempts if not one.ok]


@pytest.mark.parametrize(
    ("how", "advice"),
    [
        (NotSentError, "The service gave up. Retry when the platform works again."),
        (
            RateLimitedError,
            "The service gave up. Wait until the platform takes more posts, then retry.",
        ),
        (
            MediaUnreadableError,
            (
                "The service gave up. Retry later. If that fails too, upload the file again and"
                " make a new post."
            ),
        ),
        (
            lambda: RejectedError(FailureCode.PLATFORM_UNAVAILABLE, "X is unavailable."),
            "X is unavailable. The service gave up. Retry when the platform works again.",
        ),
    ],
    ids=["no answer", "limit", "file", "a sentence of a connector's table"],
)
def test_a_target_says_that_it_is_retried_until_the_last_try_and_then_what_to_do(
    room: EngineRoom, how: Callable[[], PlatformError | MediaUnreadableError], advice: str
) -> None:
    post = _refused(room, how)

    room.pass_time(2 * HOUR)

    target, attempts = room.target(post), _attempts(room, post)
    assert target.status == "failed"
    assert str(target.error_message).endswith(advice)
    assert len(attempts) > 5
    said = [str(one.error_message) for one in attempts]
    assert [RETRIES in words for words in said] == [one.status != "failed" for one in attempts]
    assert sum(one.status == "failed" for one in attempts) == 1
    goes_on = [one.next_try_at is not None for one in attempts]
    assert goes_on == [one.status != "failed" for one in attempts]
    for one, after in pairwise(attempts):
        assert one.next_try_at is not None
        assert one.tries_until is not None
        assert one.next_try_at <= after.at <= one.tries_until + timedelta(minutes=1)
        assert f"until {one.tries_until:%Y-%m-%d %H:%M} UTC" in str(one.error_message)


def test_a_limit_of_the_application_is_not_blamed_on_the_account(room: EngineRoom) -> None:
    def spent() -> RateLimitedError:
        limited = RateLimitedError(3 * DAY)
        limited.row = ErrorEntry(FailureCode.RATE_LIMITED, "The credits are used up.", ours=True)
        return limited

    post = _refused(room, spent)

    room.pass_time(HOUR)

    [attempt] = _attempts(room, post)
    assert attempt.blame is Blame.APPLICATION
    assert "this account" not in str(attempt.error_message)
    assert str(attempt.error_message).startswith("The credits are used up.")


def test_a_wait_that_is_longer_than_the_service_waits_is_told_with_its_end(
    room: EngineRoom,
) -> None:
    post = _refused(room, lambda: RateLimitedError(DAY + 3 * HOUR))

    room.pass_time(HOUR)

    [attempt] = _attempts(room, post)
    again = attempt.at + DAY + 3 * HOUR + timedelta(minutes=1)
    assert room.target(post).error_message == (
        "The platform asks this account to post less often. The service gave up."
        f" Retry after {again:%Y-%m-%d %H:%M} UTC, as the platform asks."
    )
