"""Sends notices to members on one machine, four times a minute. The trigger runner starts it."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from chalicelib.local.triggers.repeated import Repeated

if TYPE_CHECKING:
    from chalicelib.services.operator.notices import Notices

EVERY_S = 15.0
_LOG = logging.getLogger(__name__)


def telling(notices: "Callable[[], Notices]") -> Repeated:
    """Return the thread that sends notices that are due."""

    def run() -> float:
        try:
            notices().run()
        except Exception:  # noqa: BLE001 - the next round reads the tables again
            _LOG.exception("Notices could not be sent.", extra={"action": "notice.failed"})
        return EVERY_S

    return Repeated("notices", run)
