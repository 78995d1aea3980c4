"""Threads' calls, one method each: developers.facebook.com/docs/threads/reference."""

from collections.abc import Mapping
from datetime import datetime

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.calls.http import Call
from chalicelib.connectors.shared.meta.container_calls import ContainerCalls
from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.connectors.shared.meta.places import threads_places
from chalicelib.connectors.threads.account import API, ThreadsHosts
from chalicelib.domain.platforms.choices import ChoiceQuery, Choices
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FormBody
from chalicelib.kit.transport.responses import PlatformResponse

PAGE = 100
"""How many posts of a profile one call lists."""


class ThreadsApi(ContainerCalls):
    """Calls for an account, under its token."""

    status_fields = "id,status,error_message"
    words_field = "error_message"
    publish_edge = "threads_publish"
    quota_edge = ("threads_publishing_limit", "quota_usage,config")

    def __init__(self, graph: Graph, hosts: ThreadsHosts) -> None:
        super().__init__(graph)
        self._hosts = hosts

    def create(self, account: ConnectedAccount, fields: Mapping[str, str]) -> str:
        """Make a container; return its id."""
        call = self.post(account, f"{account.remote_id}/threads", fields)
        return self.graph.send(call).text("id")

    def posts(self, account: ConnectedAccount, since: datetime) -> list[Json]:
        """Return the profile's newest posts."""
        newest = (("since", str(int(since.timestamp()))), ("limit", str(PAGE)))
        fields = ("fields", "id,text,permalink,timestamp,media_type")
        url = self.url(account, f"{account.remote_id}/threads")
        return self.graph.get(url, account.token, (fields, *newest)).require_list("data")

    def places(self, account: ConnectedAccount, query: ChoiceQuery) -> Choices:
        """Return places that Threads knows."""
        api = f"{self._hosts.threads}/{API}"
        return threads_places(self.graph, api, account.token, "location_id", query)

    def delete(self, account: ConnectedAccount, media: str) -> None:
        """Delete a post. Raises RemovalError."""
        self.graph.delete(self.url(account, media), account.token)

    def profile(self, account: ConnectedAccount) -> str:
        """Return where the account's posts are seen."""
        return f"{self._hosts.threads_web}/@{account.handle.removeprefix('@')}"

    def status_of(self, response: PlatformResponse) -> str | None:
        """Read a container's status."""
        told = response.find("status")
        return told if isinstance(told, str) else None

    def url(self, account: ConnectedAccount, path: str) -> str:
        """Return where something is asked for."""
        del account
        return f"{self._hosts.threads}/{API}/{path}"

    def post(self, account: ConnectedAccount, path: str, fields: Mapping[str, str]) -> Call:
        """Return the call that makes something."""
        body = FormBody(fields)
        return Call(method="POST", url=self.url(account, path), token=account.token, body=body)
