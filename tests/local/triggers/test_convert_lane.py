"""The process that converts stays small until a copy is wanted."""

import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from chalicelib.local.triggers.convert_lane import await_work
from chalicelib.settings import Settings
from tests.local.running_stack import PROJECT
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import media_rooms


@pytest.fixture(scope="module")
def settings(emulator: EmulatorProcess) -> Settings:
    return make_resources(emulator.endpoint)


def waiting(settings: Settings, stopping: threading.Event) -> threading.Thread:
    thread = threading.Thread(target=await_work, args=(settings, stopping), kwargs={"every_s": 0.1})
    thread.start()
    return thread


def test_it_waits_until_a_message_says_that_a_copy_is_wanted(settings: Settings) -> None:
    sqs = media_rooms(settings).sqs
    url = sqs.get_queue_url(QueueName=settings.convert_queue)["QueueUrl"]
    lane = waiting(settings, threading.Event())
    lane.join(0.3)
    waited = lane.is_alive()

    sqs.send_message(QueueUrl=url, MessageBody="{}", MessageGroupId="w")
    lane.join(240)

    assert waited
    assert not lane.is_alive()
    found = sqs.receive_message(QueueUrl=url, MessageSystemAttributeNames=["All"])["Messages"]
    assert found[0]["Attributes"]["ApproximateReceiveCount"] == "1"


def test_it_ends_when_it_is_told_to_stop(settings: Settings) -> None:
    stopping = threading.Event()
    lane = waiting(settings, stopping)

    stopping.set()
    lane.join(240)

    assert not lane.is_alive()


@pytest.mark.parametrize("endpoint", [None, "http://127.0.0.1:1"], ids=["no queue", "no answer"])
def test_what_cannot_be_asked_is_left_to_the_apps_own_client(
    settings: Settings, endpoint: str | None
) -> None:
    unknown = replace(settings, resource_prefix="unknown")
    lane = waiting(
        unknown if endpoint is None else replace(settings, endpoint_url=endpoint), threading.Event()
    )

    lane.join(240)

    assert not lane.is_alive()


def test_it_loads_neither_the_app_nor_what_speaks_to_aws_before() -> None:
    look = "import chalicelib.local.triggers.convert_lane, sys; print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", look], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    heavy = {"app", "botocore.session", "botocore.hooks", "chalice", "pydantic"}
    assert not heavy & set(done.stdout.split())
