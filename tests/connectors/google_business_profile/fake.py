"""Google's Business Profile APIs on loopback: sign-in, accounts, locations and their posts.

Built from the platform's fact sheet and v4.9's reference page, strict about paths, queries and
bodies. A post goes from state to state a poll at a time; refused ones stay in the list, unseen.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

import requests

from tests.connectors.google_business_profile.answers import (
    HTML_404,
    LIMITED,
    NOT_FOUND,
    TOKEN_REFUSED,
    TWIN,
    error,
    require,
    unfit,
)
from tests.connectors.google_business_profile.local_post_schema import unfit_fields
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

LOCATION = "accounts/111/locations/222"
CLIENT, SECRET = "1234.apps.example", "GOCSPX-s3cret"
CODE, REFRESH = "4/0Acode", "1//refresh-of-the-cafe"
ACCOUNTS = [
    {"name": "accounts/111", "accountName": "Fake Cafe", "type": "PERSONAL"},
    {"name": "accounts/112", "accountName": "Fake Group", "type": "LOCATION_GROUP"},
]
LOCATIONS: dict[str, list[dict[str, Value]]] = {
    "accounts/111": [
        {
            "name": "locations/222",
            "title": "Fake Cafe",
            "storefrontAddress": {"regionCode": "GB", "addressLines": ["1 High Street"]},
            "metadata": {"placeId": "ChIJfake", "mapsUri": "https://maps.google.com/maps?cid=9"},
        },
        {
            "name": "locations/223",
            "title": "Fake Van",
            "metadata": {"hasVoiceOfMerchant": True, "mapsUri": "https://maps.google.com/?cid=8"},
        },
    ],
    "accounts/112": [
        {
            "name": "locations/224",
            "title": "Fake Harbour",
            "metadata": {"hasVoiceOfMerchant": False},
        }
    ],
}
_PHOTO_TYPES = {"image/jpeg", "image/png"}


class FakeGoogleBusinessProfile(FakePlatform):
    """Two accounts with three locations; posts go to the first.

    `states` are what the next polls show, LIVE when there are none left. `fetches` lets it really
    get the photos. `lag` is how old a post is before the list has it,
    `own_lag` the same of what was made here.
    """

    token_refused = TOKEN_REFUSED
    limited = LIMITED

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.tokens = ["ya29.first"]
        self.local_posts: dict[str, dict[str, Value]] = {}
        self.first_state = "PROCESSING"
        self.states: list[str | None] = ["PROCESSING"]
        self.search_urls = True
        self.nameless = False
        self.fetches = False
        self.lag = timedelta(0)
        self.own_lag = timedelta(0)
        self.made: set[str] = set()
        self.page_size = 100
        self.oldest_first = False
        self.refusals: list[Answer] = []
        self.views: dict[str, int | str] = {}
        self.insights_answer: Answer | None = None
        self.refuses_twins = False
        self.not_found = NOT_FOUND

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /token":
            return Answer(200, self._token(call))
        bearer = call.headers.get("authorization", "").removeprefix("Bearer ")
        require(bearer in self.tokens, TOKEN_REFUSED)
        for pattern, method in _METHODS.items():
            found = re.fullmatch(pattern, call.name)
            if found is not None:
                return Answer(200, method(self, call, found[1] if found.groups() else ""))
        return HTML_404

    # Signing in.

    def _token(self, call: Received) -> Value:
        form = call.form
        dead = Answer(400, {"error": "invalid_grant", "error_description": "Bad Request"})
        require(
            (form["client_id"], form["client_secret"]) == (CLIENT, SECRET),
            Answer(401, {"error": "invalid_client"}),
        )
        granted: dict[str, Value] = {"token_type": "Bearer", "expires_in": 3599}
        if form["grant_type"] == "refresh_token":
            require(form["refresh_token"] == REFRESH, dead)
        else:
            require(form["code"] == CODE and len(form["code_verifier"]) >= 43, dead)
            granted["refresh_token"] = REFRESH
        self.tokens = [f"ya29.number-{len(self.tokens) + len(self.calls)}"]
        return {**granted, "access_token": self.tokens[0]}

    def _accounts(self, call: Received, _: str) -> Value:
        _require_query(call, set(), most=20)
        return self._page(call, "accounts", ACCOUNTS)

    def _locations(self, call: Received, account: str) -> Value:
        _require_query(call, {"readMask"}, most=100)
        require(account in LOCATIONS, NOT_FOUND)
        mask = call.query["readMask"].split(",")
        shown = [
            {name: value for name, value in location.items() if name in mask}
            for location in LOCATIONS[account]
        ]
        return self._page(call, "locations", shown)

    def _page(self, call: Received, name: str, things: list[dict[str, Value]]) -> Value:
        start = int(call.query.get("pageToken", "page-0").removeprefix("page-"))
        end = start + min(int(call.query.get("pageSize", "20")), self.page_size)
        following = {"nextPageToken": f"page-{end}"} if end < len(things) else {}
        some = things[start:end]
        return {**({name: some} if some else {}), **following}

    # Posts.

    def _create(self, call: Received, parent: str) -> Value:
        require(parent == LOCATION, NOT_FOUND)
        require(call.headers.get("content-type") == "application/json", error(400, "INVALID"))
        if self.refusals:
            raise Wrong(self.refusals.pop(0))
        for field in unfit_fields(call.json):
            raise Wrong(unfit(field))
        self._require_photo(call.json)
        has_twin = any(_is_twin(post, call.json) for post in self.local_posts.values())
        require(not (self.refuses_twins and has_twin), TWIN)
        number = 333 + len(self.local_posts)
        post = {
            **call.json,
            "name": f"{parent}/localPosts/{number}",
            "state": self.first_state,
            "createTime": self.clock().strftime("%Y-%m-%dT%H:%M:%S.%f999Z"),
        }
        self._keep(post)
        self.made.add(post["name"])
        return {name: value for name, value in post.items() if not self.nameless or name != "name"}

    def _keep(self, post: dict[str, Value]) -> None:
        """Keep a post; `posts` has those that Google shows or may yet show."""
        name = post["name"]
        if post["state"] == "LIVE" and self.search_urls:
            number = name.rpartition("/")[2]
            post["searchUrl"] = f"https://local.google.com/place?id=9&use=posts&lpsid={number}"
        self.local_posts[name] = post
        self.posts.pop(name, None)
        if post["state"] != "REJECTED":
            self.posts[name] = post

    def _read(self, call: Received, name: str) -> Value:
        require(not call.query, error(400, "INVALID_ARGUMENT"))
        require(name in self.local_posts, self.not_found)
        post = self.local_posts[name]
        if post["state"] not in {"LIVE", "REJECTED"}:
            self._keep({**post, "state": self.states.pop(0) if self.states else "LIVE"})
        return self.local_posts[name]

    def _delete(self, call: Received, name: str) -> Value:
        require(not call.query, error(400, "INVALID_ARGUMENT"))
        require(name in self.local_posts, self.not_found)
        del self.local_posts[name]
        self.posts.pop(name, None)
        return {}

    def _list(self, call: Received, parent: str) -> Value:
        _require_query(call, set(), most=100)
        require(parent == LOCATION, NOT_FOUND)
        known = [post for post in self.local_posts.values() if self._is_listed(post)]
        ordered = known if self.oldest_first else known[::-1]
        return self._page(call, "localPosts", ordered)

    def _is_listed(self, post: dict[str, Value]) -> bool:
        lag = max(self.lag, self.own_lag if post["name"] in self.made else self.lag)
        since = (self.clock() - lag).strftime("%Y-%m-%dT%H:%M:%S.%f999Z")
        return bool(post["createTime"] <= since) and self.is_listed(post["name"])

    def _insights(self, call: Received, parent: str) -> Value:
        if self.insights_answer is not None:
            raise Wrong(self.insights_answer)
        body = call.json
        names = body["localPostNames"]
        (asked,) = body["basicRequest"]["metricRequests"]
        is_well_asked = (
            set(body) == {"localPostNames", "basicRequest"}
            and 1 <= len(names) <= 100
            and all(name.startswith(f"{parent}/localPosts/") for name in names)
            and asked == {"metric": "LOCAL_POST_VIEWS_SEARCH", "options": ["AGGREGATED_TOTAL"]}
            and set(body["basicRequest"]["timeRange"]) == {"startTime", "endTime"}
        )
        require(is_well_asked, error(400, "INVALID_ARGUMENT"))
        require(all(name in self.local_posts for name in names), NOT_FOUND)
        told = [_figure(name, self.views[name]) for name in names if name in self.views]
        return {"name": parent, "localPostMetrics": told, "timeZone": "Europe/London"}

    def _require_photo(self, post: Value) -> None:
        """Refuse a photo that cannot be fetched: by its address, or by really trying."""
        for item in post.get("media", []):
            address = urlsplit(item["sourceUrl"])
            if self.fetches:
                require(_is_photo(item["sourceUrl"]), unfit("media[0].source_url"))
                continue
            is_public = address.scheme == "https" and address.path.strip("/") != ""
            require(is_public, unfit("media[0].source_url"))


def _is_twin(post: Value, body: Value) -> bool:
    return all(post.get(name) == body.get(name) for name in ("summary", "topicType"))


def _is_photo(address: str) -> bool:
    """Fetch a file as Google does: no redirects, the type that it says, 10 KB to 5 MB."""
    with requests.get(address, timeout=240, allow_redirects=False) as found:
        is_fit = 10_240 <= len(found.content) <= 5_242_880
        return found.status_code == 200 and found.headers["Content-Type"] in _PHOTO_TYPES and is_fit


def _figure(name: str, views: int | str) -> Value:
    total = {"metricOption": "AGGREGATED_TOTAL", "value": str(views)}
    metric = {"metric": "LOCAL_POST_VIEWS_SEARCH", "totalValue": total}
    return {"localPostName": name, "metricValues": [metric]}


def _require_query(call: Received, needed: set[str], *, most: int) -> None:
    names, invalid = set(call.query), error(400, "INVALID_ARGUMENT")
    require(needed <= names <= needed | {"pageSize", "pageToken", "alt"}, invalid)
    require(1 <= int(call.query.get("pageSize", "10")) <= most, invalid)


_Method = Callable[[FakeGoogleBusinessProfile, Received, str], Value]
_METHODS: dict[str, _Method] = {
    r"GET /v1/accounts": FakeGoogleBusinessProfile._accounts,
    r"GET /v1/(accounts/[^/]+)/locations": FakeGoogleBusinessProfile._locations,
    r"POST /v4/(accounts/[^/]+/locations/[^/]+)/localPosts": FakeGoogleBusinessProfile._create,
    r"GET /v4/(accounts/[^/]+/locations/[^/]+)/localPosts": FakeGoogleBusinessProfile._list,
    r"GET /v4/(accounts/[^/]+/locations/[^/]+/localPosts/[^/]+)": FakeGoogleBusinessProfile._read,
    r"DELETE /v4/(accounts/[^/]+/locations/[^/]+/localPosts/[^/]+)": (
        FakeGoogleBusinessProfile._delete
    ),
    r"POST /v4/(accounts/[^/]+/locations/[^/]+)/localPosts:reportInsights": (
        FakeGoogleBusinessProfile._insights
    ),
}
