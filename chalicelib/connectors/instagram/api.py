"""Instagram's calls, one method each, at the host of the account's flavour.

developers.facebook.com/docs/instagram-platform/content-publishing.
"""

from urllib.parse import urlsplit

from chalicelib.connectors.connector import ConnectedAccount, MediaFile
from chalicelib.connectors.instagram.account import InstagramHosts, signed_in_by_facebook
from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.connectors.shared.meta.places import page_places
from chalicelib.connectors.shared.transport.bodies import FileBody, JsonBody
from chalicelib.connectors.shared.transport.http import UPLOAD_DEADLINE, Call
from chalicelib.connectors.shared.transport.responses import PlatformResponse
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.choices import ChoiceQuery, Choices

NEWEST = 50
"""How many posts of an account one call lists."""


class InstagramApi:
    """Calls for an account, under its token."""

    def __init__(self, graph: Graph, hosts: InstagramHosts) -> None:
        self._graph = graph
        self._hosts = hosts

    def create(self, account: ConnectedAccount, fields: dict[str, Json]) -> PlatformResponse:
        """Make a container."""
        return self._graph.send(self._post(account, f"{account.remote_id}/media", fields))

    def upload(self, account: ConnectedAccount, path: str, media: MediaFile) -> bool:
        """Send a container's file whole; tell whether it was taken."""
        headers = {
            "Authorization": f"OAuth {account.token}",
            "offset": "0",
            "file_size": str(media.size_bytes),
        }
        call = Call(
            method="POST",
            url=f"{self._hosts.facebook_upload}{path}",
            headers=headers,
            body=FileBody(file=media, mime="application/octet-stream"),
            takes=frozenset({200, 400}),
            deadline=UPLOAD_DEADLINE,
        )
        response = self._graph.http.send(call)
        if response.find("error") is not None:
            raise self._graph.read_error(response)
        return response.find("success") is True

    def status(self, account: ConnectedAccount, container: str) -> PlatformResponse:
        """Return how far a container is."""
        return self._get(account, container, "status_code,status")

    def quota(self, account: ConnectedAccount) -> PlatformResponse:
        """Return how much of the day's posts is used."""
        return self._get(
            account, f"{account.remote_id}/content_publishing_limit", "config,quota_usage"
        )

    def publish(self, account: ConnectedAccount, container: str) -> str:
        """Show a container to everybody; return the id of what they see."""
        fields: dict[str, Json] = {"creation_id": container}
        call = self._post(account, f"{account.remote_id}/media_publish", fields)
        return self._graph.send_visible(call).text("id")

    def link(self, account: ConnectedAccount, media: str) -> str | None:
        """Return the link of a post."""
        link = self._get(account, media, "id,permalink").find("permalink")
        return link if isinstance(link, str) else None

    def comment(self, account: ConnectedAccount, media: str, text: str) -> None:
        """Comment on a post of the account's own."""
        self._graph.send(self._post(account, f"{media}/comments", {"message": text}))

    def close_comments(self, account: ConnectedAccount, media: str) -> None:
        """Let nobody comment: …/instagram-platform/reference/instagram-media, "Updating"."""
        self._graph.send(self._post(account, media, {"comment_enabled": False}))

    def posts(self, account: ConnectedAccount, edge: str) -> list[Json]:
        """Return the account's newest posts, or stories."""
        fields = "id,caption,permalink,timestamp,media_product_type"
        url = f"{self._hosts.api(account)}/{account.remote_id}/{edge}"
        params = {"fields": fields, "limit": str(NEWEST)}
        return self._graph.get(url, account.token, params).items("data")

    def places(self, account: ConnectedAccount, query: ChoiceQuery) -> Choices:
        """Return Pages that are places; Instagram's own sign-in can name none."""
        if not signed_in_by_facebook(account):
            return Choices()
        api = self._hosts.api(account)
        return page_places(self._graph, api, account.token, "location_id", query)

    def insights(self, account: ConnectedAccount, media: str, metrics: str) -> list[Json]:
        """Return some figures of a post."""
        url = f"{self._hosts.api(account)}/{media}/insights"
        return self._graph.get(url, account.token, {"metric": metrics}).items("data")

    def counts(self, account: ConnectedAccount, media: str) -> PlatformResponse:
        """Return the figures that a post carries itself."""
        return self._get(account, media, "like_count,comments_count")

    def profile(self, account: ConnectedAccount) -> str:
        """Return where the account's posts are seen."""
        return f"{self._hosts.instagram_web}/{account.handle.removeprefix('@')}/"

    def _get(self, account: ConnectedAccount, path: str, fields: str) -> PlatformResponse:
        url = f"{self._hosts.api(account)}/{path}"
        return self._graph.get(url, account.token, {"fields": fields})

    def _post(self, account: ConnectedAccount, path: str, fields: dict[str, Json]) -> Call:
        url = f"{self._hosts.api(account)}/{path}"
        return Call(method="POST", url=url, token=account.token, body=JsonBody(fields))


def upload_path(response: PlatformResponse) -> str:
    """Return where on the upload host a container's file goes: the token goes nowhere else."""
    return urlsplit(response.text("uri")).path
