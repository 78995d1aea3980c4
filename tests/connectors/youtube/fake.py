"""YouTube on loopback: one channel, its uploads, playlists, counts, and Google's token address.

Built from the platform's fact sheet and driven first by Google's own client
(`test_official.py`). Every call is held against Google's description of the interface; the
lengths, which that does not have, are the sheet's.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from tests.connectors.support.discovery import document
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.connectors.youtube.answers import refusal, require
from tests.connectors.youtube.fake_uploads import Session, Uploads
from tests.support.frozen_clock import FrozenClock

CHANNEL, HANDLE, UPLOADS = "UCfake00000000000000001", "@lumenbakes", "UUfake00000000000000001"
PLAYLIST = "PLrye"
CLIENT, SECRET, CODE = "google-app", "google-app-s3cret", "4/0code"
VIDEO = "kQ3fakeVid0"
_AUTH = "https://www.googleapis.com/auth"
GRANTED = f"{_AUTH}/youtube.upload {_AUTH}/youtube.force-ssl {_AUTH}/yt-analytics.readonly"
_DOCUMENTS = {"v2": "youtubeAnalytics.v2", "youtube": "youtube.v3", "upload": "youtube.v3"}
_KEPT_OF_BODIES = 10_000
_LOOKS = 2


class FakeYouTube(FakePlatform):
    """One channel, lumenbakes. `lag` is how long a video stays out of the list of uploads."""

    token_refused = refusal(401, "authError", message="Invalid Credentials")
    limited = refusal(403, "rateLimitExceeded")

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.granted = "ya29.first", GRANTED
        self.is_in = self.has_channel = True
        self.videos: dict[str, dict[str, Value]] = {}
        self.playlists: dict[str, list[str]] = {PLAYLIST: []}
        self.uploads = Uploads(self._show, self._made)
        self.lag = timedelta(0)
        self.ends: dict[str, Value] = {"uploadStatus": "processed"}
        self.processing: dict[str, Value] = {}
        self.keeps_private = False
        self.next_refusals: list[Answer] = []
        self.counted: dict[str, dict[str, str]] = {}
        self.rows: list[list[Value]] = []
        self.covers: dict[str, bytes] = {}
        self.comments: list[tuple[str, str]] = []

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /token":
            return Answer(200, self._tokens(call.form))
        if call.headers.get("authorization") != f"Bearer {self.access}":
            raise Wrong(self.token_refused)
        if call.method == "PUT" and call.path == "/upload/youtube/v3/videos":
            self.calls[-1] = replace(call, body=call.body[:_KEPT_OF_BODIES])
            return self.uploads.receive(call, self.url)
        if self.next_refusals:
            return self.next_refusals.pop(0)
        described = document(_DOCUMENTS[call.path.split("/")[1]])
        problems = described.call_problems(call)
        require(not problems, "badRequest", str(problems))
        answer = _METHODS[call.name](self, call)
        if answer.body != b"":
            problems = described.answer_problems(call, answer.body)
        assert problems == [], "The fake answers what Google describes."
        return answer

    def upload_as_a_person(self, title: str, at: datetime) -> str:
        """Let somebody upload a video by hand."""
        snippet = {"title": title, "description": ""}
        return self._keep({"snippet": snippet, "status": {"privacyStatus": "public"}}, at)

    # Signing in.

    def _tokens(self, form: Mapping[str, str]) -> Value:
        require((form["client_id"], form["client_secret"]) == (CLIENT, SECRET), "invalid_client")
        if form["grant_type"] == "authorization_code":
            require(form["code"] == CODE and "code_verifier" in form, "invalid_grant")
            return {**self._granted(), "refresh_token": "1//first"}
        if not self.is_in or form["refresh_token"] != "1//first":
            body = {"error": "invalid_grant", "error_description": "Token has been revoked."}
            raise Wrong(Answer(400, body))
        self.access = f"ya29.next{len(self.calls)}"
        return self._granted()

    def _granted(self) -> dict[str, Value]:
        life = {"expires_in": 3599, "token_type": "Bearer"}
        return {"access_token": self.access, "scope": self.granted, **life}

    def _channels(self, call: Received) -> Answer:
        require(call.query.get("mine") == "true", "missingRequiredParameter")
        if not self.has_channel:
            return Answer(200, {"kind": "youtube#channelListResponse", "items": []})
        channel = {
            "id": CHANNEL,
            "snippet": {"title": "Lumen Bakes", "customUrl": HANDLE},
            "contentDetails": {"relatedPlaylists": {"uploads": UPLOADS}},
        }
        return Answer(200, {"kind": "youtube#channelListResponse", "items": [channel]})

    # Publishing.

    def _open(self, call: Received) -> Answer:
        snippet = call.json.get("snippet", {})
        title, tags = snippet.get("title", ""), snippet.get("tags", [])
        require(0 < len(title) <= 100 and not _has_angles(title), "invalidTitle")
        text = snippet.get("description", "")
        require(len(text.encode()) <= 5_000 and not _has_angles(text), "invalidDescription")
        length = sum(len(tag) + 2 * (" " in tag) + 1 for tag in tags) - 1
        require(length <= 500, "invalidTags")
        return self.uploads.open(call, self.url)

    def _show(self, session: Session) -> str:
        return self._keep(session.resource, self.clock())

    def _keep(self, resource: Value, at: datetime) -> str:
        video = f"{VIDEO[:-1]}{len(self.videos)}"
        status = {"privacyStatus": "public", **resource["status"]}
        if self.keeps_private:
            status["privacyStatus"] = "private"
        snippet = {**resource["snippet"], "channelId": CHANNEL, "publishedAt": _spelled(at)}
        self.videos[video] = {"snippet": snippet, "status": status, "at": at, "looks": 0}
        self.posts[video] = snippet["title"]
        return video

    def _made(self, session: Session) -> Value:
        return self._resource(str(session.video), session.parts)

    def _resource(self, video: str, parts: list[str]) -> dict[str, Value]:
        kept = self.videos[video]
        is_over = kept["looks"] > _LOOKS
        status = {**kept["status"], **(self.ends if is_over else {"uploadStatus": "uploaded"})}
        processing = "succeeded" if status["uploadStatus"] == "processed" else "processing"
        all_parts = {
            "snippet": kept["snippet"],
            "status": status,
            "processingDetails": self.processing or {"processingStatus": processing},
            "statistics": self.counted.get(video, {"viewCount": "120", "favoriteCount": "0"}),
        }
        all_parts["paidProductPlacementDetails"] = kept.get("paid", {})
        told = {part: all_parts[part] for part in parts}
        return {"kind": "youtube#video", "etag": "e1", "id": video, **told}

    def _set_cover(self, call: Received) -> Answer:
        """Take a picture of at most 2 MB for one of the channel's videos."""
        require(call.query["videoId"] in self.videos, "videoNotFound")
        require(call.headers["content-type"] == "image/jpeg", "mediaBodyRequired")
        require(0 < call.size <= 2_097_152, "mediaBodyRequired")
        self.covers[call.query["videoId"]] = call.body
        return Answer(200, {"kind": "youtube#thumbnailSetResponse", "items": []})

    def _comment(self, call: Received) -> Answer:
        snippet = call.json["snippet"]
        require(snippet["videoId"] in self.videos, "videoNotFound")
        text = snippet["topLevelComment"]["snippet"]["textOriginal"]
        self.comments.append((snippet["videoId"], text))
        return Answer(200, {"kind": "youtube#commentThread", "id": "Ugz1"})

    # What is there.

    def _list(self, call: Received) -> Answer:
        ids, parts = call.query["id"].split(","), call.query["part"].split(",")
        require(len(ids) <= 50 and "maxResults" not in call.query, "invalidFilters")
        found = [video for video in ids if video in self.videos]
        for video in found:
            self.videos[video]["looks"] += 1
            if "status" in parts and self.videos[video]["looks"] > _LOOKS:
                self._judge(video)
        items = [self._resource(video, parts) for video in found]
        return Answer(200, {"kind": "youtube#videoListResponse", "items": items})

    def _judge(self, video: str) -> None:
        if self.ends["uploadStatus"] != "processed":
            self.posts.pop(video, None)

    def _delete(self, call: Received) -> Answer:
        if call.query["id"] not in self.posts:
            raise Wrong(refusal(404, "videoNotFound"))
        del self.posts[call.query["id"]], self.videos[call.query["id"]]
        return Answer(204, b"")

    def _newest(self, call: Received) -> Answer:
        require(call.query.get("playlistId") == UPLOADS, "playlistNotFound")
        listed = {v: kept for v, kept in self.videos.items() if self.is_listed(v)}
        seen = [v for v, kept in listed.items() if kept["at"] + self.lag <= self.clock()]
        items = [
            {
                "snippet": {name: self.videos[v]["snippet"][name] for name in _OF_ITEM},
                "contentDetails": {"videoId": v},
            }
            for v in reversed(seen)
        ]
        most = int(call.query.get("maxResults", 5))
        return Answer(200, {"kind": "youtube#playlistItemListResponse", "items": items[:most]})

    def _add(self, call: Received) -> Answer:
        snippet = call.json["snippet"]
        if snippet["playlistId"] not in self.playlists:
            raise Wrong(refusal(404, "playlistNotFound"))
        require(snippet["resourceId"]["videoId"] in self.videos, "videoNotFound")
        self.playlists[snippet["playlistId"]].append(snippet["resourceId"]["videoId"])
        return Answer(200, {"kind": "youtube#playlistItem", "id": "PLI1", "snippet": snippet})

    def _playlists(self, call: Received) -> Answer:
        asked = dict(call.query)
        place = int(asked.pop("pageToken", "0"))
        require(asked == {"part": "snippet", "mine": "true", "maxResults": "50"}, "badRequest")
        some = list(self.playlists)[place : place + 1]
        page = _items(
            *({"id": name, "snippet": {"title": name.removeprefix("PL")}} for name in some)
        )
        following = {"nextPageToken": str(place + 1)} if place + 1 < len(self.playlists) else {}
        return Answer(200, {**page.body, **following})

    def _categories(self, call: Received) -> Answer:
        require(call.query == {"part": "snippet", "regionCode": "US"}, "badRequest")
        return _items(
            {"id": "22", "snippet": {"title": "People & Blogs", "assignable": True}},
            {"id": "18", "snippet": {"title": "Short Movies", "assignable": False}},
        )

    def _report(self, call: Received) -> Answer:
        del call
        names = ("video", "shares", "subscribersGained")
        headers = [{"name": name, "columnType": "METRIC"} for name in names]
        return Answer(200, {"columnHeaders": headers, "rows": self.rows})


_OF_ITEM = ("title", "description", "publishedAt")
_METHODS: dict[str, Callable[[FakeYouTube, Received], Answer]] = {
    "POST /upload/youtube/v3/videos": FakeYouTube._open,
    "GET /youtube/v3/videos": FakeYouTube._list,
    "DELETE /youtube/v3/videos": FakeYouTube._delete,
    "GET /youtube/v3/channels": FakeYouTube._channels,
    "GET /youtube/v3/playlistItems": FakeYouTube._newest,
    "POST /youtube/v3/playlistItems": FakeYouTube._add,
    "POST /upload/youtube/v3/thumbnails/set": FakeYouTube._set_cover,
    "POST /youtube/v3/commentThreads": FakeYouTube._comment,
    "GET /youtube/v3/playlists": FakeYouTube._playlists,
    "GET /youtube/v3/videoCategories": FakeYouTube._categories,
    "GET /v2/reports": FakeYouTube._report,
}


def _items(*items: dict[str, Value]) -> Answer:
    return Answer(200, {"items": list(items)})


def _has_angles(text: str) -> bool:
    return "<" in text or ">" in text


def _spelled(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
