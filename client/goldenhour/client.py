"""The client: one object with the API's operations, grouped by what they are about.

    with Client("https://posts.example.com", api_key) as client:
        media = client.media.upload("photo.jpg")
        post = client.posts.create(targets=[account.id], caption="Hello", media_ids=[media.id])
        post = client.posts.schedule(post.id, at=tomorrow).wait()

It is synchronous and may be shared by threads that only call it.
"""

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import cast, final

from goldenhour.http.retrying import Retries
from goldenhour.http.transport import Call, Transport
from goldenhour.models.answers import Health, Me, Ready
from goldenhour.resources.accounts import Accounts
from goldenhour.resources.labels import LabelBook
from goldenhour.resources.media import MediaFiles
from goldenhour.resources.posts import Posts
from goldenhour.resources.series import SeriesBook
from goldenhour.resources.times import Times


@final
class Client:
    """The API of one service for one key; a key belongs to one workspace."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: Retries | None = None,
        sleep: Callable[[float], None] = time.sleep,
        insecure_http: bool = False,
    ) -> None:
        self._transport = Transport(
            base_url, api_key, retries=retries, sleep=sleep, insecure_http=insecure_http
        )
        self.accounts = Accounts(self._transport)
        self.labels = LabelBook(self._transport)
        self.series = SeriesBook(self._transport)
        self.media = MediaFiles(self._transport)
        self.posts = Posts(self._transport)
        self.times = Times(self._transport)

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._transport.base_url

    def health(self) -> Health:
        """Return whether the service is up; needs no valid key."""
        return self._transport.send(Call(method="GET", path="/v1/health", repeatable=True)).read(
            Health
        )

    def ready(self) -> Ready:
        """Return that the service answers and publishes; a refusal says that it does not."""
        return self._transport.send(Call(method="GET", path="/v1/ready", repeatable=True)).read(
            Ready
        )

    def me(self) -> Me:
        """Return who the key is, what it may do and what is left of the allowances."""
        return self._transport.send(Call(method="GET", path="/v1/me", repeatable=True)).read(Me)

    def openapi(self) -> Mapping[str, object]:
        """Return the service's own description of its API."""
        answer = self._transport.send(Call(method="GET", path="/v1/openapi.json", repeatable=True))
        return cast("Mapping[str, object]", answer.body)

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
