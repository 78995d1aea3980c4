"""Instagram on loopback, one professional account's, behind the hosts of both of its flavours.

Built from the platform's fact sheet, strict about hosts, paths, fields and order. `/ig` plays
graph.instagram.com, `/ex` api.instagram.com, `/fb` graph.facebook.com and `/up` rupload.
"""

from collections.abc import Callable
from datetime import timedelta

from tests.connectors.shared.meta.fake_login import CODE, FakeFacebookLogin
from tests.connectors.shared.meta.graph_answers import (
    LIMITED,
    TOKEN_REFUSED,
    Script,
    follow,
    graph_error,
    places,
    refuse,
    require,
    require_fields,
    require_token,
)
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

USER = "17840000000000001"
HANDLE = "lumenbakes"
PAGE = "1000001"
CLIENT, SECRET = "instagram-app", "instagram-app-s3cret"
LIFE = timedelta(seconds=5_183_944)
_TOKEN = "IGTOK"
_KNOWN = {
    "photo": ("caption", "alt_text", "user_tags", "collaborators", "is_ai_generated"),
    "REELS": (
        *("caption", "share_to_feed", "cover_url", "thumb_offset", "collaborators", "user_tags"),
        *("audio_name", "trial_params", "is_ai_generated"),
    ),
    "STORIES": ("is_ai_generated", "user_tags"),
}
_FIGURES = {"views": 321, "likes": 20, "comments": 4, "shares": 2, "follows": 5, "replies": 7}
_OF_PRODUCT = {
    "REELS": {"views", "likes", "comments", "shares"},
    "FEED": {"views", "likes", "comments", "shares", "follows"},
    "STORY": {"views", "shares", "replies", "follows"},
}


_PLAIN_PAGE = {"id": "1000000", "name": "No Instagram", "access_token": "p0"}


def _linked_page(token: str) -> Value:
    linked = {"id": USER, "username": HANDLE}
    page = {
        "id": PAGE,
        "name": "Lumen",
        "access_token": token,
        "tasks": ["PROFILE_PLUS_FULL_CONTROL"],
    }
    return {**page, "instagram_business_account": linked}


class FakeInstagram(FakePlatform):
    """One account, lumenbakes, signed in by Instagram or, `by_facebook`, behind a Page."""

    token_refused = TOKEN_REFUSED
    limited = LIMITED

    def __init__(self, clock: FrozenClock, *, by_facebook: bool = False) -> None:
        super().__init__()
        self.clock = clock
        self.script: Script = {}
        self.by_facebook = by_facebook
        self.tokens = [_TOKEN]
        pages = {"me/accounts": [[_PLAIN_PAGE], [_linked_page(_TOKEN)]]}
        self.login = FakeFacebookLogin((CLIENT, SECRET), PAGE, self.tokens, pages)
        self.wraps = True
        self.permissions: Value = "instagram_business_basic,instagram_business_content_publish"
        self.account_type = "BUSINESS"
        self.containers: dict[str, dict[str, Value]] = {}
        self.comments: list[Value] = []
        self.closed: dict[str, bool] = {}
        self.polls_needed = 2
        self.failures: list[dict[str, Value]] = []
        self.unreadable = 0
        self.publish_errors: list[tuple[int, int]] = []
        self.taken_anyway = False
        self.quota: Value = {"quota_usage": 3, "config": {"quota_total": 100}}
        self.unlisted = False
        self.dead_metrics: set[str] = set()
        self.broken_metrics: set[str] = set()

    @property
    def token(self) -> str:
        """Return the newest token."""
        return self.tokens[-1]

    def answer(self, call: Received) -> Answer:
        follow(self.script, call)
        _, host, path = call.path.split("/", 2)
        name = f"{call.method} {host}/{path}"
        if name in _SIGN_IN:
            return Answer(200, _SIGN_IN[name](self, call))
        if host == "fb" and self.login.takes(call, path.removeprefix("v26.0/")):
            return Answer(200, self.login.answer(call, path.removeprefix("v26.0/")))
        if host == "up":
            return Answer(200, self._upload(path, call))
        require(host == ("fb" if self.by_facebook else "ig"), "The other host")
        require_token(call, self.tokens)
        require(path.startswith("v26.0/"), "Unknown version")
        path = path.removeprefix("v26.0/")
        edge = _EDGES.get(f"{call.method} {path}")
        if edge is not None:
            return Answer(200, edge(self, call))
        if path in self.containers and call.method == "GET":
            return Answer(200, self._container(path, call))
        return Answer(200, self._of_media(path, call))

    # Signing in.

    def _short_token(self, call: Received) -> Value:
        fields = ("client_id", "client_secret", "grant_type", "redirect_uri", "code")
        require_fields(call.form, needed=fields)
        require((call.form["client_id"], call.form["client_secret"]) == (CLIENT, SECRET))
        require(call.form["code"] == CODE)
        short: Value = {"access_token": "short", "user_id": "7", "permissions": self.permissions}
        return {"data": [short]} if self.wraps else short

    def _long_token(self, call: Received) -> Value:
        require_fields(call.query, needed=("grant_type", "client_secret", "access_token"))
        require(call.query["grant_type"] == "ig_exchange_token")
        require((call.query["client_secret"], call.query["access_token"]) == (SECRET, "short"))
        return self._issued()

    def _refreshed_token(self, call: Received) -> Value:
        require_fields(call.query, needed=("grant_type", "access_token"))
        require(call.query["grant_type"] == "ig_refresh_token")
        if call.query["access_token"] not in self.tokens:
            raise Wrong(TOKEN_REFUSED)
        return self._issued()

    def _issued(self) -> Value:
        self.tokens.append(f"{_TOKEN}-{len(self.tokens) + 1}")
        life_s = int(LIFE.total_seconds())
        return {"access_token": self.token, "token_type": "bearer", "expires_in": life_s}

    def _me(self, call: Received) -> Value:
        require_token(call, self.tokens)
        require(call.query["fields"] == "user_id,username,account_type")
        me = {"user_id": USER, "username": HANDLE, "account_type": self.account_type, "id": "7"}
        return {"data": [me]} if self.wraps else me

    # Publishing.

    def _create(self, call: Received) -> Value:
        body = call.json
        kind = body.get("media_type", "photo")
        require(kind in _KNOWN, "Invalid media_type")
        resumable = body.get("upload_type") == "resumable"
        require(not resumable or kind == "REELS", "No upload here")
        sources = {"image_url", "video_url", "upload_type"} & set(body)
        require(len(sources) == 1, "One source")
        require((kind == "REELS") <= (sources != {"image_url"}), "video_url is required")
        partners = ("location_id", "is_paid_partnership", "branded_content_sponsor_ids")
        places = partners if self.by_facebook else ()
        known = ("media_type", *sources, *_KNOWN[kind], *places)
        require_fields(body, needed=sources, known=known)
        if len(body.get("caption", "")) > 2200:
            raise refuse(36004, 2207010, message="The caption was too long")
        container = str(18000000000000055 + len(self.containers))
        failure = self.failures.pop(0) if self.failures else None
        kept = {"form": body, "polls": 0, "media": None, "failure": failure, "bytes": None}
        self.containers[container] = kept
        if not resumable:
            return {"id": container}
        kept["polls"] = -1_000_000
        uri = f"https://rupload.facebook.com/ig-api-upload/v26.0/{container}"
        return {"id": container, "uri": uri}

    def _upload(self, path: str, call: Received) -> Value:
        require_token(call, self.tokens, scheme="OAuth")
        kept = self.containers[path.removeprefix("ig-api-upload/v26.0/")]
        size = int(call.headers["file_size"])
        if kept["bytes"] is not None or call.headers["offset"] != "0" or call.size != size:
            debug = {"retriable": False, "type": "OffsetInvalidError", "message": "No."}
            raise Wrong(Answer(400, {"debug_info": debug}))
        kept["bytes"], kept["polls"] = (size, call.digest), 0
        return {"success": True, "message": "Upload successful."}

    def _container(self, container: str, call: Received) -> Value:
        require(call.query["fields"] == "status_code,status")
        if self.unreadable:
            self.unreadable -= 1
            raise refuse(100, 33, message="Unsupported get request")
        kept = self.containers[container]
        kept["polls"] += 1
        if kept["media"] is not None:
            return {"status_code": "PUBLISHED", "status": "Published", "id": container}
        if kept["polls"] < self.polls_needed:
            status = "In progress: Media is still being processed."
            return {"status_code": "IN_PROGRESS", "status": status, "id": container}
        if kept["failure"] is not None:
            return {**kept["failure"], "id": container}
        return {"status_code": "FINISHED", "status": "Finished: ready.", "id": container}

    def _limit(self, call: Received) -> Value:
        require(call.query["fields"] == "config,quota_usage")
        return {"data": [self.quota]}

    def _publish(self, call: Received) -> Value:
        require_fields(call.json, needed=("creation_id",))
        kept = self.containers[call.json["creation_id"]]
        refusal = self.publish_errors.pop(0) if self.publish_errors else None
        if refusal is not None and not self.taken_anyway:
            raise refuse(*refusal)
        if kept["polls"] < self.polls_needed:
            raise refuse(9007, 2207027, message="Media ID is not available")
        require(kept["media"] is None, "It was published before")
        media = str(17900000000000077 + len(self.posts))
        kept["media"] = media
        self.posts[media] = {**kept["form"], "at": self.clock()}
        if refusal is not None:
            raise refuse(*refusal)
        return {"id": media}

    # What is live.

    def _media_list(self, call: Received) -> Value:
        return self._list(call, stories=False)

    def _stories(self, call: Received) -> Value:
        return self._list(call, stories=True)

    def _list(self, call: Received, *, stories: bool) -> Value:
        require_fields(call.query, needed=("fields", "limit"))
        if self.unlisted:
            return {"data": []}
        shown = [self._shown(media) for media in reversed(self.posts) if self.is_listed(media)]
        return {"data": [one for one in shown if (one["media_product_type"] == "STORY") == stories]}

    def _shown(self, media: str) -> dict[str, Value]:
        post = self.posts[media]
        product = {"REELS": "REELS", "STORIES": "STORY"}.get(post.get("media_type"), "FEED")
        method = {"REELS": "reel", "STORY": "stories", "FEED": "p"}[product]
        shown = {
            "id": media,
            "timestamp": post["at"].strftime("%Y-%m-%dT%H:%M:%S+0000"),
            "media_product_type": product,
            "permalink": f"https://www.instagram.com/{method}/DAbc{media[-2:]}/",
        }
        return shown | ({"caption": post["caption"]} if "caption" in post else {})

    def _of_media(self, path: str, call: Received) -> Value:
        media, _, edge = path.partition("/")
        if media not in self.posts:
            raise refuse(100, 33, message="Unsupported request: no such object")
        require(call.method != "DELETE", "Unsupported delete request")
        if call.method == "POST" and not edge:
            require_fields(call.json, needed=("comment_enabled",))
            self.closed[media] = call.json["comment_enabled"] is False
            return {"success": True}
        if edge == "comments":
            require_fields(call.json, needed=("message",))
            self.comments.append(call.json["message"])
            return {"id": "17870000000000001"}
        if edge == "insights":
            return self._insights(call, self._shown(media)["media_product_type"])
        if call.query["fields"] == "like_count,comments_count":
            return {"like_count": 21, "comments_count": 5, "id": media}
        require(call.query["fields"] == "id,permalink")
        return {"id": media, "permalink": self._shown(media)["permalink"]}

    def _insights(self, call: Received, product: str) -> Value:
        asked = call.query["metric"].split(",")
        if self.broken_metrics & set(asked):
            raise Wrong(graph_error(2, status=500))
        known = _OF_PRODUCT[product] - self.dead_metrics
        require(set(asked) <= known, "(#100) no such metric for this media")
        values = ({"name": name, "values": [{"value": _FIGURES[name]}]} for name in asked)
        return {"data": [{**row, "period": "lifetime"} for row in values]}


_Method = Callable[[FakeInstagram, Received], Value]
_SIGN_IN: dict[str, _Method] = {
    "POST ex/oauth/access_token": FakeInstagram._short_token,
    "GET ig/access_token": FakeInstagram._long_token,
    "GET ig/refresh_access_token": FakeInstagram._refreshed_token,
    "GET ig/v26.0/me": FakeInstagram._me,
}
_EDGES: dict[str, _Method] = {
    "GET pages/search": lambda _, call: places(call),
    f"POST {USER}/media": FakeInstagram._create,
    f"GET {USER}/media": FakeInstagram._media_list,
    f"GET {USER}/stories": FakeInstagram._stories,
    f"POST {USER}/media_publish": FakeInstagram._publish,
    f"GET {USER}/content_publishing_limit": FakeInstagram._limit,
}
