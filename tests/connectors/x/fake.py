"""X on loopback: posts, timeline, uploads and tokens, as strict as X and its OpenAPI 2.167.

Built from the platform's fact sheet and driven first by X's own client (`test_official.py`).
Bodies are closed sets of fields, segments come without gaps, refresh tokens work once, and the
same text is refused twice.
"""

import base64
import html
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.connectors.x.fake_media import XUploads, require
from tests.support.frozen_clock import FrozenClock

USER_ID = "77"
USERNAME = "norabakes"
CLIENT_ID = "bakery-client"
CLIENT_SECRET = "bakery-client-secret"
SCOPE = "tweet.read tweet.write users.read media.write offline.access"
_FIELDS = {
    "text",
    "media",
    "reply_settings",
    "made_with_ai",
    "paid_partnership",
    "community_id",
    "share_with_followers",
    "for_super_followers_only",
    "quote_tweet_id",
    "reply",
}
_MEDIA_FIELDS = {"media_ids", "title", "description"}
_REPLIES = {"following", "mentionedUsers", "subscribers", "verified"}
DUPLICATES_FOR = timedelta(hours=12)
"""X does not say how long it refuses a text that it has; hours were seen."""

_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
_LINK = re.compile(r"https?://[a-z0-9./?=&-]+[a-z0-9/]|[a-z0-9-]+\.com(?:/[a-z0-9]+)?")
_LIMITS = {"x-rate-limit-limit": "100", "x-rate-limit-remaining": "99"}
_KEPT_OF_UPLOADS = 10_000
_METRICS = {
    "impression_count": 950,
    "like_count": 12,
    "reply_count": 3,
    "quote_count": 1,
    "bookmark_count": 2,
}
Method = Callable[["FakeX", Received], Answer]


class FakeX(FakePlatform):
    """One account, Nora's. `lag` is how long a new post stays out of the timeline."""

    token_refused = Answer(
        401, {"title": "Unauthorized", "type": "about:blank", "status": 401, "detail": "No."}
    )
    limited = Answer(
        429,
        {"title": "Too Many Requests", "detail": "Too Many Requests", "status": 429},
        {"x-rate-limit-limit": "100", "x-rate-limit-reset": "1795176060"},
    )

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.refresh = "AT1", "RT1"
        self.lag = timedelta(0)
        self.names_reposts_twice = False
        self.knows_tweet_fields = True
        self.script: dict[str, list[Answer]] = {}
        self.page = 100
        self.said: dict[str, datetime] = {}
        self.comments: list[tuple[str, str]] = []
        self.uploads = XUploads(clock)
        self._next_id = 1_990_000_000_000_000_100

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /2/oauth2/token":
            return self._tokens(call)
        if call.headers.get("authorization") != f"Bearer {self.access}":
            raise Wrong(self.token_refused)
        if call.path.startswith("/2/media/"):
            self.calls[-1] = replace(call, body=call.body[:_KEPT_OF_UPLOADS])
            return self.uploads.answer(call)
        if self.script.get(call.name):
            return self.script[call.name].pop(0)
        require(self.knows_tweet_fields or "tweet.fields" not in call.query, "tweet.fields")
        for method, pattern, answer in _METHODS:
            if call.method == method and re.fullmatch(pattern, call.path):
                return answer(self, call)
        raise Wrong(Answer(404, {"title": "Not Found", "type": "about:blank", "status": 404}))

    def post_as_a_person(self, text: str, *keys: str) -> str:
        """Let Nora post something by herself."""
        return self._put(text, list(keys))

    def me(self, call: Received) -> Answer:
        del call
        return Answer(200, {"data": {"id": USER_ID, "name": "Nora", "username": USERNAME}})

    def create(self, call: Received) -> Answer:
        body = call.json
        require(call.headers["content-type"] == "application/json")
        require(set(body) <= _FIELDS, "$")
        require(body.get("reply_settings", "verified") in _REPLIES, "reply_settings")
        require("share_with_followers" not in body or "community_id" in body, "community_id")
        media = body.get("media", {"media_ids": []})
        require(set(media) <= _MEDIA_FIELDS, "media")
        keys = [self.uploads.ready_key(media_id) for media_id in media["media_ids"]]
        text = body["text"]
        require(bool(text) or bool(keys), "text")
        if text and DUPLICATES_FOR > self.clock() - self.said.get(text, _LONG_AGO):
            raise Wrong(
                refusal(403, "You are not allowed to create a Tweet with duplicate content.")
            )
        parent = body.get("reply", {}).get("in_reply_to_tweet_id")
        if parent in self.posts:
            self.comments.append((parent, text))
            return Answer(201, {"data": {"id": f"9{parent[1:]}", "text": text}}, _LIMITS)
        post_id = self._put(text, keys)
        self.posts[post_id]["body"] = body
        return Answer(201, {"data": {"id": post_id, "text": self.posts[post_id]["text"]}}, _LIMITS)

    def timeline(self, call: Received) -> Answer:
        asked = dict(call.query)
        fields = asked.pop("tweet.fields", None) or asked.pop("post.fields")
        require(set(fields.split(",")) >= {"created_at", "text", "entities", "attachments"})
        require(asked.pop("exclude") == "retweets", "exclude")
        require(5 <= int(asked.pop("max_results")) <= 100, "max_results")
        since = datetime.fromisoformat(asked.pop("start_time"))
        first = int(asked.pop("pagination_token", "page0").removeprefix("page"))
        require(not asked)
        shown = [
            {key: value for key, value in post.items() if key != "body"}
            for name, post in reversed(self.posts.items())
            if self.is_listed(name)
            and since <= datetime.fromisoformat(post["created_at"]) <= self.clock() - self.lag
        ]
        some = shown[first : first + self.page]
        meta: dict[str, Value] = {"result_count": len(some)}
        if len(shown) > first + self.page:
            meta["next_token"] = f"page{first + self.page}"
        return Answer(200, {"data": some, "meta": meta} if some else {"meta": meta})

    def look_up(self, call: Received) -> Answer:
        ids = call.query["ids"].split(",")
        require(1 <= len(ids) <= 100, "ids")
        is_new = "post.fields" in call.query
        require((call.query.get("tweet.fields") or call.query["post.fields"]) == "public_metrics")
        reposts = "repost_count" if is_new else "retweet_count"
        names = ("retweet_count", "repost_count") if self.names_reposts_twice else (reposts,)
        counts = {**_METRICS, **dict.fromkeys(names, 4)}
        data = [
            {"id": post_id, "text": self.posts[post_id]["text"], "public_metrics": counts}
            for post_id in ids
            if post_id in self.posts
        ]
        errors = [_gone(post_id) for post_id in ids if post_id not in self.posts]
        return Answer(200, {**({"data": data} if data else {}), "errors": errors})

    def delete(self, call: Received) -> Answer:
        post_id = call.path.rpartition("/")[2]
        if self.posts.pop(post_id, None) is None:
            return Answer(200, {"errors": [_gone(post_id)]})
        return Answer(200, {"data": {"deleted": True}})

    def _put(self, text: str, keys: list[str]) -> str:
        self._next_id += 23
        post_id = str(self._next_id)
        shown = html.escape(text, quote=False)
        urls: list[dict[str, Value]] = []
        for number, link in enumerate(_LINK.findall(text)):
            short = f"https://t.co/link{number}{post_id[-4:]}"
            full = link if "://" in link else f"http://{link}"
            shown = shown.replace(html.escape(link, quote=False), short, 1)
            urls.append({"url": short, "expanded_url": full})
        post: dict[str, Value] = {"id": post_id, "created_at": _spelled(self.clock())}
        if keys:
            short = f"https://t.co/file{post_id[-4:]}"
            own = f"https://x.com/{USERNAME}/status/{post_id}/photo/1"
            shown = f"{shown} {short}".strip()
            urls.append({"url": short, "expanded_url": own, "media_key": keys[0]})
            post["attachments"] = {"media_keys": keys}
        for url in urls:
            url["start"] = shown.index(url["url"])
            url["end"] = url["start"] + len(url["url"])
        entities = {"entities": {"urls": urls}} if urls else {}
        self.posts[post_id] = {**post, "text": shown, **entities}
        self.said[text] = self.clock()
        return post_id

    def _tokens(self, call: Received) -> Answer:
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if call.headers.get("authorization") != f"Basic {pair}":
            return Answer(401, {"error": "unauthorized_client"})
        form = call.form
        is_known = form == {"grant_type": "refresh_token", "refresh_token": self.refresh}
        if form.get("grant_type") == "authorization_code":
            wanted = {"grant_type", "code", "redirect_uri", "code_verifier"}
            is_known = set(form) == wanted and form["code"] == "code-of-nora"
        if not is_known:
            said = "Value passed for the token was invalid."
            return Answer(400, {"error": "invalid_request", "error_description": said})
        number = int(self.access.removeprefix("AT")) + 1
        self.access, self.refresh = f"AT{number}", f"RT{number}"
        return Answer(
            200,
            {
                "token_type": "bearer",
                "expires_in": 7200,
                "access_token": self.access,
                "scope": SCOPE,
                "refresh_token": self.refresh,
            },
        )


def refusal(status: int, detail: str, kind: str = "about:blank") -> Answer:
    """Return a problem as X spells it."""
    title = "Forbidden" if status == 403 else "Invalid Request"
    return Answer(status, {"detail": detail, "type": kind, "title": title, "status": status})


def _gone(post_id: str) -> dict[str, Value]:
    return {
        "value": post_id,
        "resource_id": post_id,
        "resource_type": "tweet",
        "parameter": "ids",
        "title": "Not Found Error",
        "detail": f"Could not find tweet with ids: [{post_id}].",
        "type": "https://api.twitter.com/2/problems/resource-not-found",
    }


def _spelled(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_METHODS: tuple[tuple[str, str, Method], ...] = (
    ("GET", "/2/users/me", FakeX.me),
    ("GET", f"/2/users/{USER_ID}/tweets", FakeX.timeline),
    ("POST", "/2/tweets", FakeX.create),
    ("GET", "/2/tweets", FakeX.look_up),
    ("DELETE", r"/2/tweets/\d{1,19}", FakeX.delete),
)
