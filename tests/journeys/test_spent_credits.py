"""An application's credits are spent: its posts wait, its operator is told once, then all go out.

Public report: a customer whose vendor's application had reached its limit was told that "this
account" posts too often (github.com/DayMoonDevelopment/post-for-me, issue 334).
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors, real_connectors
from chalicelib.doctor.examination import Doctor, Finding, Verdict
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.history import Attempt
from chalicelib.domain.posts.post import Post
from tests.support.asked_answers import CREDITS_DEPLETED, answered
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

SECONDS, MINUTES, HOURS = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> Iterator[EngineRoom]:
    """Return an engine room whose test accounts play by their platforms' own connectors."""
    room = an_engine_room(emulator, tmp_path)
    real = real_connectors({}, system_clock)
    sandbox = {
        platform: SandboxConnector(
            platform, room.sandbox, "http://h", rules=real[platform], wait=room.sleep
        )
        for platform in Platform
    }
    room.deployment.connectors = Connectors(sandbox=sandbox, real={})
    yield room
    room.deployment.stores.engine_switch.change_holds(lambda _: ())


def x(room: EngineRoom, caption: str, in_: timedelta) -> Post:
    return room.scheduled(caption, in_=in_, platforms=(Platform.X,))


def attempts(room: EngineRoom, post: Post) -> list[Attempt]:
    return list(room.deployment.stores.posts.history(post.id).attempts)


def test_other_posts_of_the_application_wait_and_say_so(room: EngineRoom) -> None:
    spent = x(room, answered(402, CREDITS_DEPLETED), 5 * MINUTES)
    others = [x(room, f"Fresh bread {n}", 5 * MINUTES + 2 * SECONDS) for n in range(3)]
    elsewhere = room.scheduled("Fresh bread", in_=5 * MINUTES + 2 * SECONDS)

    room.pass_time(5 * MINUTES + 3 * SECONDS)

    assert room.target(elsewhere).status == "published"
    for post in others:
        [waiting] = attempts(room, post)
        assert room.target(post).status == "publishing"
        assert room.taken(post) == []
        assert (waiting.error_code, waiting.blame) == ("rate_limited", "application")
        assert waiting.next_try_at is not None
        assert "used up its credits at X" in str(waiting.error_message)
        assert "nothing was sent" in str(waiting.error_message)
    assert attempts(room, spent)[0].answer is not None


def test_the_first_post_that_the_platform_takes_lets_the_others_go(room: EngineRoom) -> None:
    spent = x(room, answered(402, CREDITS_DEPLETED), 5 * MINUTES)
    others = [x(room, f"Fresh bread {n}", 5 * MINUTES + 2 * SECONDS) for n in range(3)]
    room.pass_time(5 * MINUTES + 3 * SECONDS)
    room.deployment.posting.scheduling.cancel(room.caller, spent.id)

    room.pass_time(20 * MINUTES)

    assert [room.target(post).status for post in others] == ["published"] * 3
    assert [len(room.taken(post)) for post in others] == [1, 1, 1]


def test_a_time_that_the_platform_names_is_waited_for(room: EngineRoom) -> None:
    spent = x(room, f"{answered(402, CREDITS_DEPLETED)}:18000", 5 * MINUTES)
    other = x(room, "Fresh bread", 5 * MINUTES + 2 * SECONDS)
    room.pass_time(6 * MINUTES)
    room.deployment.posting.scheduling.cancel(room.caller, spent.id)

    room.pass_time(4 * HOURS)
    before = room.target(other).status
    room.pass_time(2 * HOURS)

    assert before == "publishing"
    assert room.target(other).status == "published"


def test_the_operator_is_told_once_and_doctor_says_it(room: EngineRoom) -> None:
    x(room, answered(402, CREDITS_DEPLETED), 5 * MINUTES)
    x(room, answered(402, CREDITS_DEPLETED), 6 * MINUTES)
    room.pass_time(7 * MINUTES)

    [hold] = room.deployment.people.engine_control.engine_status().holds
    doctor = Doctor(
        checks=(),
        sign_ins=_Nothing(),
        switch=room.deployment.stores.engine_switch,
        targets=room.deployment.engine_stores.targets,
        public_url="https://post.example",
        clock=room.clock,
    )
    [found] = [each for each in doctor.examine() if each.subject == "application at X"]
    assert hold.whose.workspace_id == room.caller.workspace_id
    assert (found.verdict, found.stops_posts) == (Verdict.WARNING, True)
    assert "does not have any credits" in found.message


class _Nothing:
    def run(self) -> Iterator[Finding]:
        return iter(())
