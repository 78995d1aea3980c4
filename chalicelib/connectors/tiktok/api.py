"""TikTok's calls, one method each: developers.tiktok.com/doc/content-posting-api-get-started.

Every answer says in `error.code` whether it is a success; the HTTP status need not agree. Uploads
alone go to another host, at an address that holds a token of its own, and speak plain HTTP.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.tiktok.errors import (
    CANNOT_POST,
    INTERNAL_ERROR,
    LEAST_WAIT,
    OK,
    WAITS,
)
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody, JsonBody
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse

NEWEST = 20
"""How many videos a list names at most."""

_MIME = "application/json; charset=UTF-8"
_ANY_ANSWER = frozenset(range(200, 500))
_UPLOAD_ANSWERS = frozenset({200, 201, 206, 400, 403, 404, 416})
_SOON = timedelta(seconds=10)
"""For what a person waits for in front of an API call."""

_BAD = 400
_LISTED = {"fields": "id,create_time,video_description,share_url"}
_COUNTED = {"fields": "id,view_count,like_count,comment_count,share_count"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TikTokHosts:
    """Where TikTok answers: its API, and the site that people see."""

    tiktok: str = "https://open.tiktokapis.com"
    tiktok_web: str = "https://www.tiktok.com"


class TikTokApi:
    """Calls for an account, under its token."""

    def __init__(self, http: PlatformHttp, hosts: TikTokHosts) -> None:
        self._http = http
        self._hosts = hosts

    # Publishing.

    def creator(self, account: ConnectedAccount) -> PlatformResponse:
        """Return what the creator may choose, or why they cannot post now."""
        call = self._call(account.token, "post/publish/creator_info/query/", {})
        response = self._http.send(replace(call, takes=_ANY_ANSWER, deadline=_SOON))
        if str(response.find("error", "code")) in {OK, *CANNOT_POST}:
            return response
        raise self.read_error(response)

    def init_video(self, account: ConnectedAccount, body: Json) -> tuple[str, str]:
        """Open an upload; return the post's id and the upload's address."""
        response = self._post(account, "post/publish/video/init/", body)
        return response.identifier("data", "publish_id"), response.text("data", "upload_url")

    def init_draft(self, account: ConnectedAccount, body: Json) -> tuple[str, str]:
        """Open an upload that ends in the creator's inbox; return as `init_video` does."""
        response = self._post(account, "post/publish/inbox/video/init/", body)
        return response.identifier("data", "publish_id"), response.text("data", "upload_url")

    def init_photo(self, account: ConnectedAccount, body: Json) -> str:
        """Let TikTok fetch a photo and publish it; return the post's id."""
        return self._post(account, "post/publish/content/init/", body).identifier(
            "data", "publish_id"
        )

    def put(
        self, address: str, chunk: FileBody, span: str, deadline: timedelta
    ) -> PlatformResponse:
        """Send one chunk. It goes without the account's token: the address has its own."""
        return self._http.send(
            Call(
                method="PUT",
                url=address,
                headers={"Content-Range": span},
                body=chunk,
                takes=_UPLOAD_ANSWERS,
                deadline=deadline,
            )
        )

    def status(self, account: ConnectedAccount, publish_id: str) -> PlatformResponse:
        """Return how far a post is."""
        return self._post(account, "post/publish/status/fetch/", {"publish_id": publish_id})

    # What is live.

    def videos(self, account: ConnectedAccount) -> list[Json]:
        """Return the account's newest public videos."""
        response = self._post(account, "video/list/", {"max_count": NEWEST}, _LISTED)
        return response.items("data", "videos")

    def metrics(self, account: ConnectedAccount, post_ids: list[str]) -> list[Json]:
        """Return the counts of public posts; those that are not public are left out."""
        named: list[Json] = [*post_ids]
        body: Json = {"filters": {"video_ids": named}}
        return self._post(account, "video/query/", body, _COUNTED).items("data", "videos")

    def user(self, token: str, fields: str) -> PlatformResponse:
        """Return some fields of the person whose token it is."""
        url = f"{self._hosts.tiktok}/v2/user/info/"
        return self._send(Call(method="GET", url=url, token=token, params={"fields": fields}))

    def profile(self, username: str) -> str:
        """Return where a creator's posts are seen."""
        return f"{self._hosts.tiktok_web}/@{username.removeprefix('@')}"

    # Answers.

    def read_error(self, response: PlatformResponse) -> PlatformError:
        """Return what an answer that is no success means."""
        code = response.find("error", "code")
        if code == INTERNAL_ERROR or (code is None and response.status < _BAD):
            return response.unreadable("did not say what it did")
        error = self._http.read_error(response)
        if not isinstance(error, RateLimitedError):
            return error
        return error.waiting(
            WAITS.get(str(code)) or max(error.retry_after or LEAST_WAIT, LEAST_WAIT)
        )

    def _post(
        self,
        account: ConnectedAccount,
        path: str,
        body: Json,
        params: Mapping[str, str] | None = None,
    ) -> PlatformResponse:
        return self._send(replace(self._call(account.token, path, body), params=params or {}))

    def _call(self, token: str | None, path: str, body: Json) -> Call:
        url = f"{self._hosts.tiktok}/v2/{path}"
        return Call(method="POST", url=url, token=token, body=JsonBody(body, _MIME))

    def _send(self, call: Call) -> PlatformResponse:
        response = self._http.send(replace(call, takes=_ANY_ANSWER))
        if response.find("error", "code") == OK:
            return response
        raise self.read_error(response)
