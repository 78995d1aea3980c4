"""Threads on loopback, one profile's: containers, publishing, the profile's list, insights.

Built from the platform's fact sheet, strict about paths, fields and order. Containers are processed
a poll at a time; a published one says so, and the list shows its post.
"""

from collections.abc import Callable
from datetime import timedelta

from tests.connectors.shared.meta.fake_login import CODE
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

USER = "24000000000000001"
HANDLE = "lumenbakes"
CLIENT, SECRET = "threads-app", "threads-app-s3cret"
_TOKEN = "THTOK"
_KNOWN = frozenset(
    {
        *("text", "alt_text", "reply_control", "topic_tag", "link_attachment", "location_id"),
        *("quote_post_id", "is_spoiler_media", "allowlisted_country_codes", "reply_to_id"),
        *("enable_reply_approvals", "crossreshare_to_ig", "is_ghost_post"),
    }
)
_NEEDED = {"TEXT": "text", "IMAGE": "image_url", "VIDEO": "video_url"}
_METRICS = {"views": 210, "likes": 12, "replies": 3, "reposts": 2, "quotes": 1, "shares": 4}
_LIFE_S = 5_183_944


class FakeThreads(FakePlatform):
    """One profile, lumenbakes; `comments` are replies under its own posts."""

    token_refused = TOKEN_REFUSED
    limited = LIMITED

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.script: Script = {}
        self.tokens = [_TOKEN]
        self.containers: dict[str, dict[str, Value]] = {}
        self.comments: list[dict[str, Value]] = []
        self.polls_needed = 2
        self.failures: list[str] = []
        self.publish_errors: list[tuple[int, int]] = []
        self.taken_anyway = False
        self.quota = (3, 250)
        self.unlisted = False
        self.links = True
        self.dead_metrics: set[str] = set()
        self.broken_metrics: set[str] = set()
        self.scopeless = False
        self.granted = ["threads_basic", "threads_content_publish", "threads_delete"]

    @property
    def token(self) -> str:
        """Return the newest token."""
        return self.tokens[-1]

    def answer(self, call: Received) -> Answer:
        follow(self.script, call)
        if call.name in _SIGN_IN:
            return Answer(200, _SIGN_IN[call.name](self, call))
        require_token(call, self.tokens)
        require(call.path.startswith("/v1.0/"), "Unknown path")
        path = call.path.removeprefix("/v1.0/")
        if call.name in _EDGES:
            return Answer(200, _EDGES[call.name](self, call))
        if call.method == "DELETE":
            return Answer(200, self._delete(path))
        require(call.method == "GET", "Unsupported request")
        if path.endswith("/insights"):
            return Answer(200, self._insights(path.removesuffix("/insights"), call))
        if path in self.containers:
            return Answer(200, self._container(path, call))
        return Answer(200, self._media(path, call))

    # Signing in.

    def _debugged(self, call: Received) -> Value:
        require(call.query == {"input_token": self.token})
        return {"data": {"is_valid": True, "scopes": self.granted}}

    def _short_token(self, call: Received) -> Value:
        form = call.form
        require_fields(
            form, needed=("client_id", "client_secret", "grant_type", "redirect_uri", "code")
        )
        require((form["client_id"], form["client_secret"]) == (CLIENT, SECRET))
        require((form["grant_type"], form["code"]) == ("authorization_code", CODE))
        return {"access_token": "short", "user_id": int(USER)}

    def _long_token(self, call: Received) -> Value:
        require_fields(call.query, needed=("grant_type", "client_secret", "access_token"))
        require(call.query["grant_type"] == "th_exchange_token")
        require((call.query["client_secret"], call.query["access_token"]) == (SECRET, "short"))
        return self._issued()

    def _refreshed_token(self, call: Received) -> Value:
        require_fields(call.query, needed=("grant_type", "access_token"))
        require(call.query["grant_type"] == "th_refresh_token")
        if call.query["access_token"] not in self.tokens:
            raise refuse(190, 460, message="Error validating access token")
        return self._issued()

    def _issued(self) -> Value:
        self.tokens.append(f"{_TOKEN}-{len(self.tokens) + 1}")
        return {"access_token": self.token, "token_type": "bearer", "expires_in": _LIFE_S}

    def _me(self, call: Received) -> Value:
        require(call.query["fields"] == "id,username,name")
        return {"id": USER, "username": HANDLE, "name": "Lumen Bakes"}

    # Publishing.

    def _create(self, call: Received) -> Value:
        form = call.form
        kind = form.get("media_type", "")
        require(kind in _NEEDED, "Invalid media_type")
        require_fields(form, needed=("media_type", _NEEDED[kind]), known=_KNOWN)
        if len(form.get("text", "")) > 500:
            raise refuse(100, message="Param text must be at most 500 characters long.")
        if len({word for word in form.get("text", "").split() if "https://" in word}) > 5:
            raise refuse(100, message="THREADS_API__LINK_LIMIT_EXCEEDED")
        require(kind == "TEXT" or "link_attachment" not in form, "Only for text")
        require(kind != "TEXT" or "alt_text" not in form, "Only for media")
        require(form.get("reply_to_id", "") in {"", *self.posts}, "No such post")
        container = str(18050000000000010 + len(self.containers))
        failure = self.failures.pop(0) if self.failures else None
        self.containers[container] = {
            "form": form,
            "polls": 0,
            "media": None,
            "failure": failure,
        }
        return {"id": container}

    def _container(self, container: str, call: Received) -> Value:
        require(call.query["fields"] == "id,status,error_message")
        kept = self.containers[container]
        kept["polls"] += 1
        if kept["media"] is not None:
            return {"status": "PUBLISHED", "id": container}
        if kept["polls"] < self.polls_needed:
            return {"status": "IN_PROGRESS", "id": container}
        if kept["failure"] == "EXPIRED":
            return {"status": "EXPIRED", "id": container}
        if kept["failure"] is not None:
            return {"status": "ERROR", "error_message": kept["failure"], "id": container}
        return {"status": "FINISHED", "id": container}

    def _limit(self, call: Received) -> Value:
        require(call.query["fields"] == "quota_usage,config")
        usage, total = self.quota
        config = {"quota_total": total, "quota_duration": 86400}
        return {"data": [{"quota_usage": usage, "config": config}]}

    def _publish(self, call: Received) -> Value:
        require_fields(call.form, needed=("creation_id",))
        kept = self.containers[call.form["creation_id"]]
        refusal = self.publish_errors.pop(0) if self.publish_errors else None
        if refusal is not None and not self.taken_anyway:
            raise refuse(*refusal)
        if kept["polls"] < self.polls_needed or kept["failure"] is not None:
            raise refuse(24, 4279009, message="The requested resource does not exist")
        require(kept["media"] is None, "It was published before")
        media = str(18060000000000020 + len(self.posts) + len(self.comments))
        kept["media"] = media
        if "reply_to_id" in kept["form"]:
            self.comments.append(kept["form"])
        else:
            self.posts[media] = {**kept["form"], "at": self.clock()}
        if refusal is not None:
            raise refuse(*refusal)
        return {"id": media}

    # What is live.

    def _list(self, call: Received) -> Value:
        require_fields(call.query, needed=("fields", "since", "limit"))
        if self.unlisted:
            return {"data": []}
        shown = [
            self._shown(media)
            for media, post in reversed(self.posts.items())
            if post["at"].timestamp() >= int(call.query["since"]) and self.is_listed(media)
        ]
        return {"data": shown, "paging": {"cursors": {"before": "QV", "after": "QW"}}}

    def _shown(self, media: str) -> dict[str, Value]:
        post = self.posts[media]
        kind = post["media_type"]
        shown = {
            "id": media,
            "timestamp": post["at"].strftime("%Y-%m-%dT%H:%M:%S+0000"),
            "media_type": "TEXT_POST" if kind == "TEXT" else kind,
            "permalink": f"https://www.threads.com/@{HANDLE}/post/DX{media[-2:]}",
        }
        shown |= {"text": post["text"]} if "text" in post else {}
        return shown if self.links else {**shown, "permalink": None}

    def _media(self, media: str, call: Received) -> Value:
        self._require_post(media)
        require(call.query["fields"] == "id,permalink")
        link = self._shown(media)["permalink"]
        return {"id": media, **({} if link is None else {"permalink": link})}

    def _insights(self, media: str, call: Received) -> Value:
        self._require_post(media)
        asked = call.query["metric"].split(",")
        if self.broken_metrics & set(asked):
            raise Wrong(graph_error(2, status=500))
        require(not self.dead_metrics & set(asked), "metric[1] must be one of the values")
        rows = [
            {"name": name, "period": "lifetime", "values": [{"value": _METRICS[name]}]}
            for name in asked
        ]
        return {"data": rows}

    def _delete(self, media: str) -> Value:
        if self.scopeless:
            raise refuse(10, message="Application does not have permission for this action")
        self._require_post(media)
        del self.posts[media]
        return {"success": True, "deleted_id": media}

    def _require_post(self, media: str) -> None:
        if media not in self.posts:
            raise refuse(24, 4279009, message="The requested resource does not exist")


_Method = Callable[[FakeThreads, Received], Value]
_SIGN_IN: dict[str, _Method] = {
    "POST /oauth/access_token": FakeThreads._short_token,
    "GET /access_token": FakeThreads._long_token,
    "GET /refresh_access_token": FakeThreads._refreshed_token,
}
_EDGES: dict[str, _Method] = {
    "GET /v1.0/debug_token": FakeThreads._debugged,
    "GET /v1.0/me": FakeThreads._me,
    "GET /v1.0/location_search": lambda _, call: places(call, flat=True),
    f"POST /v1.0/{USER}/threads": FakeThreads._create,
    f"GET /v1.0/{USER}/threads": FakeThreads._list,
    f"POST /v1.0/{USER}/threads_publish": FakeThreads._publish,
    f"GET /v1.0/{USER}/threads_publishing_limit": FakeThreads._limit,
}
LIFE = timedelta(seconds=_LIFE_S)
