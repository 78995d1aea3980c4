"""Google's calls, one method each: developers.google.com/my-business/reference/rest.

Posts never left version 4; accounts and locations have APIs of their own. All three take the same
token and say no in the same way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.google_business_profile.errors import NOT_SET_UP, has_no_quota
from chalicelib.connectors.shared.calls.failures import RateLimitedError, RejectedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.shared.calls.platform_words import read_platform_answer
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.responses import PlatformResponse

REFUSES_INSIGHTS = frozenset({400, 403, 404, 501})
_GOOD = frozenset(range(200, 300))
NOT_FOUND, _TOO_MANY = 404, 429
_SLOW_DOWN = timedelta(seconds=60)
_POSTS_PAGE, _ACCOUNTS_PAGE, _LOCATIONS_PAGE = "100", "20", "100"
_OF_A_LIST = frozenset({"localPosts", "nextPageToken", "totalPostCount"})
_LOCATION_FIELDS = "name,title,storefrontAddress,metadata"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleBusinessProfileHosts:
    """Where Google answers, and where people sign in.

    `google_business_insights` is asked for figures of posts, which Google tells everybody to stop
    doing: `off` in its place asks no more.
    """

    google_business_posts: str = "https://mybusiness.googleapis.com"
    google_business_insights: str = "https://mybusiness.googleapis.com"
    google_business_accounts: str = "https://mybusinessaccountmanagement.googleapis.com"
    google_business_locations: str = "https://mybusinessbusinessinformation.googleapis.com"
    google_business_login: str = "https://accounts.google.com"
    google_business_tokens: str = "https://oauth2.googleapis.com"


class GoogleBusinessProfileApi:
    """Calls for a location, under its person's token."""

    def __init__(self, http: PlatformHttp, hosts: GoogleBusinessProfileHosts) -> None:
        self._http = http
        self._hosts = hosts

    @property
    def has_insights(self) -> bool:
        """Tell whether to ask for figures at all."""
        return self._hosts.google_business_insights != "off"

    def create(self, account: ConnectedAccount, post: Mapping[str, Json]) -> PlatformResponse:
        """Make a post, which everybody sees as soon as Google lets them."""
        url, body = self._posts(account), JsonBody(dict(post))
        return self._send(Call(method="POST", url=url, token=account.token, body=body))

    def read(self, account: ConnectedAccount, name: str) -> PlatformResponse:
        """Return a post, or the answer that there is none such."""
        url = f"{self._hosts.google_business_posts}/v4/{name}"
        takes = _GOOD | {NOT_FOUND}
        return self._send(Call(method="GET", url=url, token=account.token, takes=takes))

    def delete(self, account: ConnectedAccount, name: str) -> PlatformResponse:
        """Delete a post, or return the answer that there is none such."""
        url = f"{self._hosts.google_business_posts}/v4/{name}"
        takes = _GOOD | {NOT_FOUND}
        return self._send(Call(method="DELETE", url=url, token=account.token, takes=takes))

    def list_page(self, account: ConnectedAccount, page: Json = None) -> PlatformResponse:
        """Return a page of the location's posts. Raises UnansweredError for what is none."""
        params = {"pageSize": _POSTS_PAGE}
        if isinstance(page, str):
            params["pageToken"] = page
        call = Call(method="GET", url=self._posts(account), token=account.token, params=params)
        response = self._send(call)
        said = response.json()
        # A location without posts is answered with an empty object.
        if not isinstance(said, dict) or not said.keys() <= _OF_A_LIST:
            raise response.unreadable("is no list of posts")
        return response

    def insights(self, account: ConnectedAccount, question: Mapping[str, Json]) -> PlatformResponse:
        """Return figures of posts, or the answer that there are none any more."""
        host = self._hosts.google_business_insights
        return self._send(
            Call(
                method="POST",
                url=f"{host}/v4/{account.remote_id}/localPosts:reportInsights",
                token=account.token,
                body=JsonBody(dict(question)),
                takes=_GOOD | REFUSES_INSIGHTS,
            )
        )

    def accounts(self, token: str) -> Iterator[Json]:
        """Yield the person's own account and the groups that they may manage."""
        url = f"{self._hosts.google_business_accounts}/v1/accounts"
        return self._pages(url, token, {"pageSize": _ACCOUNTS_PAGE}, "accounts")

    def locations(self, token: str, account: str) -> Iterator[Json]:
        """Yield the locations of an account."""
        url = f"{self._hosts.google_business_locations}/v1/{account}/locations"
        params = {"readMask": _LOCATION_FIELDS, "pageSize": _LOCATIONS_PAGE}
        return self._pages(url, token, params, "locations")

    def _pages(self, url: str, token: str, params: Mapping[str, str], name: str) -> Iterator[Json]:
        page: dict[str, str] = {}
        while True:
            response = self._send(
                Call(method="GET", url=url, token=token, params={**params, **page})
            )
            yield from response.items(name)
            following = response.find("nextPageToken")
            if not isinstance(following, str) or not following:
                return
            page = {"pageToken": following}

    def _posts(self, account: ConnectedAccount) -> str:
        return f"{self._hosts.google_business_posts}/v4/{account.remote_id}/localPosts"

    def _send(self, call: Call) -> PlatformResponse:
        """Make a call; tell a quota that is spent from one that was never granted."""
        try:
            response = self._http.send(replace(call, takes=call.takes | {_TOO_MANY}))
            if response.status != _TOO_MANY:
                return response
            if has_no_quota(response):
                refused = RejectedError(NOT_SET_UP.code, NOT_SET_UP.sentence, NOT_SET_UP.blamed)
                refused.answer, refused.app_wide = read_platform_answer(response), True
                raise refused
            raise self._http.read_error(response)
        except RateLimitedError as error:
            raise error.waiting(error.retry_after or _SLOW_DOWN) from None


def is_gone(response: PlatformResponse) -> bool:
    """Tell whether Google says that there is no such post.

    A 404 that is a page of HTML says nothing about it: Google's front door did not know us.
    """
    return response.status == NOT_FOUND and response.find("error", "code") == NOT_FOUND
