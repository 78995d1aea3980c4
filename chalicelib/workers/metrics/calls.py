"""One round's calls to platforms for metrics, in batches and within quotas.

After a failure the last metrics stay, the account's health does not change, and the next planned
poll asks again. If a platform asks to slow down, that account is not asked for a while; if it keeps
failing, nobody asks it until the next round.
"""

import logging
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.connector import (
    ConnectedAccount,
    LivePost,
    ReportsMetrics,
    as_connected,
)
from chalicelib.connectors.shared.calls.failures import RateLimitedError, TokenRejectedError
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.analytics.post_metrics import Answer, Missing, Resting
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper

MOST_FAILURES = 5
REST = timedelta(minutes=15)
"""How long an account rests when its platform does not say."""

_LOG = logging.getLogger(__name__)


class MetricCalls:
    """The calls of one round, from several threads; none begins after its end."""

    def __init__(
        self, connectors: Connectors, tokens: TokenKeeper, clock: Clock, end: datetime
    ) -> None:
        self._connectors = connectors
        self._tokens = tokens
        self._clock = clock
        self._end = end
        self._guard = threading.Lock()
        self._made: Counter[Platform] = Counter()
        self._failed: Counter[Platform] = Counter()

    def ask(self, account: Account, lives: Sequence[LivePost]) -> Mapping[str, Answer]:
        """Return what the platform answers about an account's posts, by target id.

        Targets without an answer, for whatever reason, are left out.
        """
        try:
            connector = self._connectors.serving(as_connected(account))
        except NoConnectorError:
            return {}
        if not isinstance(connector, ReportsMetrics):
            return {}
        answers: dict[str, Answer] = {}
        try:
            signed = self._tokens.sign_in(account, connector)
            for start in range(0, len(lives), connector.metrics_batch):
                if not self._may_call(connector):
                    break
                answers |= _ask(connector, signed, lives[start : start + connector.metrics_batch])
        except RateLimitedError as error:
            until = self._clock() + (error.retry_after or REST)
            unanswered = [live for live in lives if live.target_id not in answers]
            answers |= {live.target_id: Resting(until) for live in unanswered}
        except Exception as error:  # noqa: BLE001 - one account must not keep the others
            self._note(account, error)
        return answers

    def _may_call(self, connector: ReportsMetrics) -> bool:
        """Count a call; refuse it if time or quota is used up, or the platform keeps failing."""
        if self._clock() > self._end:
            return False
        with self._guard:
            platform = connector.platform
            if self._failed[platform] >= MOST_FAILURES:
                return False
            if self._made[platform] >= connector.metrics_calls:
                return False
            self._made[platform] += 1
            return True

    def _note(self, account: Account, error: Exception) -> None:
        facts = {
            "action": "metrics.failed",
            "workspace_id": account.workspace_id,
            "account_id": account.id,
            "platform": account.platform,
            "error": type(error).__name__,
        }
        if not isinstance(error, PlatformError):
            _LOG.error("Metrics could not be read.", exc_info=error, extra=facts)
        else:
            _LOG.info("A platform did not return metrics.", extra=facts)
        if not isinstance(error, TokenRejectedError):
            with self._guard:
                self._failed[account.platform] += 1


def _ask(
    connector: ReportsMetrics, signed: ConnectedAccount, lives: Sequence[LivePost]
) -> dict[str, Answer]:
    """Make one call."""
    asked = [replace(live, account=signed) for live in lives]
    told = connector.metrics(asked)
    return {
        live.target_id: Missing() if metrics is None else metrics
        for live, metrics in zip(asked, told, strict=True)
    }
