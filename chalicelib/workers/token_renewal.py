"""Once a day: sign-ins that would lapse from disuse are renewed, and those that end are called out.

Tokens in use are renewed by whoever uses them (`connectors/tokens.py`); this is for the others. The
index `watch` of the directory names those to look at.
"""

import logging

from chalicelib.connectors.connector import as_connected
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.connectors.shared.transport.failures import PlatformError
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.token_rows import TokenRows

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
        """Look after what is due; return how many sign-ins that were."""
        due = list(self.rows.list_watched(self.clock()))
        for workspace_id, account_id in due:
            try:
                self._look(workspace_id, account_id)
            except (PlatformError, NoConnectorError) as error:
                facts = {"action": "tokens.not_renewed", "account_id": account_id}
                _LOG.warning("A sign-in was not renewed: %s", type(error).__name__, extra=facts)
        return len(due)

    def _look(self, workspace_id: str, account_id: str) -> None:
        account = self.accounts.get(workspace_id, account_id)
        if account is not None:
            self.keeper.look(account, self.connectors.serving(as_connected(account)))
