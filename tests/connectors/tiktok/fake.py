"""TikTok on loopback, one creator's account: settings, posts, their status, lists and counts.

Built from the platform's fact sheet, strict about paths, fields and scopes. A post is visible from
the moment TikTok has it all; its id is told after moderation, and never for one that not everybody
can see. `fake_uploads.py` takes the chunks.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value
from tests.connectors.tiktok.fake_uploads import (
    SMALLEST_CHUNK,
    Post,
    enveloped,
    refuse,
    require,
    require_fields,
    take_chunk,
)
from tests.support.frozen_clock import FrozenClock

USERNAME, NICKNAME, OPEN_ID = "lumen.bakes", "Lumen Bakes", "open-id-1"
CLIENT, SECRET, CODE = "tiktok-app", "tiktok-app-s3cret", "code*of!lumen"
UPLOAD_TOKEN: Final = "up-t0ken"
SCOPES = "user.info.basic,user.info.profile,video.publish,video.list"
LEVELS = ("PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY")
_TOGGLES = {"privacy_level", "disable_comment", "brand_content_toggle", "brand_organic_toggle"}
_COUNTS = {"view_count": 912, "like_count": 40, "comment_count": 3, "share_count": 2}
_LISTED = "id,create_time,video_description,share_url"
_API = "/v2/post/publish"
_FIRST_ID = 7_512_345_678_901_234_567  # beyond what a float can hold


class FakeTikTok(FakePlatform):
    """Lumen's account; `uploads` is every post that was begun, by publish_id."""

    token_refused = Answer(401, enveloped(code="access_token_invalid"))
    limited = Answer(429, enveloped(code="rate_limit_exceeded"))

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.refresh = "ACT1", "RFT1"
        self.granted = SCOPES
        self.cannot_post: str | None = None
        self.settings: dict[str, Value] = {
            "creator_username": USERNAME,
            "creator_nickname": NICKNAME,
            "creator_avatar_url": "https://cdn.test/a.jpg",
            "privacy_level_options": list(LEVELS),
            "comment_disabled": False,
            "duet_disabled": False,
            "stitch_disabled": True,
            "max_video_post_duration_sec": 600,
        }
        self.smallest_chunk = SMALLEST_CHUNK
        self.uploads: dict[str, Post] = {}
        self.init_refusal: tuple[int, str] | None = None
        self.polls_needed, self.polls_of_moderation = 2, 3
        self.states: list[str] = []
        self.failures: list[str] = []
        self.lists_photos = False
        self.counts_bytes = True
        self.lag = timedelta(0)
        self.untold: set[str] = set()

    def answer(self, call: Received) -> Answer:
        if call.path == "/v2/oauth/token/":
            return self._tokens(call)
        if call.path == "/video/":
            return self._chunk(call)
        if call.headers.get("authorization") != f"Bearer {self.access}":
            return self.token_refused
        if call.name not in _METHODS:
            raise refuse(404, "unsupported_path")
        scope, method = _METHODS[call.name]
        if scope not in self.granted.split(","):
            raise refuse(401, "scope_not_authorized")
        if call.method == "POST":
            require(call.headers["content-type"] == "application/json; charset=UTF-8")
        return method(self, call)

    def post_as_a_person(self, text: str) -> str:
        """Let Lumen post a public video by herself."""
        post = Post(info={"title": text, "privacy_level": LEVELS[0]}, is_photo=False)
        return self.show(post)

    # Signing in.

    def _tokens(self, call: Received) -> Answer:
        form = dict(call.form)
        known = (form.pop("client_key", ""), form.pop("client_secret", "")) == (CLIENT, SECRET)
        if not known:
            return Answer(401, {"error": "invalid_client", "log_id": "L"})
        is_right = form == {"grant_type": "refresh_token", "refresh_token": self.refresh}
        if form.get("grant_type") == "authorization_code":
            is_loopback = form["redirect_uri"].startswith("http://127.0.0.1")
            wanted = {"grant_type", "code", "redirect_uri"}
            wanted |= {"code_verifier"} if is_loopback else set()
            is_right = set(form) == wanted and form["code"] == CODE
        if not is_right:
            said = {"error": "invalid_grant", "error_description": "No.", "log_id": "L"}
            return Answer(200, said)  # a success to HTTP
        number = int(self.access.removeprefix("ACT")) + 1
        self.access, self.refresh = f"ACT{number}", f"RFT{number}"
        return Answer(
            200,
            {
                "access_token": self.access,
                "expires_in": 86_400,
                "open_id": OPEN_ID,
                "refresh_expires_in": 31_536_000,
                "refresh_token": self.refresh,
                "scope": self.granted,
                "token_type": "Bearer",
            },
        )

    def _user(self, call: Received) -> Answer:
        require(set(call.query) == {"fields"})
        fields = call.query["fields"].split(",")
        if "username" in fields and "user.info.profile" not in self.granted.split(","):
            raise refuse(401, "scope_not_authorized")
        user = {"open_id": OPEN_ID, "display_name": NICKNAME, "username": USERNAME}
        return Answer(200, enveloped({"user": {name: user[name] for name in fields}}))

    # Publishing.

    def _creator(self, call: Received) -> Answer:
        require(call.json == {})
        if self.cannot_post is not None:
            return Answer(200, enveloped(code=self.cannot_post))
        return Answer(200, enveloped(self.settings))

    def _init_video(self, call: Received) -> Answer:
        body = call.json
        require_fields(body, {"post_info", "source_info"})
        info = body["post_info"]
        of_video = {"title", "is_aigc", "video_cover_timestamp_ms"}
        require_fields(info, {*_TOGGLES, "disable_duet", "disable_stitch"}, of_video)
        self._require_settings(info, ("comment", "duet", "stitch"))
        return self._open(info, body["source_info"])

    def _init_draft(self, call: Received) -> Answer:
        """Open an upload for the inbox: it takes nothing but the file, and a scope of its own."""
        require_fields(call.json, {"source_info"})
        return self._open({"privacy_level": "SELF_ONLY"}, call.json["source_info"], is_draft=True)

    def _open(
        self, info: dict[str, Value], source: dict[str, Value], *, is_draft: bool = False
    ) -> Answer:
        self._require_leave()
        require_fields(source, {"source", "video_size", "chunk_size", "total_chunk_count"})
        require(source["source"] == "FILE_UPLOAD")
        post = Post(
            info=info,
            is_photo=False,
            is_draft=is_draft,
            size=source["video_size"],
            chunk=source["chunk_size"],
            chunks=source["total_chunk_count"],
            until=self.clock() + timedelta(hours=1),
        )
        require(post.is_planned_well(self.smallest_chunk), "The chunk size is invalid")
        publish_id = f"v_pub_file~v2-1.{700 + len(self.uploads)}"
        self.uploads[publish_id] = post
        upload_id = len(self.uploads)
        address = f"{self.url}/video/?upload_id={upload_id}&upload_token={UPLOAD_TOKEN}{upload_id}"
        return Answer(200, enveloped({"publish_id": publish_id, "upload_url": address}))

    def _chunk(self, call: Received) -> Answer:
        require("authorization" not in call.headers, "The address has its own token")
        place = int(call.query["upload_id"])
        require(call.query["upload_token"] == f"{UPLOAD_TOKEN}{place}")
        post = list(self.uploads.values())[place - 1]
        answer = take_chunk(post, call, self.clock())
        if answer.status == 201:
            self._accept(post)
        return answer

    def _init_photo(self, call: Received) -> Answer:
        self._require_leave()
        body = call.json
        require_fields(body, {"media_type", "post_mode", "post_info", "source_info"})
        require(body["media_type"] == "PHOTO")
        info, source = body["post_info"], body["source_info"]
        is_draft = body["post_mode"] == "MEDIA_UPLOAD"
        if is_draft:
            require_fields(info, set(), {"title", "description"})
            info = {**info, "privacy_level": "SELF_ONLY"}
        else:
            require(body["post_mode"] == "DIRECT_POST")
            require_fields(info, _TOGGLES, {"title", "description", "auto_add_music"})
            self._require_settings(info, ("comment",))
        require_fields(source, {"source", "photo_images", "photo_cover_index"})
        require(source["source"] == "PULL_FROM_URL" and len(source["photo_images"]) <= 35)
        require(all(link.startswith("https://") for link in source["photo_images"]))
        publish_id = f"p_pub_url~v2.{700 + len(self.uploads)}"
        self.uploads[publish_id] = post = Post(info=info, is_photo=True, is_draft=is_draft)
        self._accept(post)
        return Answer(200, enveloped({"publish_id": publish_id}))

    def _require_leave(self) -> None:
        if self.init_refusal is not None:
            raise refuse(*self.init_refusal)
        if self.cannot_post is not None:
            raise refuse(403, self.cannot_post)

    def _require_settings(self, info: dict[str, Value], interactions: tuple[str, ...]) -> None:
        if info["privacy_level"] not in self.settings["privacy_level_options"]:
            raise refuse(403, "privacy_level_option_mismatch")
        for name in interactions:
            require(info[f"disable_{name}"] or not self.settings[f"{name}_disabled"])

    def _accept(self, post: Post) -> None:
        """Take a post whose file is all there: it will be seen, unless it fails."""
        post.failure = self.failures.pop(0) if self.failures else None
        if post.failure is None:
            self.show(post)

    def show(self, post: Post) -> str:
        """Make a post visible; return its id."""
        post.post_id = str(_FIRST_ID + 11 * len(self.posts))
        post.shown_at = self.clock()
        self.posts[post.post_id] = post
        return post.post_id

    def _status(self, call: Received) -> Answer:
        require_fields(call.json, {"publish_id"})
        post = self.uploads.get(call.json["publish_id"])
        if post is None:
            raise refuse(400, "invalid_publish_id")
        return Answer(200, enveloped(self._told(post)))

    def _told(self, post: Post) -> dict[str, Value]:
        told: dict[str, Value] = {"status": "PROCESSING_UPLOAD"}
        if self.counts_bytes:
            told["uploaded_bytes"] = post.arrived
        if post.is_photo:
            told = {"status": "PROCESSING_DOWNLOAD", "downloaded_bytes": 0}
        if post.post_id is None and post.failure is None:
            return told
        post.polls += 1
        if post.polls < self.polls_needed:
            return told
        if self.states:
            return {**told, "status": self.states.pop(0)}
        ids: list[int] = []
        if post.is_draft:
            return {**told, "status": "SEND_TO_USER_INBOX"}
        if post.failure is not None:
            failed = {"status": "FAILED", "fail_reason": post.failure}
            return {**failed, "publicaly_available_post_id": ids}
        if post.is_public and post.polls >= self.polls_of_moderation:
            ids = [int(post.post_id or 0)]
        return {**told, "status": "PUBLISH_COMPLETE", "publicaly_available_post_id": ids}

    # What is live.

    def _list(self, call: Received) -> Answer:
        require(dict(call.query) == {"fields": _LISTED})
        require_fields(call.json, {"max_count"}, {"cursor"})
        require(call.json["max_count"] <= 20)
        shown = [
            self._listed(post_id)
            for post_id, post in reversed(self.posts.items())
            if post.is_public
            and self.is_listed(post_id)
            and (self.lists_photos or not post.is_photo)
            and post.shown_at <= self.clock() - self.lag
        ][: call.json["max_count"]]
        return Answer(200, enveloped({"videos": shown, "cursor": 0, "has_more": False}))

    def _listed(self, post_id: str) -> dict[str, Value]:
        post = self.posts[post_id]
        return {
            "id": post_id,
            "create_time": int(post.shown_at.timestamp()),
            "video_description": post.text[:150],
            "share_url": f"https://www.tiktok.com/@{USERNAME}/video/{post_id}?utm_source={CLIENT}",
        }

    def _query(self, call: Received) -> Answer:
        wanted = ["id", *(name for name in _COUNTS)]
        require(call.query["fields"].split(",") == wanted)
        require_fields(call.json, {"filters"})
        ids = call.json["filters"]["video_ids"]
        require(1 <= len(ids) <= 20 and all(isinstance(one, str) for one in ids))
        counts = {name: count for name, count in _COUNTS.items() if name not in self.untold}
        known = [one for one in ids if one in self.posts and self.posts[one].is_public]
        return Answer(200, enveloped({"videos": [{"id": one, **counts} for one in known]}))


_Method = Callable[[FakeTikTok, Received], Answer]
_METHODS: dict[str, tuple[str, _Method]] = {
    "GET /v2/user/info/": ("user.info.basic", FakeTikTok._user),
    f"POST {_API}/creator_info/query/": ("video.publish", FakeTikTok._creator),
    f"POST {_API}/video/init/": ("video.publish", FakeTikTok._init_video),
    f"POST {_API}/inbox/video/init/": ("video.upload", FakeTikTok._init_draft),
    f"POST {_API}/content/init/": ("video.publish", FakeTikTok._init_photo),
    f"POST {_API}/status/fetch/": ("video.publish", FakeTikTok._status),
    "POST /v2/video/list/": ("video.list", FakeTikTok._list),
    "POST /v2/video/query/": ("video.list", FakeTikTok._query),
}
