"""Browsers that show a member's notices (Web Push): added there, listed, removed one by one."""

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.workspace.push import MOST_BROWSERS, Browser, check_keys, id_of_address
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.network_rules import ForbiddenAddressError, require_endpoint
from chalicelib.services.app.signed_in import SignedIn
from chalicelib.storage.workspace.browsers import BrowserRows, PushKey, TooManyBrowsers


@dataclass(frozen=True, slots=True, kw_only=True)
class Browsers:
    """The browsers of all workspaces' members that show notices."""

    rows: BrowserRows
    key: PushKey
    trusted: frozenset[str]
    clock: Clock

    def list(self, who: SignedIn) -> list[Browser]:
        """Return the browsers that show the member's notices, oldest first."""
        found = self.rows.list(who.caller.workspace_id, who.caller.member_id)
        return sorted(found, key=lambda browser: browser.created_at)

    def add(self, who: SignedIn, *, address: str, key: str, secret: str, device: str) -> Browser:
        """Show the member's notices in one more browser. Raises InvalidInput."""
        check_keys(key, secret)
        try:
            require_endpoint(address, self.trusted)
        except ForbiddenAddressError as error:
            raise InvalidInput(str(error), loc=("body", "address")) from None
        browser = Browser(
            id=id_of_address(address),
            workspace_id=who.caller.workspace_id,
            member_id=who.caller.member_id,
            person_id=who.person.id,
            session_since=who.session.created_at,
            address=address,
            key=key,
            secret=secret,
            device=device,
            created_at=self.clock(),
        )
        try:
            self.rows.keep(browser)
        except TooManyBrowsers:
            raise InvalidInput(
                f"{MOST_BROWSERS} browsers show your notices already. Remove one first.",
                loc=("body", "address"),
            ) from None
        return browser

    def end(self, who: SignedIn, browser_id: str) -> bool:
        """Show no more notices in a browser; return whether it was one of the member's."""
        mine = next((one for one in self.list(who) if one.id == browser_id), None)
        if mine is not None:
            self.rows.forget(mine)
        return mine is not None
