"""Plays what DynamoDB and S3 do by themselves: rows and files whose time is over go away."""

import logging

from botocore.exceptions import BotoCoreError

from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.expiry import Sweeper
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.local.triggers.repeated import Repeated

_EVERY_S = 60.0
_UNDISTURBED_S = 600.0
"""A clock that was set tells wrongly how old a file is, and what is removed is gone."""
_LOG = logging.getLogger(__name__)


def sweeps(address: str) -> Repeated:
    """Return what sweeps the engine at an address; the first seconds of a stack are others'.

    Nothing is swept until the machine's clock has been left alone for some minutes.
    """
    sweeper = Sweeper(open_engine(address))

    def run() -> float:
        try:
            if machine_clock.undisturbed_s() >= _UNDISTURBED_S:
                sweeper.sweep()
        except (BotoCoreError, OSError) as failure:
            _LOG.warning("What is over could not be removed: %s", failure)
        return _EVERY_S

    return Repeated("sweeps", run, first_wait_s=_EVERY_S)
