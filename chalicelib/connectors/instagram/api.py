"""Instagram's calls, one method each, at the host of the account's flavour.

developers.facebook.com/docs/instagram-platform/content-publishing.
"""

from collections.abc import Mapping

from chalicelib.connectors.connector import ConnectedAccount, MediaFile
from chalicelib.connectors.instagram.account import InstagramHosts, is_by_facebook
from chalicelib.connectors.shared.calls.http import Call
from chalicelib.connectors.shared.meta.container_calls import ContainerCalls
from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.connectors.shared.meta.places import page_places
from chalicelib.domain.platforms.choices import ChoiceQuery, Choices
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.responses import PlatformResponse, split_address

NEWEST = 50
"""How many posts of an account one call lists."""


class InstagramApi(ContainerCalls):
    """Calls for an account, under its token."""

    status_fields = "status_code,status"
    words_field = "status"
    publish_edge = "media_publish"
    quota_edge = ("content_publishing_limit", "config,quota_usage")

    def __init__(self, graph: Graph, hosts: InstagramHosts) -> None:
        super().__init__(graph)
        self._hosts = hosts

    def create(self, account: ConnectedAccount, fields: dict[str, Json]) -> PlatformResponse:
        """Make a container."""
        return self.graph.send(self.post(account, f"{account.remote_id}/media", fields))

    def upload(self, account: ConnectedAccount, path: str, media: MediaFile) -> bool:
        """Send a container's file whole; tell whether it was taken."""
        url = f"{self._hosts.facebook_upload}{path}"
        response = self.graph.send_file(url, account.token, media)
        if response.find("error") is not None:
            raise self.graph.read_error(response)
        return response.find("success") is True

    def comment(self, account: ConnectedAccount, media: str, text: str) -> None:
        """Comment on a post of the account's own."""
        self.graph.send(self.post(account, f"{media}/comments", {"message": text}))

    def close_comments(self, account: ConnectedAccount, media: str) -> None:
        """Let nobody comment: …/instagram-platform/reference/instagram-media, "Updating"."""
        self.graph.send(self.post(account, media, {"comment_enabled": False}))

    def posts(self, account: ConnectedAccount, edge: str) -> list[Json]:
        """Return the account's newest posts, or stories."""
        fields = "id,caption,permalink,timestamp,media_product_type"
        url = self.url(account, f"{account.remote_id}/{edge}")
        params = {"fields": fields, "limit": str(NEWEST)}
        return self.graph.get(url, account.token, params).require_list("data")

    def places(self, account: ConnectedAccount, query: ChoiceQuery) -> Choices:
        """Return Pages that are places; Instagram's own sign-in can name none."""
        if not is_by_facebook(account):
            return Choices()
        api = self._hosts.api(account)
        return page_places(self.graph, api, account.token, "location_id", query)

    def counts(self, account: ConnectedAccount, media: str) -> PlatformResponse:
        """Return the figures that a post carries itself."""
        return self.get(account, media, "like_count,comments_count")

    def profile(self, account: ConnectedAccount) -> str:
        """Return where the account's posts are seen."""
        return f"{self._hosts.instagram_web}/{account.handle.removeprefix('@')}/"

    def status_of(self, response: PlatformResponse) -> str | None:
        """Read a container's status, which a failed one may tell in words only."""
        told, words = response.find("status_code"), response.find("status")
        if isinstance(told, str):
            return told
        return "ERROR" if isinstance(words, str) and words.startswith("Error") else None

    def url(self, account: ConnectedAccount, path: str) -> str:
        """Return where something is asked for, at the host of the account's flavour."""
        return f"{self._hosts.api(account)}/{path}"

    def post(self, account: ConnectedAccount, path: str, fields: Mapping[str, Json]) -> Call:
        """Return the call that makes something."""
        body = JsonBody(dict(fields))
        return Call(method="POST", url=self.url(account, path), token=account.token, body=body)


def upload_path(response: PlatformResponse) -> str:
    """Return where on the upload host a container's file goes: the token goes nowhere else."""
    return split_address(response.text("uri")).path
