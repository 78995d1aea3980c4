"""Picnic on loopback: photos, posts, blankets, counts and tokens."""

from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

USER, NAME = "u1", "ada"
BLANKET = "red"
BLANKETS = {BLANKET, "blue"}
CLIENT_ID, CLIENT_SECRET = "basket", "picnic-client-secret"
_FIELDS = {"text", "blanket", "title", "basket", "rain", "photo", "alt_text"}


class FakePicnic(FakePlatform):
    """One account with two blankets."""

    token_refused = Answer(401, {"error": "token"})
    limited = Answer(429, {"error": "slow_down"}, {"Retry-After": "7"})

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.refresh = "access1", "refresh1"
        self.photos: dict[str, str] = {}
        self._made = 0

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /token":
            return self._tokens(call)
        if call.headers.get("authorization") != f"Bearer {self.access}":
            raise Wrong(self.token_refused)
        status, body = self._answer(call)
        return Answer(status, body)

    def _answer(self, call: Received) -> tuple[int, Value]:
        status = 200
        body: Value = {}
        match call.method, call.path.split("/")[1:]:
            case "GET", ["me"]:
                body = {"id": USER, "name": NAME}
            case "GET", ["blankets"]:
                body = {"blankets": [{"id": one, "name": one.title()} for one in sorted(BLANKETS)]}
            case "POST", ["photos"]:
                body = {"id": self._next()}
                self.photos[body["id"]] = call.digest
            case "POST", ["posts"]:
                body = self._publish(call.json)
            case "GET", ["me", "posts"]:
                body = {"posts": [one for key, one in self.posts.items() if self.is_listed(key)]}
            case "GET", ["counts"]:
                kept = [key for key in call.query["ids"].split(",") if key in self.posts]
                body = {"posts": [{"id": key, "seen": 9, "liked": 3} for key in kept]}
            case "DELETE", ["posts", post]:
                status = 404 if self.posts.pop(post, None) is None else 200
            case _:
                status, body = 404, {"error": "nothing_here"}
        return status, body

    def _publish(self, body: Value) -> Value:
        if set(body) - _FIELDS or len(body["text"]) > 500:
            raise Wrong(Answer(400, {"error": "bad_text"}))
        if body.get("blanket") not in BLANKETS:
            raise Wrong(Answer(400, {"error": "no_blanket"}))
        if "photo" in body and body["photo"] not in self.photos:
            raise Wrong(Answer(400, {"error": "bad_photo"}))
        post = self._next()
        self.posts[post] = {**body, "id": post, "made": self.clock().isoformat()}
        return {"id": post}

    def _tokens(self, call: Received) -> Answer:
        if call.form.get("refresh_token") != self.refresh:
            raise Wrong(Answer(400, {"error": "invalid_grant"}))
        number = int(self.access.removeprefix("access")) + 1
        self.access, self.refresh = f"access{number}", f"refresh{number}"
        told = {"access_token": self.access, "refresh_token": self.refresh, "expires_in": 86_400}
        return Answer(200, told)

    def _next(self) -> str:
        self._made += 1
        return f"p{self._made}"
