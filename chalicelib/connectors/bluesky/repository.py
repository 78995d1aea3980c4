"""An account's repository on its server, and the public view of it.

atproto.com/specs/repository: records under keys, written, looked for and deleted. `putRecord` with
no record to swap writes where none is: the same one again changes nothing, another one is refused.
`applyWrites` is one commit, all or nothing. docs.bsky.app/docs/api/app-bsky-feed-get-posts tells
everybody how often a post was liked and shared.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

from chalicelib.connectors.bluesky.records import POST, POSTGATE, THREADGATE
from chalicelib.connectors.bluesky.sessions import BlueskySessions, method
from chalicelib.connectors.connector import ConnectedAccount, LivePost
from chalicelib.connectors.shared.auth.dpop import ProvenCalls
from chalicelib.connectors.shared.transport.bodies import JsonBody
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import PlatformResponse, count, find
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Json


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
            response.json()
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


_INDEXED_AFTER = timedelta(minutes=10)


def metrics_of(http: PlatformHttp, host: str, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the counts of posts, None for those that are gone."""
    asked = [("uris", live.remote_id) for live in lives]
    place = method(host, "app.bsky.feed.getPosts")
    response = http.send(Call(method="GET", url=place, params=asked))
    found = {str(find(post, "uri")): _metrics(post) for post in response.items("posts")}
    return [found.get(live.remote_id) or _unseen(live) for live in lives]


def _unseen(live: LivePost) -> Metrics | None:
    """Return what is known of a post that the view does not have: a new one may still come."""
    return Metrics() if live.now - live.published_at < _INDEXED_AFTER else None


def _metrics(post: Json) -> Metrics:
    """Read what is counted; Bluesky counts no views and no followers for a post."""
    shares = count(post, "repostCount") + count(post, "quoteCount")
    return Metrics(
        likes=count(post, "likeCount"), comments=count(post, "replyCount"), shares=shares
    )
