"""LinkedIn on loopback: posts, statistics and tokens, versioned as LinkedIn's REST API is.

Built from the platform's fact sheet; no official description is published. Posts and images of a
member cannot be read, the same post twice is refused with the id of the first, and a text is shown
only up to its first reserved character that is not escaped.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

from tests.connectors.linkedin.fake_media import LinkedInUploads, require, wrong
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

PAGE = "urn:li:organization:5005"
MEMBER = "urn:li:person:n0ra"
CLIENT_ID = "bakery-client"
CLIENT_SECRET = "bakery-client-secret"
VERSIONS = {"202608", "202609", "202610"}
_BODY = [
    "author",
    "commentary",
    "visibility",
    "distribution",
    "content",
    "contentCallToActionLabel",
    "contentLandingPage",
    "lifecycleState",
    "isReshareDisabledByAuthor",
]
_ALWAYS = set(_BODY) - {"content", "contentCallToActionLabel", "contentLandingPage"}
_DISTRIBUTION = {
    "feedDistribution": "MAIN_FEED",
    "targetEntities": [],
    "thirdPartyDistributionChannels": [],
}
DUPLICATES_FOR = timedelta(hours=24)
"""LinkedIn does not say how long it refuses a post that it has; one to two days were reported."""

_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
_MENTION = r"@\[(?:\\.|[^\]\\])+\]\(urn:li:\w+:[\w-]+\)"
_READABLE = re.compile(
    rf"(?:{_MENTION}|\\[|{{}}@\[\]()<>#\\*_~]|(?<!\S)#(?=\w)|[^|{{}}@\[\]()<>#\\*_~])*"
)
_RESERVED = re.compile(r"[|{}@\[\]()<>#\\*_~]")
_KEPT_OF_UPLOADS = 10_000
_MOST_ROLES = 100
_DENIED = Answer(
    403,
    {
        "status": 403,
        "serviceErrorCode": 100,
        "code": "ACCESS_DENIED",
        "message": "Not enough permissions to access: posts.FINDER-author.20260901",
    },
)
Method = Callable[["FakeLinkedIn", Received], Answer]


class FakeLinkedIn(FakePlatform):
    """One sign-in, Nora's, who also runs a page. `lag` is how long a finder misses a new post."""

    token_refused = Answer(
        401,
        {
            "status": 401,
            "serviceErrorCode": 65601,
            "code": "REVOKED_ACCESS_TOKEN",
            "message": "The token used in the request has been revoked by the user",
        },
    )
    limited = Answer(
        429,
        {"status": 429, "code": "TOO_MANY_REQUESTS", "message": "Resource level throttle"},
        {"Retry-After": "30"},
    )

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.refresh = "AT1", "RT1"
        self.lag = timedelta(0)
        self.page_size = 50
        self.may_read = True
        self.may_count = True
        self.denials = 0
        self.comments: list[tuple[str, str]] = []
        self.roles = [(PAGE, "ADMINISTRATOR")]
        self.page_names = {"5005": "noras-bakery"}
        self.said: dict[tuple[str, str, str], tuple[str, datetime]] = {}
        self.uploads = LinkedInUploads(self.url, clock)
        self._next_id = 7_400_000_000_000_000_000

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /oauth/v2/accessToken":
            return self._tokens(call)
        if call.path.startswith("/dms-uploads/"):
            self.calls[-1] = replace(call, body=call.body[:_KEPT_OF_UPLOADS])
            return self.uploads.put(call, self.access)
        if call.headers.get("authorization") != f"Bearer {self.access}":
            raise Wrong(self.token_refused)
        if call.name == "GET /v2/userinfo":
            return Answer(200, {"sub": "n0ra", "name": "Nora Bakes", "picture": "https://x"})
        self._require_version(call)
        for method, pattern, answer in _METHODS:
            if call.method == method and re.fullmatch(pattern, call.path):
                return answer(self, call)
        raise Wrong(Answer(404, {"status": 404, "message": "No virtual resource found"}))

    def post_as_a_person(self, author: str, text: str, asset: str | None = None) -> str:
        """Let Nora post something by herself."""
        content = {} if asset is None else {"content": {"media": {"id": asset}}}
        commentary = _RESERVED.sub(r"\\\g<0>", text)
        return self._put({"author": author, "commentary": commentary, **content})

    def create(self, call: Received) -> Answer:
        body = call.json
        require(list(body) == [name for name in _BODY if name in body] and set(body) >= _ALWAYS)
        require(body["author"] in {PAGE, MEMBER} and body["lifecycleState"] == "PUBLISHED")
        require(body["distribution"] == _DISTRIBUTION)
        visible = {"PUBLIC", "LOGGED_IN", *(["CONNECTIONS"] if body["author"] == MEMBER else [])}
        require(body["visibility"] in visible, "INVALID_VALUE_FOR_FIELD")
        require(len(body["commentary"]) <= 9_000, "FIELD_LENGTH_TOO_LONG")
        content = body.get("content", {})
        require(len(content) <= 1 and set(content) <= {"media", "article"})
        article = content.get("article", {})
        require(set(article) <= {"source", "title", "description", "thumbnail"})
        require(not article or bool(article["source"] and article["title"]))
        media = content.get("media", {})
        require(set(media) <= {"id", "altText", "title"})
        if "media" in content:
            self.uploads.require_ready(media["id"], body["author"])
        if self.denials > 0:
            self.denials -= 1
            raise Wrong(_DENIED)
        key = (body["author"], body["commentary"], media.get("id", ""))
        said, at = self.said.get(key, ("", _LONG_AGO))
        if DUPLICATES_FOR > self.clock() - at:
            raise Wrong(_duplicate(said))
        urn = self._put(body)
        return Answer(201, b"", {"x-restli-id": urn, "x-linkedin-id": urn})

    def find(self, call: Received) -> Answer:
        require(call.headers.get("x-restli-method") == "FINDER")
        asked = dict(call.query)
        author, start = asked.pop("author"), int(asked.pop("start", "0"))
        if author == MEMBER or not self.may_read:
            raise Wrong(_DENIED)
        require(asked == {"q": "author", "count": "50", "sortBy": "CREATED"})
        until = _ms(self.clock) - self.lag.total_seconds() * 1000
        shown = [
            post
            for urn, post in reversed(self.posts.items())
            if post["author"] == author and post["createdAt"] <= until and self.is_listed(urn)
        ]
        return Answer(200, {"paging": {}, "elements": shown[start : start + self.page_size]})

    def delete(self, call: Received) -> Answer:
        require(call.headers.get("x-restli-method") == "DELETE")
        self.posts.pop(unquote(call.path.rpartition("/")[2]), None)
        return Answer(204, b"")

    def comment(self, call: Received) -> Answer:
        body, urn = call.json, unquote(call.path.split("/")[3])
        require(set(body) == {"actor", "object", "message"} and set(body["message"]) == {"text"})
        require(body["object"] == urn in self.posts and body["actor"] in {PAGE, MEMBER})
        require(0 < len(body["message"]["text"]) <= 1_250)
        self.comments.append((urn, body["message"]["text"]))
        return Answer(201, {"id": "6636062862760562688", "$URN": "urn:li:comment:(x,1)"})

    def pages(self, call: Received) -> Answer:
        """Tell of roles, ten at a time unless more are asked for, as LinkedIn's page says."""
        require(call.headers.get("x-restli-method") == "FINDER")
        require(call.query["q"] == "roleAssignee")
        require(set(call.query) <= {"q", "role", "state", "start", "count"})
        if not self.may_read:
            raise Wrong(_DENIED)
        asked = {name: call.query[name] for name in ("role", "state") if name in call.query}
        roles = [
            {"role": role, "organization": urn, "state": "APPROVED"} for urn, role in self.roles
        ]
        shown = [row for row in roles if asked.items() <= row.items()]
        start, most = int(call.query.get("start", "0")), int(call.query.get("count", "10"))
        require(most <= _MOST_ROLES)
        paging = {"start": start, "count": most, "total": len(shown), "links": []}
        return Answer(200, {"elements": shown[start : start + most], "paging": paging})

    def named_pages(self, call: Received) -> Answer:
        """Name pages, but those that nobody may read, each of which costs only itself."""
        require(call.headers.get("x-restli-method") == "BATCH_GET")
        ids = call.query["ids"].removeprefix("List(").removesuffix(")").split(",")
        known = {one: self.page_names.get(one) for one in ids if one in self.page_names}
        results = {
            one: {"id": int(one), "localizedName": name, "vanityName": name}
            for one, name in known.items()
        }
        barred = {one: {"status": 403, "message": "Not allowed"} for one in ids if one not in known}
        return Answer(200, {"results": results, "errors": barred, "statuses": {}})

    def by_address(self, call: Received) -> Answer:
        """Find a page by the last part of its address."""
        require(call.headers.get("x-restli-method") == "FINDER" and call.query["q"] == "vanityName")
        if not self.may_read:
            raise Wrong(_DENIED)
        names = {"noras-bakery": {"id": 5005, "localizedName": "Nora's (Bakery)"}}
        found = names.get(call.query["vanityName"])
        return Answer(200, {"elements": [] if found is None else [found], "paging": {}})

    def page_counts(self, call: Received) -> Answer:
        require(call.query["q"] == "organizationalEntity")
        require(call.query["organizationalEntity"] == PAGE)
        elements = []
        for kind, name in (("shares", "share"), ("ugcPosts", "ugcPost")):
            urns = call.query.get(kind, "List()").removeprefix("List(").removesuffix(")")
            for urn in urns.split(","):
                require(not urn or urn.startswith(f"urn:li:{name}:"))
                if urn in self.posts:
                    counts = {"impressionCount": 640, "likeCount": 21, "commentCount": 4}
                    total = {**counts, "shareCount": 3, "clickCount": 18, "engagement": 0.07}
                    elements.append({name: urn, "totalShareStatistics": total})
        return Answer(200, {"paging": {"start": 0, "count": 10}, "elements": elements})

    def member_count(self, call: Received) -> Answer:
        if not self.may_count:
            raise Wrong(_DENIED)
        require(call.query["q"] == "entity" and call.query["aggregation"] == "TOTAL")
        require(re.fullmatch(r"\((?:share|ugc):urn:li:\w+:\d+\)", call.query["entity"]) is not None)
        kinds = {"IMPRESSION": 90, "REACTION": 8, "COMMENT": 2, "RESHARE": 1}
        return Answer(200, {"elements": [{"count": kinds[call.query["queryType"]]}]})

    def _put(self, body: dict[str, Value]) -> str:
        self._next_id += 1
        asset = body.get("content", {}).get("media", {}).get("id", "")
        kind = "ugcPost" if ":video:" in asset else "share"
        urn = f"urn:li:{kind}:{self._next_id}"
        shown = _READABLE.match(body["commentary"])
        assert shown is not None
        at = _ms(self.clock)
        kept = {**body, "commentary": shown[0], "id": urn, "createdAt": at, "publishedAt": at}
        self.posts[urn] = kept
        self.said[(body["author"], body["commentary"], asset)] = urn, self.clock()
        return urn

    def _require_version(self, call: Received) -> None:
        version = call.headers.get("linkedin-version")
        if version is None:
            raise wrong("VERSION_MISSING")
        if version not in VERSIONS:
            raise Wrong(Answer(426, {"status": 426, "code": "NONEXISTENT_VERSION"}))
        require(call.headers.get("x-restli-protocol-version") == "2.0.0")
        require(call.method != "POST" or call.headers["content-type"] == "application/json")

    def _tokens(self, call: Received) -> Answer:
        form = call.form
        client = (form.pop("client_id", ""), form.pop("client_secret", ""))
        if client != (CLIENT_ID, CLIENT_SECRET):
            return Answer(401, {"error": "invalid_client", "error_description": "No."})
        is_known = form == {"grant_type": "refresh_token", "refresh_token": self.refresh}
        if form.get("grant_type") == "authorization_code":
            wanted = {"grant_type", "code", "redirect_uri"}
            is_known = set(form) == wanted and form["code"] == "code-of-nora"
        if not is_known:
            return Answer(400, {"error": "invalid_grant", "error_description": "Expired."})
        self.access = f"AT{int(self.access.removeprefix('AT')) + 1}"
        life = {"expires_in": 5_184_000, "refresh_token_expires_in": 31_536_000}
        tokens = {"access_token": self.access, "refresh_token": self.refresh}
        return Answer(200, {**tokens, **life, "scope": "openid,profile,w_member_social"})


def _duplicate(urn: str) -> Answer:
    reason = {"description": "Duplicate post is detected", "input": {}, "code": "DUPLICATE_POST"}
    what = "com.linkedin.content.common.exception.BadRequestResponseException"
    return Answer(
        422,
        {
            "errorDetailType": "com.linkedin.common.error.BadRequest",
            "message": f"{what}: Content is a duplicate of {urn}",
            "errorDetails": {"inputErrors": [reason]},
            "status": 422,
        },
    )


def _ms(clock: FrozenClock) -> int:
    return int(clock().timestamp() * 1000)


def _of_uploads(fake: FakeLinkedIn, call: Received) -> Answer:
    return fake.uploads.answer(call, is_member_barred=MEMBER)


_METHODS: tuple[tuple[str, str, Method], ...] = (
    ("POST", "/rest/posts", FakeLinkedIn.create),
    ("GET", "/rest/posts", FakeLinkedIn.find),
    ("DELETE", "/rest/posts/urn%3Ali%3A(share|ugcPost)%3A[0-9]+", FakeLinkedIn.delete),
    ("GET", "/rest/organizationAcls", FakeLinkedIn.pages),
    ("GET", "/rest/organizations", FakeLinkedIn.by_address),
    ("GET", "/rest/organizationsLookup", FakeLinkedIn.named_pages),
    ("GET", "/rest/organizationalEntityShareStatistics", FakeLinkedIn.page_counts),
    (
        "POST",
        "/rest/socialActions/urn%3Ali%3A(share|ugcPost)%3A[0-9]+/comments",
        FakeLinkedIn.comment,
    ),
    ("GET", "/rest/memberCreatorPostAnalytics", FakeLinkedIn.member_count),
    ("POST", "/rest/(images|videos)", _of_uploads),
    ("GET", "/rest/(images|videos)/urn%3Ali%3A(image|video)%3A[A-Z0-9]+", _of_uploads),
)
