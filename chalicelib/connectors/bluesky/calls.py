"""Calls on behalf of an account: with its session's token, or with a proof where it has a key."""

from dataclasses import replace

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.dpop import ProvenCalls
from chalicelib.connectors.http import Call, PlatformHttp
from chalicelib.connectors.reply import Reply


class AccountCalls:
    """Makes calls for accounts, however they signed in."""

    def __init__(self, http: PlatformHttp, proven: ProvenCalls) -> None:
        self._http = http
        self._proven = proven

    def send(self, account: ConnectedAccount, call: Call) -> Reply:
        """Make a call for an account; raises as PlatformHttp does."""
        key = account.extra.get("dpop_key")
        if key is None:
            return self._http.send(replace(call, token=account.token))
        return self._proven.send(call, key, account.token)
