"""What Instagram and Threads are asked about containers, and about the posts made of them.

A platform adds the calls that it alone has, and says where its calls go and what its edges are.
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
    """Where a container that failed says why."""
    publish_edge: ClassVar[str]
    quota_edge: ClassVar[tuple[str, str]]
    """Where it is told how much of the day's posts is used, and the fields that tell it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @abstractmethod
    def url(self, account: ConnectedAccount, path: str) -> str:
        """Return where something of an account is asked for."""

    @abstractmethod
    def post(self, account: ConnectedAccount, path: str, fields: Mapping[str, str]) -> Call:
        """Return the call that makes something."""

    @abstractmethod
    def profile(self, account: ConnectedAccount) -> str:
        """Return where the account's posts are seen."""

    @abstractmethod
    def status_of(self, response: PlatformResponse) -> str | None:
        """Read a container's status."""

    def status(self, account: ConnectedAccount, container: str) -> PlatformResponse:
        """Return how far a container is."""
        return self.get(account, container, self.status_fields)

    def quota(self, account: ConnectedAccount) -> PlatformResponse:
        """Return how much of the day's posts is used."""
        edge, fields = self.quota_edge
        return self.get(account, f"{account.remote_id}/{edge}", fields)

    def publish(self, account: ConnectedAccount, container: str) -> str:
        """Show a container to everybody; return the id of what they see."""
        path = f"{account.remote_id}/{self.publish_edge}"
        call = self.post(account, path, {"creation_id": container})
        return self.graph.send_visible(call).text("id")

    def link(self, account: ConnectedAccount, media: str) -> str | None:
        """Return the link of a post, which is left out now and then."""
        link = self.get(account, media, "id,permalink").find("permalink")
        return link if isinstance(link, str) else None

    def insights(self, account: ConnectedAccount, media: str, metrics: str) -> list[Json]:
        """Return some figures of a post."""
        url = self.url(account, f"{media}/insights")
        return self.graph.get(url, account.token, {"metric": metrics}).items("data")

    def get(self, account: ConnectedAccount, path: str, fields: str) -> PlatformResponse:
        """Return some fields of something."""
        return self.graph.get(self.url(account, path), account.token, {"fields": fields})
