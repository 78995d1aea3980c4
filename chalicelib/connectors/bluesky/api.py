"""An account's repository on its server.

atproto.com/specs/repository: records under keys, written, looked for and deleted. `putRecord` with
no record to swap writes where none is: the same one again changes nothing, another one is refused.
`applyWrites` is one commit, all or nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from chalicelib.connectors.bluesky.account import BlueskySessions, method
from chalicelib.connectors.bluesky.post import POST, POSTGATE, THREADGATE
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.auth.dpop import ProvenCalls
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.responses import PlatformResponse


class AccountCalls:
    """Makes calls for accounts, however they signed in, to the server on which each lives."""

    def __init__(self, http: PlatformHttp, proven: ProvenCalls, sessions: BlueskySessions) -> None:
        self._http = http
        self._proven = proven
        self._sessions = sessions

    def address(self, account: ConnectedAccount, name: str) -> str:
        """Return the address of a method on the account's server."""
        return method(str(self._sessions.settings_for(account)["pds"]), name)

    def server_did(self, account: ConnectedAccount) -> str:
        """Return what the account's server calls itself."""
        return str(self._sessions.settings_for(account)["pds_did"])

    def send(self, account: ConnectedAccount, call: Call) -> PlatformResponse:
        """Make a call for an account; raises as PlatformHttp does."""
        key = account.extra.get("dpop_key")
        if key is None:
            return self._http.send(replace(call, token=account.token))
        return self._proven.send(call, key, account.token)


_PREFIX = "com.atproto.repo."
_OK = 200


class BlueskyRepository:
    """Writes to and looks into repositories."""

    def __init__(self, http: PlatformHttp, calls: AccountCalls) -> None:
        self._http = http
        self._calls = calls

    def write_post(self, account: ConnectedAccount, key: str, record: Json) -> None:
        """Put a post where none is; the same one again is no error, another one is refused."""
        where = {"collection": POST, "rkey": key, "record": record}
        self._change(account, "putRecord", {**where, "validate": True, "swapRecord": None})

    def write_together(
        self, account: ConnectedAccount, key: str, records: Mapping[str, Json]
    ) -> None:
        """Create records under one key; a repetition is refused as a whole, with a bare 500."""
        writes: list[Json] = [
            {
                "$type": f"{_PREFIX}applyWrites#create",
                "collection": collection,
                "rkey": key,
                "value": record,
            }
            for collection, record in records.items()
        ]
        self._change(account, "applyWrites", {"validate": True, "writes": writes})

    def find_post(self, account: ConnectedAccount, key: str) -> PlatformResponse | None:
        """Return the post under a key, or None if there provably is none; anybody may ask."""
        response = self._http.send(
            Call(
                method="GET",
                url=self._calls.address(account, f"{_PREFIX}getRecord"),
                params={"repo": account.remote_id or "", "collection": POST, "rkey": key},
                takes=frozenset({200, 400}),
            )
        )
        if response.status == _OK:
            response.text("uri")
            return response
        if response.find("error") == "RecordNotFound":
            return None
        raise self._http.read_error(response)

    def delete_post(self, account: ConnectedAccount, uri: str) -> None:
        """Delete a post and its gates; deleting what is gone is no error there."""
        key = urlsplit(uri).path.rpartition("/")[2]
        for collection in (POST, THREADGATE, POSTGATE):
            self._change(account, "deleteRecord", {"collection": collection, "rkey": key})

    def _change(self, account: ConnectedAccount, name: str, fields: Mapping[str, Json]) -> None:
        body = JsonBody({"repo": account.remote_id, **fields})
        place = self._calls.address(account, f"{_PREFIX}{name}")
        self._calls.send(account, Call(method="POST", url=place, body=body)).json()
