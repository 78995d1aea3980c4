"""Bluesky on loopback: account server, video service, public view and directory at one address.

Built from the platform's fact sheet and measured against the real server of
`tests/servers/bluesky`, whose answers it repeats word for word where they matter.
"""

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import ClassVar

import regex

from tests.connectors.bluesky.fake_video import PlayedVideoService
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

DID = "did:plc:q7norafakefakefakefake22"
HANDLE = "nora.test"
PASSWORD = "aomp-66fr-tdfd-komo"
SERVER_DID = "did:web:pds.test"
POST = "app.bsky.feed.post"
_XRPC = "/xrpc/"
_RKEY = regex.compile(r"[234567abcdefghij][234567a-z]{12}")


class FakeBluesky(FakePlatform):
    """One account, Nora's; strict about every call that a connector makes."""

    token_refused = Answer(400, {"error": "ExpiredToken", "message": "Token has expired"})
    limited = Answer(
        429,
        {"error": "RateLimitExceeded", "message": "Rate Limit Exceeded"},
        {"RateLimit-Limit": "30", "RateLimit-Reset": "1795176060", "RateLimit-Policy": "30;w=300"},
    )
    people: ClassVar[dict[str, str]] = {HANDLE: DID, "pia.test": "did:plc:pia"}

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.sessions = 1
        self.revoked = False
        self.claims: dict[str, Value] = {}
        self.records: dict[tuple[str, str], Value] = {}
        self.comments: list[tuple[str, str]] = []
        self.blobs: dict[str, dict[str, Value]] = {}
        self.videos = PlayedVideoService(
            self._require_pass, lambda whole: self._store(whole, "video/mp4"), DID
        )
        self.refuses_passes = False
        self.failure_of_uploads = False

    def access(self, number: int | None = None) -> str:
        """Return the access token of a session, the newest by default."""
        ends = int((self.clock() + timedelta(hours=2)).timestamp())
        claims: dict[str, Value] = {"scope": "access", "exp": ends, **self.claims}
        return _token({"sub": DID, "n": number or self.sessions, **claims})

    def refresh(self, number: int | None = None) -> str:
        """Return the refresh token of a session, the newest by default."""
        return _token({"sub": DID, "n": number or self.sessions, "scope": "refresh"})

    def answer(self, call: Received) -> Answer:
        if call.path == f"/{DID}" and call.method == "GET":
            service = {"id": "#atproto_pds", "serviceEndpoint": self.url}
            return Answer(200, {"id": DID, "service": [service]})
        of_video = self.videos.answer(call)
        if of_video is not None:
            return of_video
        method = _METHODS.get((call.method, call.path.removeprefix(_XRPC)))
        if not call.path.startswith(_XRPC) or method is None:
            raise _wrong(501, "MethodNotImplemented")
        return Answer(200, method(self, call))

    def resolve_handle(self, call: Received) -> Value:
        if call.query["handle"] not in self.people:
            raise _wrong(400, "InvalidRequest", "Unable to resolve handle")
        return {"did": self.people[call.query["handle"]]}

    def describe(self, call: Received) -> Value:
        del call
        return {"did": SERVER_DID, "availableUserDomains": [".test"]}

    def create_session(self, call: Received) -> Value:
        _require(set(call.json) == {"identifier", "password"})
        if (call.json["identifier"], call.json["password"]) != (HANDLE, PASSWORD):
            raise _wrong(401, "AuthenticationRequired", "Invalid identifier or password")
        return self._session()

    def refresh_session(self, call: Received) -> Value:
        _require(call.size == 0, "A refresh has no body.")
        claims = _claims(call)
        if claims.get("scope") != "refresh":
            raise _wrong(400, "InvalidToken", "Token could not be verified")
        if self.revoked:
            raise _wrong(400, "ExpiredToken", "Token has been revoked")
        self.sessions = max(self.sessions, int(claims["n"]) + 1)
        return self._session()

    def _session(self) -> Value:
        tokens = {"accessJwt": self.access(), "refreshJwt": self.refresh()}
        return {**tokens, "did": DID, "handle": HANDLE, "active": True}

    def upload_blob(self, call: Received) -> Value:
        self._require_access(call)
        _require(not self.failure_of_uploads, "InvalidMimeType")
        is_text = call.headers["content-type"] == "text/vtt" and call.size <= 20_000
        _require(is_text or call.headers["content-type"].startswith("image/"))
        return {"blob": self._store(call, call.headers["content-type"])}

    def service_auth(self, call: Received) -> Value:
        self._require_access(call)
        _require(call.query["aud"] == SERVER_DID)
        _require(call.query["lxm"] == "com.atproto.repo.uploadBlob")
        life_s = int(call.query["exp"]) - int(self.clock().timestamp())
        _require(0 < life_s <= 3600, "BadExpiration")
        return {"token": _token({"lxm": "uploadBlob", "aud": SERVER_DID})}

    def put_record(self, call: Received) -> Value:
        self._require_access(call)
        body = call.json
        fields = {"repo", "collection", "rkey", "record", "validate", "swapRecord"}
        _require(set(body) == fields, "unknown fields")
        _require(body["repo"] == DID)
        _require(body["swapRecord"] is None)
        self._validate(body["collection"], body["rkey"], body["record"])
        place = (body["collection"], body["rkey"])
        if place not in self.records:
            self._write(place, body["record"])
            return {**self._written(place), "commit": {"cid": "bafyreic1", "rev": "3n2rjqtdyak2f"}}
        if self.records[place] != body["record"]:
            raise _wrong(400, "InvalidSwap", "Record was at bafyreifakepost51")
        return self._written(place)

    def apply_writes(self, call: Received) -> Value:
        self._require_access(call)
        _require(set(call.json) == {"repo", "validate", "writes"})
        places = []
        for write in call.json["writes"]:
            _require(set(write) == {"$type", "collection", "rkey", "value"})
            _require(write["$type"] == "com.atproto.repo.applyWrites#create")
            self._validate(write["collection"], write["rkey"], write["value"])
            places.append(((write["collection"], write["rkey"]), write["value"]))
        if any(place in self.records for place, _ in places):
            raise _wrong(500, "InternalServerError")
        for place, record in places:
            self._write(place, record)
        return {"commit": {"cid": "bafyreic2", "rev": "3n2rjqtdyak2g"}, "results": []}

    def get_record(self, call: Received) -> Value:
        _require(call.query["repo"] == DID)
        place = (call.query["collection"], call.query["rkey"])
        if place not in self.records:
            raise _wrong(400, "RecordNotFound", f"Could not locate record: {place}")
        return {**self._written(place), "value": self.records[place]}

    def delete_record(self, call: Received) -> Value:
        self._require_access(call)
        _require(set(call.json) == {"repo", "collection", "rkey"})
        place = (call.json["collection"], call.json["rkey"])
        if self.records.pop(place, None) is None:
            return {}
        self.posts.pop(_uri(place), None)
        return {"commit": {"cid": "bafyreic3", "rev": "3n2rjqtdyak2h"}}

    def search_actors(self, call: Received) -> Value:
        _require(set(call.query) == {"q", "limit"} and 1 <= int(call.query["limit"]) <= 100)
        _require("authorization" not in call.headers)
        words = call.query["q"].lower()
        return {
            "actors": [
                {"did": did, "handle": handle, "displayName": handle.partition(".")[0].title()}
                for handle, did in self.people.items()
                if words in handle
            ]
        }

    def get_posts(self, call: Received) -> Value:
        counts = {"replyCount": 1, "repostCount": 2, "likeCount": 9, "quoteCount": 1}
        uri = call.query["uris"]
        return {"posts": [{"uri": uri, **counts}] if uri in self.posts else []}

    def _write(self, place: tuple[str, str], record: Value) -> None:
        self.records[place] = record
        answered = record.get("reply")
        if answered is not None:
            self.comments.append((answered["parent"]["uri"], record["text"]))
        elif place[0] == POST:
            self.posts[_uri(place)] = record

    def _written(self, place: tuple[str, str]) -> dict[str, Value]:
        return {"uri": _uri(place), "cid": "bafyreifakepost51", "validationStatus": "valid"}

    def _validate(self, collection: str, rkey: str, record: Value) -> None:
        _require(_RKEY.fullmatch(rkey) is not None, "Invalid rkey")
        _require(record["$type"] == collection)
        if collection != POST:
            _require(record["post"] == f"at://{DID}/{POST}/{rkey}")
            return
        text, answered = record["text"], record.get("reply")
        if answered is not None:
            own = {"uri": answered["parent"]["uri"], "cid": "bafyreifakepost51"}
            _require(answered == {"root": own, "parent": own}, "Invalid reply")
            _require(own["uri"] in self.posts, "Invalid reply")
        if len(regex.findall(r"\X", text)) > 300 or len(text.encode()) > 3_000:
            raise _invalid("grapheme too big", "$.record.text")
        if len(record.get("langs", [])) > 3:
            raise _invalid("array too big", "$.record.langs")
        self._validate_embed(record.get("embed"))

    def _validate_embed(self, embed: Value) -> None:
        if embed is None:
            return
        if embed["$type"] == "app.bsky.embed.images":
            _require(1 <= len(embed["images"]) <= 4)
            used = [image["image"] for image in embed["images"] if "alt" in image]
            _require(len(used) == len(embed["images"]), "alt is required")
        elif embed["$type"] == "app.bsky.embed.external":
            external = embed["external"]
            _require({"uri", "title", "description"} <= set(external))
            used = [external["thumb"]] if "thumb" in external else []
        else:
            _require(embed["$type"] == "app.bsky.embed.video")
            used = [embed["video"]]
        for blob in used:
            if self.blobs.get(blob["ref"]["$link"]) != blob:
                raise _wrong(400, "BlobNotFound", "Could not find blob")

    def _store(self, call: Received, mime: str) -> dict[str, Value]:
        cid = f"bafkrei{call.digest[:50]}"
        blob = {"$type": "blob", "ref": {"$link": cid}, "mimeType": mime, "size": call.size}
        self.blobs[cid] = blob
        return blob

    def _require_pass(self, call: Received) -> None:
        if self.refuses_passes or _claims(call).get("lxm") != "uploadBlob":
            raise _wrong(401, "AuthMissing")

    def _require_access(self, call: Received) -> None:
        if _claims(call).get("scope") != "access":
            raise _wrong(400, "InvalidToken", "Token could not be verified")


_METHODS: dict[tuple[str, str], Callable[[FakeBluesky, Received], Value]] = {
    ("GET", "com.atproto.identity.resolveHandle"): FakeBluesky.resolve_handle,
    ("GET", "com.atproto.server.describeServer"): FakeBluesky.describe,
    ("POST", "com.atproto.server.createSession"): FakeBluesky.create_session,
    ("POST", "com.atproto.server.refreshSession"): FakeBluesky.refresh_session,
    ("GET", "com.atproto.server.getServiceAuth"): FakeBluesky.service_auth,
    ("POST", "com.atproto.repo.uploadBlob"): FakeBluesky.upload_blob,
    ("POST", "com.atproto.repo.putRecord"): FakeBluesky.put_record,
    ("POST", "com.atproto.repo.applyWrites"): FakeBluesky.apply_writes,
    ("GET", "com.atproto.repo.getRecord"): FakeBluesky.get_record,
    ("POST", "com.atproto.repo.deleteRecord"): FakeBluesky.delete_record,
    ("GET", "app.bsky.feed.getPosts"): FakeBluesky.get_posts,
    ("GET", "app.bsky.actor.searchActorsTypeahead"): FakeBluesky.search_actors,
}


def _uri(place: tuple[str, str]) -> str:
    return f"at://{DID}/{place[0]}/{place[1]}"


def _token(claims: dict[str, Value]) -> str:
    packed = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    return f"eyJhbGciOiJIUzI1NiJ9.{packed}.c2lnbmVk"


def _claims(call: Received) -> dict[str, Value]:
    scheme, _, token = call.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer":
        raise _wrong(401, "AuthMissing", "Authentication Required")
    payload = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return claims if isinstance(claims, dict) else {}


def _wrong(status: int, error: str, message: str = "") -> Wrong:
    return Wrong(Answer(status, {"error": error, "message": message}))


def _invalid(what: str, path: str) -> Wrong:
    return _wrong(400, "InvalidRequest", f"Invalid {POST} record: {what} at {path}")


def _require(holds: bool, message: str = "not what this server takes") -> None:  # noqa: FBT001 - a claim
    if not holds:
        raise _wrong(400, message if message == "InvalidMimeType" else "InvalidRequest", message)
