"""The first thing that anybody tries: start the stack, send a post, start it again, send another.

The whole product as `make run` starts it, on whatever engine the tests run on.
"""

import signal
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.local.stack_modules import STACK_MODULES
from tests.journeys.first_post import FirstPosts
from tests.local.running_stack import Stack, running
from tests.support.engines import costly_elsewhere


@pytest.fixture
def stack(tmp_path: Path, stack_environment: Mapping[str, str]) -> Iterator[Stack]:
    with running(Stack(tmp_path / "data", STACK_MODULES, **stack_environment)) as started:
        yield started


@costly_elsewhere
def test_a_first_post_goes_out_and_another_after_a_restart(stack: Stack) -> None:
    caller = FirstPosts(stack)
    later = caller.draft("Across the restart")
    caller.publish_now(caller.draft("Now"))
    caller.schedule(later, timedelta(seconds=8))

    stack.end(signal.SIGTERM)
    stack.start()
    caller.await_published(later, within_s=60)

    assert ["Across the restart", "Now"] == caller.received()
