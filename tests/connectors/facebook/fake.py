"""A Facebook Page on loopback: Graph at `/fb`, the upload host at `/up`.

Built from the platform's fact sheet, strict about paths, fields and order. Photos and videos are
uploaded unseen; `/feed` and the end of an upload are what everybody sees.
"""

from collections.abc import Callable
from datetime import datetime

from tests.connectors.facebook.fake_videos import Videos
from tests.connectors.shared.meta.fake_login import FakeFacebookLogin
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

PAGE = "1000001"
HANDLE = "lumenbakes"
CLIENT, SECRET = "facebook-app", "facebook-app-s3cret"
_TOKEN = "PAGETOK"
_FIGURES: dict[str, Value] = {
    "post_media_view": 540,
    "post_reactions_by_type_total": {"like": 10, "love": 2},
    "post_activity_by_action_type": {"comment": 3, "share": 1},
    "blue_reels_play_count": 77,
    "total_video_views": 70,
    "post_video_likes_by_reaction_type": {"REACTION_LIKE": 8},
    "post_video_social_actions": {"COMMENT": 4, "SHARE": 6},
    "post_video_followers": 2,
}
_OF_VIDEO = frozenset(name for name in _FIGURES if "video" in name or "reels" in name)

_MAY_POST: Value = {"tasks": ["CREATE_CONTENT", "ANALYZE"]}
_MAY_POST_ANEW: Value = {"tasks": ["PROFILE_PLUS_CREATE_CONTENT", "PROFILE_PLUS_ANALYZE"]}
_MINE: Value = {"id": PAGE, "name": "Lumen Bakes", "username": HANDLE, "access_token": _TOKEN}
_CLIENTS: Value = {"id": "1000003", "name": "Client's", "access_token": "p3"}
_READ_ONLY: Value = {"id": "1000002", "name": "R", "access_token": "p2", "tasks": ["ANALYZE"]}
_LISTS: dict[str, list[list[Value]]] = {
    "me/accounts": [[{**_MINE, **_MAY_POST}, _READ_ONLY]],
    "me/businesses": [[{"id": "700"}]],
    "700/owned_pages": [[{**_MINE, **_MAY_POST}]],
    "700/client_pages": [[{**_CLIENTS, **_MAY_POST_ANEW}]],
}


class FakeFacebook(FakePlatform):
    """One Page, lumenbakes."""

    token_refused = TOKEN_REFUSED
    limited = LIMITED

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.script: Script = {}
        self.tokens = [_TOKEN]
        self.login = FakeFacebookLogin((CLIENT, SECRET), PAGE, self.tokens, _LISTS)
        self.photos: dict[str, dict[str, Value]] = {}
        self.comments: list[tuple[str, str]] = []
        self.covers: dict[str, bytes] = {}
        self.invited: list[tuple[str, str]] = []
        self.feed_errors: list[tuple[int, int | None]] = []
        self.unlisted = False
        self.dead_metrics = {"fb_reels_total_plays"}
        self.broken_metrics: set[str] = set()
        self.videos = Videos(self.posts, self.now)

    def now(self) -> datetime:
        """Return its time, by the clock that it has now."""
        return self.clock()

    @property
    def token(self) -> str:
        """Return the newest token of the Page."""
        return self.tokens[-1]

    def answer(self, call: Received) -> Answer:
        follow(self.script, call)
        _, host, path = call.path.split("/", 2)
        if host == "up":
            require_token(call, self.tokens, scheme="OAuth")
            return Answer(200, self.videos.receive(path, call))
        require(host == "fb" and path.startswith("v26.0/"), "Unknown path")
        path = path.removeprefix("v26.0/")
        if self.login.takes(call, path):
            return Answer(200, self.login.answer(call, path))
        require_token(call, self.tokens)
        edge = _EDGES.get(f"{call.method} {path}")
        return Answer(200, edge(self, call) if edge is not None else self._thing(path, call))

    # Publishing.

    def _photo(self, call: Received) -> Value:
        parts = {part.name: part for part in call.parts}
        known = ("alt_text_custom",)
        require_fields(parts, needed=("published", "source"), known=known)
        require(parts["published"].content == b"false", "It would be seen")
        require(parts["source"].mime in {"image/jpeg", "image/png"}, "Invalid image")
        photo = str(2000002 + len(self.photos))
        self.photos[photo] = {"size": len(parts["source"].content), "used": False}
        return {"id": photo}

    def _feed(self, call: Received) -> Value:
        if self.feed_errors:
            raise refuse(*self.feed_errors.pop(0))
        body = call.json
        known = ("message", "link", "attached_media", "place", "targeting")
        require_fields(body, needed=(), known=known)
        require(bool(body.get("message") or body.get("link") or body.get("attached_media")))
        photo = None
        if "attached_media" in body:
            photo = body["attached_media"][0]["media_fbid"]
            require(photo in self.photos and not self.photos[photo]["used"], "No such photo")
            self.photos[photo]["used"] = True
        post = f"{PAGE}_{3000003 + len(self.posts)}"
        self.posts[post] = {"message": body.get("message"), "photo": photo, "at": self.clock()}
        return {"id": post}

    def _photo_story(self, call: Received) -> Value:
        require_fields(call.json, needed=("photo_id",))
        require(not self.photos[call.json["photo_id"]]["used"], "It was used before")
        post = str(5000005 + len(self.posts))
        self.posts[post] = {"story": call.json["photo_id"], "at": self.clock()}
        return {"success": True, "post_id": post}

    # What is live.

    def _published(self, call: Received) -> Value:
        self._require_list(call)
        listed = [post for post in reversed(self.posts) if self.is_listed(post)]
        shown = [self._shown(post) for post in listed if "_" in post]
        return {"data": [] if self.unlisted else shown}

    def _stories(self, call: Received) -> Value:
        self._require_list(call)
        stories = [
            {
                "post_id": post,
                "creation_time": str(int(kept["at"].timestamp())),
                "media_id": kept["story"],
                "url": f"https://facebook.com/stories/{post}",
            }
            for post, kept in self.posts.items()
            if "story" in kept and self.is_listed(post)
        ]
        return {"data": [] if self.unlisted else stories}

    def _videos(self, call: Received) -> Value:
        self._require_list(call)
        return {"data": [] if self.unlisted else self.videos.listed(call.path.endswith("reels"))}

    def _require_list(self, call: Received) -> None:
        require_fields(call.query, needed=("fields", "since", "limit"))

    def _shown(self, post: str) -> dict[str, Value]:
        kept = self.posts[post]
        shown = {
            "id": post,
            "created_time": kept["at"].strftime("%Y-%m-%dT%H:%M:%S+0000"),
            "permalink_url": f"https://www.facebook.com/{PAGE}/posts/{post.partition('_')[2]}",
        }
        if kept["message"] is not None:
            shown["message"] = kept["message"]
        if kept["photo"] is not None:
            shown["attachments"] = {"data": [{"target": {"id": kept["photo"]}}]}
        return shown

    def _thing(self, path: str, call: Received) -> Value:
        thing, _, edge = path.partition("/")
        if call.method == "GET" and not edge and thing in self.videos.kept:
            return self.videos.status(thing, call.query["fields"])
        if thing not in self.posts and self.videos.post_of(thing) not in self.posts:
            raise refuse(100, 33, message="Unsupported request: no such object")
        if call.method == "DELETE":
            self.posts.pop(self.videos.post_of(thing) or thing, None)
            self.videos.kept.pop(thing, None)
            return {"success": True}
        if edge:
            return _OF_THING[f"{call.method} {edge}"](self, thing, call)
        require(call.query["fields"] in {"permalink_url", "id", "shares"})
        return {**self._shown(thing), "shares": {"count": 9}} if "_" in thing else {"id": thing}

    def _comment(self, thing: str, call: Received) -> Value:
        require_fields(call.json, needed=("message",))
        self.comments.append((thing, call.json["message"]))
        return {"id": f"{thing}_9"}

    def _cover(self, thing: str, call: Received) -> Value:
        parts = {part.name: part for part in call.parts}
        require(set(parts) == {"is_preferred", "source"} and thing in self.videos.kept)
        require(parts["is_preferred"].content == b"true")
        self.covers[thing] = parts["source"].content
        return {"success": True}

    def _invite(self, thing: str, call: Received) -> Value:
        require_fields(call.json, needed=("target_id",))
        self.invited.append((thing, call.json["target_id"]))
        return {"success": True}

    def _insight(self, thing: str, call: Received) -> Value:
        metric = call.query["metric"]
        if metric in self.broken_metrics:
            raise Wrong(graph_error(2, status=500))
        is_video = call.path.endswith("video_insights")
        require(metric not in self.dead_metrics, "(#100) The value must be a valid insights metric")
        require((metric in _OF_VIDEO) == is_video, "(#100) The value must be a valid metric")
        del thing
        return {"data": [{"name": metric, "values": [{"value": _FIGURES[metric]}]}]}


_Method = Callable[[FakeFacebook, Received], Value]
_EDGES: dict[str, _Method] = {
    "GET pages/search": lambda _, call: places(call),
    f"POST {PAGE}/photos": FakeFacebook._photo,
    f"POST {PAGE}/feed": FakeFacebook._feed,
    f"POST {PAGE}/photo_stories": FakeFacebook._photo_story,
    f"POST {PAGE}/videos": lambda fake, call: fake.videos.chunked(call),
    f"POST {PAGE}/video_reels": lambda fake, call: fake.videos.streamed(call, story=False),
    f"POST {PAGE}/video_stories": lambda fake, call: fake.videos.streamed(call, story=True),
    f"GET {PAGE}/published_posts": FakeFacebook._published,
    f"GET {PAGE}/stories": FakeFacebook._stories,
    f"GET {PAGE}/videos": FakeFacebook._videos,
    f"GET {PAGE}/video_reels": FakeFacebook._videos,
}
_OF_THING: dict[str, Callable[[FakeFacebook, str, Received], Value]] = {
    "POST comments": FakeFacebook._comment,
    "POST thumbnails": FakeFacebook._cover,
    "POST collaborators": FakeFacebook._invite,
    "GET insights": FakeFacebook._insight,
    "GET video_insights": FakeFacebook._insight,
}
