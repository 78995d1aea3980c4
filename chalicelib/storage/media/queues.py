"""Messages over SQS about files: a copy is wanted, or a file is to be fetched from its address.

Preparation wants copies, and the convert lane itself when a workspace has no place free. A lost or
doubled message costs only time: the row (`conversions`) decides. `MessageGroupId` is the workspace,
so that SQS's fair queues keep one workspace's many from delaying another's one. Files to be fetched
go to the uploads queue, in which S3 also reports files that clients sent; `workers/uploads` tells
the two apart. After a lost message the upload waits until it is given up.
"""

import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.media.conversions import AskedFor

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_LOG = logging.getLogger(__name__)
_NOW: Final = timedelta(0)
_ASKED: Final = Record(AskedFor)
_FETCH = "fetch"


class _Queue:
    """A queue by its name."""

    def __init__(self, client: "SQSClient", name: str) -> None:
        self._client = client
        self._name = name
        self._url: str | None = None

    def _send(self, body: str, workspace_id: str, delay: timedelta) -> None:
        if self._url is None:
            self._url = self._client.get_queue_url(QueueName=self._name)["QueueUrl"]
        self._client.send_message(
            QueueUrl=self._url,
            MessageBody=body,
            DelaySeconds=int(delay.total_seconds()),
            MessageGroupId=workspace_id,
        )


class ConvertQueue(_Queue):
    """The queue of the convert lane."""

    def send(self, asked: AskedFor, *, delay: timedelta = _NOW) -> None:
        """Send a message. If the queue refuses it, those who wait for the copy ask again."""
        try:
            self._send(convert_message(asked), asked.workspace_id, delay)
        except (BotoCoreError, ClientError):
            facts = {"action": "convert.lost", "media_id": asked.media_id}
            _LOG.warning("A conversion was not handed on; it is asked for again.", extra=facts)


def convert_message(asked: AskedFor) -> str:
    """Return the message that names a copy."""
    return json.dumps(_ASKED.item(asked))


def read_convert_message(body: str) -> AskedFor:
    """Read which copy a message names. Raises ValueError or KeyError for anything else."""
    return _ASKED.value(json.loads(body))


class FetchQueue(_Queue):
    """The uploads queue, for files that are fetched from an address."""

    def send(self, media_id: str, workspace_id: str, *, delay: timedelta = _NOW) -> None:
        """Ask for a file; one workspace's many requests do not delay another's one."""
        self._send(json.dumps({_FETCH: media_id}), workspace_id, delay)


def read_fetch(message: object) -> str | None:
    """Return the file that a message asks for; None if it is another message."""
    media_id = message.get(_FETCH) if isinstance(message, dict) else None
    return media_id if isinstance(media_id, str) else None
