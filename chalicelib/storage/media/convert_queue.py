"""Messages over SQS about files: a copy is wanted, or a file is to be fetched from its address.

Preparation wants copies, and the convert lane itself when a workspace has no place free. Losing or
doubling one costs time: the row (`conversions`) decides. `MessageGroupId` is the workspace, so that
SQS's fair queues keep one workspace's many from delaying another's one. What is to be fetched goes
to the uploads queue, where S3 tells of files that clients sent; `workers/uploads` tells the two
apart. A message that is lost leaves the upload waiting until it is given up.
"""

import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.dynamodb.records import Record
from chalicelib.storage.media.conversions import AskedFor

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_LOG = logging.getLogger(__name__)
_ASKED: Final = Record(AskedFor)


class ConvertQueue:
    """The queue of the convert lane."""

    def __init__(self, client: "SQSClient", name: str) -> None:
        self._client = client
        self._name = name
        self._url: str | None = None

    def send(self, asked: AskedFor, *, delay: timedelta = timedelta(0)) -> None:
        """Send a message. One that the queue does not take is asked for again by who waits."""
        try:
            self._send(asked, delay)
        except (BotoCoreError, ClientError):
            facts = {"action": "convert.lost", "media_id": asked.media_id}
            _LOG.warning("A conversion was not handed on; it is asked for again.", extra=facts)

    def _send(self, asked: AskedFor, delay: timedelta) -> None:
        if self._url is None:
            self._url = self._client.get_queue_url(QueueName=self._name)["QueueUrl"]
        self._client.send_message(
            QueueUrl=self._url,
            MessageBody=convert_message(asked),
            DelaySeconds=int(delay.total_seconds()),
            MessageGroupId=asked.workspace_id,
        )


def convert_message(asked: AskedFor) -> str:
    """Return the message that names a copy."""
    return json.dumps(_ASKED.item(asked))


def read_convert_message(body: str) -> AskedFor:
    """Read which copy a message names. Raises ValueError or KeyError for anything else."""
    return _ASKED.value(json.loads(body))
