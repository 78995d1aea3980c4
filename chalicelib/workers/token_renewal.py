"""Sign-ins that would lapse from disuse are renewed, and those that end are called out.

Tokens in use are renewed by whoever uses them (`services/workspace/token_keeper.py`); this is for
the others. The index `watch` of the directory names those to look at.
"""

import logging
from datetime import datetime, timedelta

from chalicelib.connectors.connector import as_connected
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.clock import Clock
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.token_rows import TokenRows

ROUND = timedelta(minutes=2)
"""No look begins later than that after the first."""
LOOKED_AGAIN = timedelta(hours=1)
"""When a sign-in is looked at again that could not be renewed: others come first meanwhile."""
_AT_ONCE = 8
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRenewal:
    """Looks after the sign-ins that are due for a look; safe to run at any time."""

    rows: TokenRows
    accounts: AccountRepository
    connectors: Connectors
    keeper: TokenKeeper
    clock: Clock

    def run(self) -> int:
        """Look after what is due, as far as the time of a round goes; return how many were."""
        end = self.clock() + ROUND
        due = list(self.rows.list_watched(self.clock()))
        with HelpedPool(_AT_ONCE, name="renewal") as threads:
            for workspace_id, account_id in due:
                threads.submit(self._look_until, end, workspace_id, account_id)
        return len(due)

    def _look_until(self, end: datetime, workspace_id: str, account_id: str) -> None:
        if self.clock() > end:
            return
        facts = {"action": "tokens.not_renewed", "account_id": account_id}
        try:
            self._look(workspace_id, account_id)
        except (PlatformError, NoConnectorError) as error:
            _LOG.warning("A sign-in was not renewed: %s", type(error).__name__, extra=facts)
        except Exception:  # noqa: BLE001 - one sign-in that fails must not keep the others
            _LOG.exception("A sign-in was not renewed.", extra=facts)

    def _look(self, workspace_id: str, account_id: str) -> None:
        account = self.accounts.get(workspace_id, account_id)
        if account is not None:
            self.rows.watch(account, self.clock() + LOOKED_AGAIN)
            self.keeper.look(account, self.connectors.serving(as_connected(account)))
