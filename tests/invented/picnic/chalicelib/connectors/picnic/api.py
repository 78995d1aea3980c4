"""How Picnic's API is called."""

from collections.abc import Mapping

from chalicelib.connectors.connector import ConnectedAccount, MediaFile
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody, JsonBody
from chalicelib.kit.transport.responses import PlatformResponse

_OK, _GONE = 200, 404


class PicnicApi:
    """Calls in an account's name."""

    def __init__(self, http: PlatformHttp, host: str) -> None:
        self._http = http
        self._host = host

    def get(
        self, path: str, token: str | None, params: Mapping[str, str] | None = None
    ) -> PlatformResponse:
        """Read something."""
        return self._http.send(
            Call(method="GET", url=f"{self._host}/{path}", token=token, params=params or {})
        )

    def upload(self, account: ConnectedAccount, photo: MediaFile) -> str:
        """Upload a photo that nobody sees yet; return its id."""
        body = FileBody(file=photo, mime=photo.mime)
        call = Call(method="POST", url=f"{self._host}/photos", token=account.token, body=body)
        return self._http.send(call).text("id")

    def publish(self, account: ConnectedAccount, post: Mapping[str, Json]) -> str:
        """Make a post that everybody sees; return its id."""
        body = JsonBody(dict(post))
        call = Call(method="POST", url=f"{self._host}/posts", token=account.token, body=body)
        return self._http.send(call).text("id")

    def delete(self, account: ConnectedAccount, post: str) -> None:
        """Delete a post; one that is gone counts as deleted."""
        self._http.send(
            Call(
                method="DELETE",
                url=f"{self._host}/posts/{post}",
                token=account.token,
                takes=frozenset({_OK, _GONE}),
            )
        )
