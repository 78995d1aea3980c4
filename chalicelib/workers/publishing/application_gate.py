"""Holds a run back while the platform refuses its account's whole application.

`SignedConnector` asks before each step and reports each step's outcome. `domain/engine/holds.py`
decides what a hold is, and who may try again when.
"""

import logging
from collections.abc import Callable

from chalicelib.connectors.connector import ConnectedAccount, Publication
from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.holds import (
    Holds,
    Whose,
    begin,
    end,
    find_hold,
    take_turn,
    wait_for,
    without_old,
)
from chalicelib.domain.outcome import Done, Failed, Outcome
from chalicelib.domain.platforms.sandbox import sandbox_words
from chalicelib.domain.workspace.accounts import Account
from chalicelib.storage.engine.switch import EngineSwitch

_TEST = "test accounts"
"""A workspace's test accounts share an application that is nobody else's."""
_LOG = logging.getLogger(__name__)


class ApplicationGate:
    """The gate of one account; `known` are the holds as the run's switch was read."""

    def __init__(self, switch: EngineSwitch, account: Account, known: Holds, clock: Clock) -> None:
        self._switch = switch
        self._account = account
        self._known = known
        self._clock = clock
        self._has_turn = False

    def holds(self, signed: ConnectedAccount) -> bool:
        """Tell whether the account's application is held up, as far as this run knows."""
        return find_hold(self._known, self._whose(signed)) is not None

    def why_closed(self, publication: Publication) -> Failed | None:
        """Return why a post waits; None if there is no hold, or if it is this post that tries.

        A test post with a word for the answer it wants gets that answer.
        """
        whose, now = self._whose(publication.account), self._clock()
        hold = find_hold(self._known, whose)
        is_asked = publication.account.test and sandbox_words(publication.text).has("answer")
        if hold is None or self._has_turn or is_asked:
            return None
        if hold.until > now:
            return wait_for(hold, now)
        self._known = self._switch.change_holds(lambda holds: self._take_turn(holds, whose))
        hold = find_hold(self._known, whose)
        return None if hold is None or self._has_turn else wait_for(hold, now)

    def learn_from(self, signed: ConnectedAccount, outcome: Outcome) -> Outcome:
        """Return a step's outcome, and store what it says about the application.

        A post that tried and was refused waits like the others: only the first one fails as the
        error table says. The outcome counts whether or not the hold can be stored.
        """
        whose = self._whose(signed)
        match outcome:
            case Failed(app_wide=True):
                now = self._clock()
                changed = self._note(
                    lambda holds: begin(without_old(holds, now), whose, outcome, now)
                )
                hold = find_hold(changed, whose)
                if hold is not None and hold.tries == 1:
                    _log("A platform holds up an application; its other posts wait.", whose)
                return wait_for(hold, now) if self._has_turn and hold is not None else outcome
            case Done() if find_hold(self._known, whose) is not None:
                self._note(lambda holds: end(holds, whose))
                _log("A platform takes an application's posts again.", whose)
        return outcome

    def _note(self, change: Callable[[Holds], Holds]) -> Holds:
        try:
            return self._switch.change_holds(change)
        except Exception:  # noqa: BLE001 - the outcome of a call is worth more than the hold
            _LOG.exception("A hold could not be noted.", extra={"action": "application.unnoted"})
            return self._known

    def _take_turn(self, holds: Holds, whose: Whose) -> Holds:
        """Take the turn to try, unless another post has taken it meanwhile."""
        hold, now = find_hold(holds, whose), self._clock()
        self._has_turn = hold is not None and hold.until <= now
        return take_turn(holds, whose, now) if self._has_turn else holds

    def _whose(self, signed: ConnectedAccount) -> Whose:
        account = self._account
        if account.test:
            return Whose(
                platform=account.platform, application=_TEST, workspace_id=account.workspace_id
            )
        return Whose(platform=account.platform, application=signed.extra.get("client_id", ""))


def _log(sentence: str, whose: Whose) -> None:
    facts = {"action": "application.held", "platform": whose.platform}
    _LOG.warning(sentence, extra=facts)
