"""Messages that a file at an address is to be fetched, on the queue of finished uploads."""

import json
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_FETCH = "fetch"


class FetchQueue:
    """The uploads queue, as far as addresses are concerned."""

    def __init__(self, client: "SQSClient", name: str) -> None:
        self._client = client
        self._name = name
        self._url: str | None = None

    def send(self, media_id: str, workspace_id: str, *, delay: timedelta = timedelta(0)) -> None:
        """Ask for a file; one workspace's many do not delay another's one."""
        if self._url is None:
            self._url = self._client.get_queue_url(QueueName=self._name)["QueueUrl"]
        self._client.send_message(
            QueueUrl=self._url,
            MessageBody=json.dumps({_FETCH: media_id}),
            DelaySeconds=int(delay.total_seconds()),
            MessageGroupId=workspace_id,
        )


def read_fetch(message: object) -> str | None:
    """Return the file that a message asks for; None if it is another message."""
    media_id = message.get(_FETCH) if isinstance(message, dict) else None
    return media_id if isinstance(media_id, str) else None
