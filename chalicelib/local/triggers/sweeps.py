"""Plays what DynamoDB and S3 do by themselves: rows and files whose time is over go away."""

import logging
import threading

from botocore.exceptions import BotoCoreError

from chalicelib.embedded.engine import open_engine
from chalicelib.embedded.expiry import sweep

_EVERY_S = 60.0
_LOG = logging.getLogger(__name__)


class Sweeps:
    """Sweeps the engine at an address now and then until told to stop."""

    def __init__(self, address: str, *, every_s: float = _EVERY_S) -> None:
        self._engine = open_engine(address)
        self._every_s = every_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeps", daemon=True)

    def start(self) -> None:
        """Begin after a while: the first seconds of a stack are others'."""
        self._thread.start()

    def stop(self) -> None:
        """Begin no further sweep."""
        self._stopping.set()

    def join(self, timeout_s: float) -> None:
        """Wait for a sweep in progress."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stopping.wait(self._every_s):
            try:
                sweep(self._engine)
            except (BotoCoreError, OSError) as failure:
                _LOG.warning("What is over could not be removed: %s", failure)
