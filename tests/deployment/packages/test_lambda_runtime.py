"""The package's functions, run by Amazon's own runtime client and asked with its own sample events.

Oracles: `awslambdaric`, which Lambda's managed Python has, and the events in `events/`, unchanged
from the test data of github.com/aws/aws-lambda-go v1.55.1 (Apache 2.0). A test changes of them what
names our stage alone: the path, the key, a message's body.
"""

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import app
from chalicelib.local.triggers.handlers import (
    queue_handlers,
    scheduled_event,
    scheduled_handlers,
)
from chalicelib.storage.engine.wake_queue import entry
from infra.packaging.package import Package
from tests.api.http_house import a_house
from tests.api.http_room import Document, Room
from tests.deployment.packages.runtime_api import Answered, RuntimeApi
from tests.support.emulator import CREDENTIALS, REGION, EmulatorProcess

pytestmark = pytest.mark.deploy

CLIENT = ("awslambdaric==4.2.2", "simplejson==4.3.0", "snapshot-restore-py==1.0.0")
"""Kept out of the project's own libraries: `requests` takes simplejson where it finds it."""
EVENTS = Path(__file__).parent / "events"
CAPTION = "Crêpes \N{PANCAKES}\N{LINE SEPARATOR}at seven"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The package's folder, and a workspace of the stage that its functions belong to."""

    folder: Path
    room: Room
    environment: Mapping[str, str]


@pytest.fixture(scope="module")
def unpacked(
    packaged: Package, emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> Unpacked:
    folder = tmp_path_factory.mktemp("lambda") / "task"
    client = folder.with_name("client")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(client)]
    subprocess.run([*pip, *CLIENT], check=True)
    with zipfile.ZipFile(packaged.archive) as archive:
        archive.extractall(folder)
    room = a_house(emulator, folder.with_name("house")).room()
    room.house.clock.now = datetime.now(UTC)  # the functions have the real time
    settings = room.house.deployment.settings
    stage = {
        "AWS_ENDPOINT_URL": str(settings.endpoint_url),
        "GOLDENHOUR_RESOURCE_PREFIX": settings.resource_prefix,
        "PYTHONPATH": str(client),
    }
    return Unpacked(folder, room, {**CREDENTIALS, **stage})


@pytest.fixture
def api() -> Iterator[RuntimeApi]:
    with RuntimeApi() as running:
        yield running


def _sample(name: str) -> Document:
    event: Document = json.loads((EVENTS / name).read_text(encoding="utf-8"))
    return event


def _request(room: Room, method: str, path: str, body: object = None) -> Document:
    event = _sample("request.json")
    event |= {"resource": path, "path": path, "httpMethod": method, "pathParameters": None}
    event["body"] = None if body is None else json.dumps(body)
    event["requestContext"] |= {"resourcePath": path, "httpMethod": method, "path": f"/api{path}"}
    event["queryStringParameters"] = event["multiValueQueryStringParameters"] = None
    event["headers"]["Authorization"] = f"Bearer {room.key}"
    event["multiValueHeaders"]["Authorization"] = [f"Bearer {room.key}"]
    return event


def _message(body: object) -> Document:
    event = _sample("messages.json")
    event["Records"][0]["body"] = body if isinstance(body, str) else json.dumps(body)
    return event


def _told(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def test_a_request_as_api_gateway_describes_it_makes_a_draft(
    unpacked: Unpacked, api: RuntimeApi
) -> None:
    room = unpacked.room
    draft = {"caption": CAPTION, "targets": [{"account_id": room.account("linkedin")}]}
    with api.started("app", unpacked.folder, unpacked.environment) as log:
        unknown = api.asked(_sample("request.json"))
        made = api.asked(_request(room, "POST", "/v1/posts", draft))

    assert unknown.document["statusCode"] == 404
    assert (made.kind, made.document["statusCode"]) == ("response", 201)
    told = json.loads(made.document["body"])
    assert told["caption"] == room.show(told)["caption"] == CAPTION
    assert "Crêpes" not in log.read_text("utf-8")
    assert [one["message"] for one in _told(log)[-1:]] == ["POST /v1/posts 201"]


@pytest.mark.parametrize("name", [one.handler.name for one in scheduled_handlers(app.app)])
def test_a_function_of_a_rule_answers(unpacked: Unpacked, api: RuntimeApi, name: str) -> None:
    with api.started(name, unpacked.folder, unpacked.environment):
        answered = api.asked(scheduled_event(name, datetime.now(UTC), REGION))

    assert answered == Answered("response", None)


@pytest.mark.parametrize("name", [one.handler.name for one in queue_handlers(app.app)])
def test_a_message_that_cannot_be_read_fails_alone_and_is_told_in_one_line(
    unpacked: Unpacked, api: RuntimeApi, name: str
) -> None:
    with api.started(name, unpacked.folder, unpacked.environment) as log:
        answered = api.asked(_sample("messages.json"))

    failed = {"batchItemFailures": [{"itemIdentifier": "MessageID_1"}]}
    assert answered == Answered("response", failed)
    (told,) = (one for one in _told(log) if one["level"] != "INFO")
    assert told["message_id"] == "MessageID_1"
    assert "Message Body" not in str(told)


def test_a_post_goes_out_for_a_message_as_sqs_describes_it(
    unpacked: Unpacked, api: RuntimeApi
) -> None:
    room = unpacked.room
    post = room.draft("linkedin", caption=CAPTION)
    room.act(post, "publish-now")
    (ref,) = room.waking(room.house.clock())
    wake = entry(0, ref, timedelta(0))["MessageBody"]
    with api.started("publish", unpacked.folder, unpacked.environment):
        answered = api.asked(_message(wake))

    assert answered == Answered("response", {"batchItemFailures": []})
    assert room.statuses(post) == ["published"]


def test_a_file_that_was_never_announced_is_left_alone(unpacked: Unpacked, api: RuntimeApi) -> None:
    with api.started("finish_uploads", unpacked.folder, unpacked.environment):
        answered = api.asked(_message(_sample("upload.json")))

    assert answered == Answered("response", {"batchItemFailures": []})
