"""Threads' calls, one method each: developers.facebook.com/docs/threads/reference."""

from collections.abc import Mapping
from datetime import datetime

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.connectors.shared.meta.places import threads_places
from chalicelib.connectors.shared.transport.bodies import FormBody
from chalicelib.connectors.shared.transport.http import Call
from chalicelib.connectors.shared.transport.responses import PlatformResponse
from chalicelib.connectors.threads.account import API, ThreadsHosts
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.choices import ChoiceQuery, Choices

PAGE = 100
"""How many posts of a profile one call lists."""


class ThreadsApi:
    """Calls for an account, under its token."""

    def __init__(self, graph: Graph, hosts: ThreadsHosts) -> None:
        self._graph = graph
        self._hosts = hosts

    def create(self, account: ConnectedAccount, fields: Mapping[str, str]) -> str:
        """Make a container; return its id."""
        return self._graph.send(self._post(account, "threads", fields)).text("id")

    def status(self, account: ConnectedAccount, container: str) -> PlatformResponse:
        """Return how far a container is."""
        return self._get(account, container, "id,status,error_message")

    def quota(self, account: ConnectedAccount) -> PlatformResponse:
        """Return how much of the day's posts is used."""
        return self._get(
            account, f"{account.remote_id}/threads_publishing_limit", "quota_usage,config"
        )

    def publish(self, account: ConnectedAccount, container: str) -> str:
        """Show a container to everybody; return the id of what they see."""
        fields = {"creation_id": container}
        return self._graph.send_visible(self._post(account, "threads_publish", fields)).text("id")

    def link(self, account: ConnectedAccount, media: str) -> str | None:
        """Return the link of a post; Threads leaves it out now and then."""
        link = self._get(account, media, "id,permalink").find("permalink")
        return link if isinstance(link, str) else None

    def posts(self, account: ConnectedAccount, since: datetime) -> list[Json]:
        """Return the profile's newest posts."""
        newest = (("since", str(int(since.timestamp()))), ("limit", str(PAGE)))
        fields = ("fields", "id,text,permalink,timestamp,media_type")
        url = self._url(f"{account.remote_id}/threads")
        return self._graph.get(url, account.token, (fields, *newest)).items("data")

    def insights(self, account: ConnectedAccount, media: str, metrics: str) -> list[Json]:
        """Return some figures of a post."""
        url = self._url(f"{media}/insights")
        return self._graph.get(url, account.token, {"metric": metrics}).items("data")

    def places(self, account: ConnectedAccount, query: ChoiceQuery) -> Choices:
        """Return places that Threads knows."""
        api = f"{self._hosts.threads}/{API}"
        return threads_places(self._graph, api, account.token, "location_id", query)

    def delete(self, account: ConnectedAccount, media: str) -> None:
        """Delete a post. Raises RemovalError."""
        self._graph.delete(self._url(media), account.token)

    def profile(self, account: ConnectedAccount) -> str:
        """Return where the account's posts are seen."""
        return f"{self._hosts.threads_web}/@{account.handle.removeprefix('@')}"

    def _get(self, account: ConnectedAccount, path: str, fields: str) -> PlatformResponse:
        return self._graph.get(self._url(path), account.token, {"fields": fields})

    def _post(self, account: ConnectedAccount, edge: str, fields: Mapping[str, str]) -> Call:
        url = self._url(f"{account.remote_id}/{edge}")
        return Call(method="POST", url=url, token=account.token, body=FormBody(fields))

    def _url(self, path: str) -> str:
        return f"{self._hosts.threads}/{API}/{path}"
