"""Plays what DynamoDB and S3 do by themselves: rows and files whose time is over go away.

What was deleted goes from the engine's log, too, once the engine is quiet.
"""

import logging

from botocore.exceptions import BotoCoreError

from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.expiry import Sweeper
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.local.triggers.repeated import Repeated

_EVERY_S = 67.0
"""Never in step with the tick, which writes each minute."""

_UNDISTURBED_S = 600.0
"""A clock that was set tells wrongly how old a file is, and what is removed is gone."""
_LOG = logging.getLogger(__name__)


def sweeps(address: str) -> Repeated:
    """Return what sweeps the engine at an address; the first seconds of a stack are others'.

    Nothing is swept until the machine's clock has been left alone for some minutes.
    """
    engine = open_engine(address)
    sweeper = Sweeper(engine)

    def run() -> float:
        try:
            if machine_clock.undisturbed_s() >= _UNDISTURBED_S:
                sweeper.sweep()
        except (BotoCoreError, OSError) as failure:
            _LOG.warning("What is over could not be removed: %s", failure)
        engine.empty_quiet_log()
        return _EVERY_S

    return Repeated("sweeps", run, first_wait_s=_EVERY_S)
