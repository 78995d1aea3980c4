"""Calls of Instagram and Threads about containers, and about posts made from them.

A platform adds its own calls, and gives its addresses and the names of its edges.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.calls.http import Call
from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse


class ContainerCalls(ABC):
    """Calls for an account, under its token."""

    status_fields: ClassVar[str]
    words_field: ClassVar[str]
    """The field in which a failed container gives the reason."""
    publish_edge: ClassVar[str]
    quota_edge: ClassVar[tuple[str, str]]
    """The edge and fields of the day's used posts."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @abstractmethod
    def url(self, account: ConnectedAccount, path: str) -> str:
        """Return the address of an edge of the account."""

    @abstractmethod
    def post(self, account: ConnectedAccount, path: str, fields: Mapping[str, str]) -> Call:
        """Return a call that creates something."""

    @abstractmethod
    def profile(self, account: ConnectedAccount) -> str:
        """Return the address of the account's public page."""

    @abstractmethod
    def status_of(self, response: PlatformResponse) -> str | None:
        """Read a container's status."""

    def status(self, account: ConnectedAccount, container: str) -> PlatformResponse:
        """Return a container's status."""
        return self.get(account, container, self.status_fields)

    def quota(self, account: ConnectedAccount) -> PlatformResponse:
        """Return the usage of the day's quota of posts."""
        edge, fields = self.quota_edge
        return self.get(account, f"{account.remote_id}/{edge}", fields)

    def publish(self, account: ConnectedAccount, container: str) -> str:
        """Publish a container; return the id of the post."""
        path = f"{account.remote_id}/{self.publish_edge}"
        call = self.post(account, path, {"creation_id": container})
        return self.graph.send_visible(call).identifier("id")

    def link(self, account: ConnectedAccount, media: str) -> str | None:
        """Return the link of a post, which is sometimes missing."""
        link = self.get(account, media, "id,permalink").find("permalink")
        return link if isinstance(link, str) else None

    def insights(self, account: ConnectedAccount, media: str, metrics: str) -> list[Json]:
        """Return some metrics of a post."""
        url = self.url(account, f"{media}/insights")
        return self.graph.get(url, account.token, {"metric": metrics}).items("data")

    def get(self, account: ConnectedAccount, path: str, fields: str) -> PlatformResponse:
        """Return some fields of an object."""
        return self.graph.get(self.url(account, path), account.token, {"fields": fields})
