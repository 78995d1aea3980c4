"""The operator's hand on the engine: let nothing more be sent, or go on.

After a restore from a backup the tables may not know what went out since; resuming with a moment
makes workers look on the platforms for everything that was due from then until now.
"""

from datetime import datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.operator_errors import OperatorError
from chalicelib.storage.engine_switch import EngineSwitch, SwitchState


class EngineControl:
    """Pause and resume."""

    def __init__(self, *, switch: EngineSwitch, clock: Clock) -> None:
        self._switch = switch
        self._clock = clock

    def pause(self) -> SwitchState:
        """Let nothing more be sent; what is being sent right now finishes."""
        return self._switch.pause()

    def resume(self) -> SwitchState:
        """Go on as before."""
        return self._switch.resume()

    def resume_confirming(self, since: datetime) -> SwitchState:
        """Go on, but look before sending what was due from `since` until now."""
        now = self._clock()
        if since > now:
            message = "The moment to confirm from lies in the future. Give the backup's time."
            raise OperatorError(message)
        return self._switch.resume_confirming(since, now=now)
