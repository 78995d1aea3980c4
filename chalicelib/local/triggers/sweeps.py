"""Removes expired rows and files, as DynamoDB and S3 do by themselves.

Deleted texts are removed from the engine's log, too, once the engine is idle.
"""

import logging

from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.expiry import Sweeper
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.local.triggers.repeated import Repeated

_EVERY_S = 67.0
"""Not a multiple of a minute: the tick writes each minute."""

_UNDISTURBED_S = 600.0
"""After the clock was set, files look too old or too new, and a removal is final."""
_LOG = logging.getLogger(__name__)


def sweeps(address: str) -> Repeated:
    """Return the thread that sweeps the engine at an address, not in a stack's first seconds.

    Nothing is swept until the machine's clock has not been set for some minutes.
    """
    engine = open_engine(address)
    sweeper = Sweeper(engine)

    def run() -> float:
        try:
            if machine_clock.undisturbed_s() >= _UNDISTURBED_S:
                sweeper.sweep()
        except Exception as failure:  # noqa: BLE001 - the next sweep reads the tables again
            _LOG.warning("What is over could not be removed: %s", failure)
        engine.empty_quiet_log()
        return _EVERY_S

    return Repeated("sweeps", run, first_wait_s=_EVERY_S)
