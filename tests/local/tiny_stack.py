"""A tiny app for the stack's own tests: it notes in a table what wakes it.

`python -m chalicelib.local` runs it when told `--stack-modules tests.local.tiny_stack`; the real
ones are `chalicelib.local.wiring`.
"""

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chalice.app import Chalice, CloudWatchEvent, Rate, SQSEvent

from chalicelib.api.doors.crowd import Crowd
from chalicelib.kit.asgi.exchange import AsgiApp, Message, Receive, Scope, Send
from chalicelib.local.front.demo import Demo, DemoAccount
from chalicelib.local.stack_modules import Part
from chalicelib.settings import Settings
from tests.support.clients import a_client

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

app = Chalice(app_name="tiny")
_SETTINGS = Settings.from_environment()


def note(kind: str, text: str) -> None:
    """Write down that something happened, and when."""
    now = datetime.now(UTC)
    a_client("dynamodb", _SETTINGS.endpoint_url).put_item(
        TableName=_SETTINGS.posts_table,
        Item={
            "pk": {"S": kind},
            "sk": {"S": f"{now.isoformat()}#{os.urandom(4).hex()}"},
            "text": {"S": text},
        },
    )


@app.schedule(Rate(1, unit=Rate.MINUTES))
def tick(event: CloudWatchEvent) -> None:
    """Note each tick."""
    note("tick", event.detail_type)


@app.on_sqs_message(queue=_SETTINGS.publish_queue, batch_size=10)
def publish(event: SQSEvent) -> dict[str, list[dict[str, str]]]:
    """Do what the messages say: note, sleep, refuse or raise."""
    failures = []
    for record in event:
        order = json.loads(record.body)
        if "sleep_s" in order:
            time.sleep(order["sleep_s"])
        note("message", order["name"])
        if order.get("raise"):
            raise RuntimeError(order["name"])
        if order.get("fail"):
            failures.append({"itemIdentifier": record.to_dict()["messageId"]})
    return {"batchItemFailures": failures}


@app.on_sqs_message(queue=_SETTINGS.uploads_queue)
def finish_uploads(event: SQSEvent) -> None:
    """Note each object that arrived."""
    for record in event:
        for part in json.loads(record.body).get("Records", []):
            note("upload", part["s3"]["object"]["key"])


def clock_was_set() -> None:
    """Note it."""
    note("clock", "was set")


def create_front(_crowd: Crowd) -> AsgiApp:
    """Answer every path with the same words."""

    async def front(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        start: Message = {"type": "http.response.start", "status": 200, "headers": []}
        await send(start)
        await send({"type": "http.response.body", "body": b'{"ok": true}'})

    return front


def media_links() -> Callable[[str], str | None]:
    """Know no files."""
    return lambda _media_id: None


def sandbox_accounts() -> Callable[[str], frozenset[str] | None]:
    """Know no members."""
    return lambda _cookie: None


def queues() -> "SQSClient":
    """Return a client of the queues."""
    return a_client("sqs", _SETTINGS.endpoint_url)


def load_ahead() -> None:
    """Import nothing more."""


def take_over() -> None:
    """Hold nothing, so take nothing over."""


def watch() -> list[Part]:
    """Tell nobody."""
    return []


def knows_demo(demo: Demo) -> bool:
    """Know every workspace, since nothing asks for one."""
    del demo
    return True


def is_paused() -> bool:
    return False


def sign_in(demo: Demo) -> tuple[str, str]:
    """Return an owner and a sign-in token that open nothing."""
    del demo
    return "owner", "token"


def make_demo() -> Demo:
    """Make nothing, but say so in the form of the real one."""
    account = DemoAccount("a" * 32, "x", "@demo")
    return Demo(api_key="gh_live_demo", workspace_id="b" * 32, accounts=(account,))
