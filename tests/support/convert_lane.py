"""The convert lane of a test: what is asked for is made at once, in the thread that asks.

lane = ConvertsAtOnce.into(deployment)
"""

from datetime import timedelta

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.storage.media.conversions import AskedFor
from chalicelib.storage.media.queues import ConvertQueue, convert_message
from tests.support.under_policy import running


class ConvertsAtOnce(ConvertQueue):
    """A queue whose messages arrive before `send` returns; those to come later are kept."""

    def __init__(self, deployment: Deployment) -> None:
        super().__init__(deployment.clients.sqs, deployment.settings.convert_queue)
        self._deployment = deployment
        self.sent: list[AskedFor] = []
        self.later: list[AskedFor] = []

    @classmethod
    def into(cls, deployment: Deployment) -> "ConvertsAtOnce":
        """Let a deployment convert at once."""
        lane = cls(deployment)
        deployment.media.convert_queue = lane
        return lane

    def send(self, asked: AskedFor, *, delay: timedelta = timedelta(0)) -> None:
        """Make the copy now."""
        self.sent.append(asked)
        if delay:
            self.later.append(asked)
        else:
            with running("convert"):
                self._deployment.upkeep.convert_worker.run(convert_message(asked))
