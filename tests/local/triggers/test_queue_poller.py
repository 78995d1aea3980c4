"""How many messages are received at once: no more than can begin, as what waits has no turns."""

from unittest.mock import Mock

import pytest

from chalicelib.local.triggers.handlers import Handler, QueueHandler
from chalicelib.local.triggers.queue_poller import QueuePoller


@pytest.mark.parametrize(
    ("batch", "most", "running", "wanted"),
    [
        (1, 2, 0, 2),
        (1, 2, 1, 1),
        (1, 2, 2, 1),
        (1, 64, 50, 10),
        (1, 64, 60, 4),
        (3, 2, 1, 3),
        (100, 2, 1, 10),
    ],
)
def test_no_more_is_received_than_there_are_places_for(
    batch: int, most: int, running: int, wanted: int
) -> None:
    sqs = Mock(receive_message=Mock(return_value={}))
    source = QueueHandler(Handler("prepare", Mock()), "prepare", batch)
    poller = QueuePoller(source, sqs, "region", most=most)
    poller._url = "here"
    poller._running = running

    poller._receive()

    assert sqs.receive_message.call_args.kwargs["MaxNumberOfMessages"] == wanted
