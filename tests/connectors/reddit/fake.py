"""Reddit on loopback: submissions, listings, counts and tokens, as strict as its sheet tells.

Built from the platform's fact sheet and driven first by PRAW (`test_official.py`). A post
with a file is there at once, but shows in the listing only after `lags`; nameless callers get a
page, unknown fields a 400.
"""

import base64
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from tests.connectors.reddit.answers import LIMITS, bad_request, flag, forbidden, form_of, refused
from tests.connectors.reddit.fake_uploads import RedditUploads, refusal
from tests.connectors.support.fake_platform import (
    Answer,
    FakePlatform,
    Fault,
    Received,
    Value,
    Wrong,
)
from tests.support.frozen_clock import FrozenClock

USER_ID, USERNAME = "75u2lq", "fakeuser"
CLIENT_ID, CLIENT_SECRET = "bakery-client", "bakery-client-secret"
CODE = "code-of-fakeuser"
SCOPE = "edit flair history identity read submit"
COMMUNITIES = ("test", "baking")
FLAIR_ID = "0f3a2b10-5c1d-11ee-8c99-0242ac120002"
MOD_FLAIR_ID = "9a9a9a9a-5c1d-11ee-8c99-0242ac120002"
WEB = "https://www.reddit.com"
_AGENT = re.compile(r"[a-z]+:[\w.-]+:[\w.]+( \(by /u/[\w-]+\))?( PRAW/\S+ prawcore/\S+)?")
_KEPT_OF_UPLOADS = 100_000
_FIELDS = {
    *("api_type", "kind", "sr", "title", "text", "url", "video_poster_url", "nsfw", "spoiler"),
    *("sendreplies", "resubmit", "validate_on_submit", "flair_id", "flair_text"),
}
Method = Callable[["FakeReddit", Received], Answer]


class FakeReddit(FakePlatform):
    """One account. `refusal` answers the next submission, which is then not taken.

    `off_profile` is an account that keeps its posts off its profile.
    """

    token_refused = Answer(
        401,
        {"message": "Unauthorized", "error": 401},
        {"WWW-Authenticate": 'Bearer realm="reddit", error="invalid_token"'},
    )
    limited = Answer(429, b"<html>Too Many Requests</html>", {"x-ratelimit-reset": "7"})

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.refresh, self.scope = "AT1", "RT1", SCOPE
        self.suspended = False
        self.lags = {"image": timedelta(seconds=12), "video": timedelta(seconds=50)}
        self.refusal: Answer | None = None
        self.listing_refusal: Answer | None = None
        self.community_refusal: Answer | None = None
        self.off_profile = False
        self.stubborn = False
        self.deleted: dict[str, Value] = {}
        self.quota = dict(LIMITS)
        self.page = 100
        self.uploads = RedditUploads(clock, self.url)
        self._next_id = 68_719_476
        self.demands: dict[str, Value] = {}

    @property
    def _untaken(self) -> dict[Fault | None, Answer | None]:
        """A bucket speaks for itself: it knows neither tokens nor quotas."""
        answers = super()._untaken
        if self.calls[-1].name == "POST /":
            answers[Fault.TOKEN_REFUSED] = refusal(403, "AccessDenied")
            answers[Fault.LIMITED] = refusal(503, "SlowDown")
        return answers

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /":
            self.calls[-1] = replace(call, body=call.body[:_KEPT_OF_UPLOADS])
            return self.uploads.take(call)
        if not _AGENT.fullmatch(call.headers.get("user-agent", "")):
            raise Wrong(forbidden())
        path = call.path.rstrip("/")
        if path == "/api/v1/access_token":
            return self._tokens(call)
        if call.headers.get("authorization", "").lower() != f"bearer {self.access}".lower():
            raise Wrong(self.token_refused)
        if call.query.get("raw_json") != "1":
            raise Wrong(bad_request())
        for method, pattern, answer in _METHODS:
            if call.method == method and re.fullmatch(pattern, path):
                return answer(self, call)
        raise Wrong(Answer(404, {"message": "Not Found", "error": 404}))

    def post_as_a_person(self, title: str, community: str = "test", url: str = "") -> str:
        """Let the person behind the account post something by hand."""
        return self._put(community, title, url or f"{WEB}/r/{community}/", timedelta(0))

    def me(self, call: Received) -> Answer:
        del call
        about = {"id": USER_ID, "name": USERNAME, "is_suspended": self.suspended}
        return Answer(200, {**about, "total_karma": 120, "has_verified_email": True}, self.quota)

    def lease(self, call: Received) -> Answer:
        return self.uploads.lease(call)

    def submit(self, call: Received) -> Answer:
        sent = form_of(call, _FIELDS)
        self._judge(sent)
        kind, title, community = sent.get("kind", "link"), sent["title"], sent["sr"]
        flags = {name: flag(sent, name) for name in ("nsfw", "spoiler")}
        flag(sent, "sendreplies", default=True)
        if self.refusal is not None:
            answer, self.refusal = self.refusal, None
            raise Wrong(answer)
        if kind in self.lags:
            return self._take_file(sent, flags)
        url = sent["url"] if kind == "link" else ""
        name = self._put(community, title, url, timedelta(0), selftext=sent.get("text", ""))
        self.posts[name] |= flags
        place = f"{WEB}{self.posts[name]['permalink']}"
        told = {"url": place, "drafts_count": 0, "id": name.removeprefix("t3_"), "name": name}
        return Answer(200, {"json": {"errors": [], "data": told}}, self.quota)

    def submitted(self, call: Received) -> Answer:
        if self.listing_refusal is not None:
            raise Wrong(self.listing_refusal)
        own = [n for n, post in self.posts.items() if post["author"] == USERNAME]
        return self._paged(call, [] if self.off_profile else own, {"sort": "new"})

    def new(self, call: Received) -> Answer:
        if self.community_refusal is not None:
            raise Wrong(self.community_refusal)
        where = call.path.split("/")[2].lower()
        there = [
            name
            for name, post in self.posts.items()
            if post["subreddit"].lower() == where and post["removed_by_category"] is None
        ]
        return self._paged(call, there, {})

    def _paged(self, call: Received, names: list[str], fixed: dict[str, str]) -> Answer:
        asked = {name: text for name, text in call.query.items() if name != "raw_json"}
        limit, after = min(int(asked.pop("limit", "25")), 100), asked.pop("after", None)
        hides = asked.pop("show", None) != "all"
        if asked != fixed or limit < 1:
            raise Wrong(bad_request())
        shown = [
            name
            for name in reversed(names)
            if self.is_listed(name)
            and self.posts[name]["shown_utc"] <= self.clock().timestamp()
            and not (hides and self.posts[name]["hidden"])
        ]
        first = 0 if after is None else shown.index(after) + 1
        some = shown[first : first + min(limit, self.page)]
        more = some[-1] if first + len(some) < len(shown) else None
        return self._listing(some, more)

    def info(self, call: Received) -> Answer:
        ids = call.query["id"].split(",")
        kept = {**self.posts, **self.deleted}
        known = [name for name in ids if name in kept] if len(ids) <= 100 else []
        return self._listing(sorted(known, reverse=True), None)

    def delete(self, call: Received) -> Answer:
        name = call.form["id"]
        if name in self.posts and not self.stubborn:
            self.deleted[name] = {**self.posts.pop(name), "author": "[deleted]"}
        return Answer(200, {})

    def _take_file(self, sent: dict[str, str], flags: dict[str, bool]) -> Answer:
        kind = sent["kind"]
        asset = self.uploads.submitted(sent["url"], kind)
        if kind == "video":
            if not sent.get("video_poster_url"):
                raise Wrong(refused(("MISSING_VIDEO_URLS", "requires a post link", "url")))
            self.uploads.submitted(sent["video_poster_url"], "image")
        url = f"https://v.redd.it/{asset}" if kind == "video" else f"https://i.redd.it/{asset}.jpg"
        text = sent.get("text", "")
        name = self._put(sent["sr"], sent["title"], url, self.lags[kind], selftext=text)
        self.posts[name] |= flags
        told = {
            "user_submitted_page": f"{WEB}/user/{USERNAME}/submitted/",
            "websocket_url": f"wss://fake/{asset}?m=t",
        }
        return Answer(200, {"json": {"errors": [], "data": told}}, self.quota)

    def _judge(self, sent: dict[str, str]) -> None:
        if not sent.get("title", "").strip():
            raise Wrong(refused(("NO_TEXT", "we need something here", "title")))
        if len(sent["title"]) > 300:
            raise Wrong(refused(("TOO_LONG", "this is too long (max: 300)", "title")))
        if not re.fullmatch(r"\w{2,21}|u_[\w-]{3,20}", sent.get("sr", "")):
            raise Wrong(refused(("SUBREDDIT_NOEXIST", "that subreddit doesn't exist", "sr")))
        if sent.get("kind") == "link" and not sent.get("url", "").startswith("http"):
            raise Wrong(refused(("NO_URL", "a url is required", "url")))
        if "flair_text" in sent and "flair_id" not in sent:
            raise Wrong(bad_request())
        if sent.get("flair_id", FLAIR_ID) != FLAIR_ID:
            raise Wrong(bad_request())

    def _put(
        self, community: str, title: str, url: str, lag: timedelta, *, selftext: str = ""
    ) -> str:
        self._next_id += 37
        short = f"{self._next_id:x}"
        at = self.clock()
        place = f"/r/{community}/comments/{short}/{_slug(title)}/"
        self.posts[f"t3_{short}"] = {
            "id": short,
            "name": f"t3_{short}",
            "subreddit": community,
            "title": title,
            "selftext": selftext,
            "author": USERNAME,
            "created_utc": at.timestamp(),
            "shown_utc": (at + lag).timestamp(),
            "url": url or f"{WEB}{place}",
            "permalink": place,
            "score": 14,
            "ups": 14,
            "upvote_ratio": 0.93,
            "num_comments": 3,
            "num_crossposts": 1,
            "view_count": None,
            "removed_by_category": None,
            "hidden": False,
        }
        return f"t3_{short}"

    def subscribed(self, call: Received) -> Answer:
        """List the communities one by one: `after` is the name of the last."""
        after = call.query.get("after")
        place = 0 if after is None else COMMUNITIES.index(after) + 1
        name = COMMUNITIES[place]
        about = {"display_name": name, "display_name_prefixed": f"r/{name}"}
        following = name if place + 1 < len(COMMUNITIES) else None
        told = {"after": following, "dist": 1, "children": [{"kind": "t5", "data": about}]}
        return Answer(200, {"kind": "Listing", "data": told}, self.quota)

    def flairs(self, call: Received) -> Answer:
        """List a community's flairs; those of one that does not exist may not be read."""
        if call.path.split("/")[2] not in COMMUNITIES:
            return Answer(403, {"message": "Forbidden", "error": 403}, self.quota)
        told = {"id": FLAIR_ID, "text": "Sourdough", "type": "text", "mod_only": False}
        barred = {**told, "id": MOD_FLAIR_ID, "text": "Official", "mod_only": True}
        return Answer(200, [told, barred], self.quota)

    def requirements(self, call: Received) -> Answer:
        """Tell a community's demands, in the fields that PRAW's recordings have."""
        if call.path.split("/")[3] not in COMMUNITIES:
            return Answer(403, {"message": "Forbidden", "error": 403}, self.quota)
        free: Value = {"is_flair_required": False, "body_restriction_policy": "none"}
        lists = ("title_regexes", "title_required_strings", "title_blacklisted_strings")
        return Answer(200, {**free, **{name: [] for name in lists}, **self.demands}, self.quota)

    def _listing(self, names: list[str], after: str | None) -> Answer:
        kept = {**self.posts, **self.deleted}
        children = [
            {"kind": "t3", "data": {k: v for k, v in kept[n].items() if k != "shown_utc"}}
            for n in names
        ]
        told: Value = {"after": after, "dist": len(children), "children": children}
        return Answer(200, {"kind": "Listing", "data": told}, self.quota)

    def _tokens(self, call: Received) -> Answer:
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if call.headers.get("authorization") != f"Basic {pair}":
            return Answer(401, {"message": "Unauthorized", "error": 401})
        sent = call.form
        if sent.get("grant_type") == "authorization_code":
            if sent.get("code") != CODE or set(sent) != {"grant_type", "code", "redirect_uri"}:
                return Answer(200, {"error": "invalid_grant"})
        elif sent != {"grant_type": "refresh_token", "refresh_token": self.refresh}:
            return bad_request()
        self.access = f"AT{int(self.access.removeprefix('AT')) + 1}"
        told = {"access_token": self.access, "token_type": "bearer", "expires_in": 86_400}
        return Answer(200, {**told, "scope": self.scope, "refresh_token": self.refresh})


def _slug(title: str) -> str:
    return re.sub(r"\W+", "_", title.lower()).strip("_")[:40]


_METHODS: tuple[tuple[str, str, Method], ...] = (
    ("GET", "/api/v1/me", FakeReddit.me),
    ("POST", "/api/media/asset.json", FakeReddit.lease),
    ("POST", "/api/submit", FakeReddit.submit),
    ("GET", f"/user/{USERNAME}/submitted", FakeReddit.submitted),
    ("GET", r"/r/[\w-]+/new", FakeReddit.new),
    ("GET", "/subreddits/mine/subscriber", FakeReddit.subscribed),
    ("GET", r"/r/[\w-]+/api/link_flair_v2", FakeReddit.flairs),
    ("GET", r"/api/v1/[\w-]+/post_requirements", FakeReddit.requirements),
    ("GET", "/api/info", FakeReddit.info),
    ("POST", "/api/del", FakeReddit.delete),
)
