"""Pinterest on loopback: pins, boards, analytics and tokens, as strict as its OpenAPI 5.28.0.

Built from the platform's fact sheet and driven first by a client that was generated from
Pinterest's own description (`test_official.py`). Refresh tokens work once, and the same
pin may be made as often as one likes.
"""

import base64
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, timedelta

from tests.connectors.pinterest.fake_media import PinterestUploads
from tests.connectors.pinterest.fake_pins import (
    SECTIONS,
    USERNAME,
    require,
    require_pin,
    shown,
    without_nulls,
)
from tests.connectors.support.fake_platform import (
    KEPT_BYTES,
    Answer,
    FakePlatform,
    Received,
    Value,
    Wrong,
)
from tests.support.frozen_clock import FrozenClock

ACCOUNT_ID = "2783136121146311751"
BOARD, OTHER_BOARD = "77000001", "77000002"
CLIENT_ID, CLIENT_SECRET = "1480001", "harbour-client-secret"
SCOPE = "boards:read boards:write pins:read pins:write user_accounts:read"
_BOTH = {"IMPRESSION", "SAVE", "PIN_CLICK", "OUTBOUND_CLICK", "TOTAL_COMMENTS", "TOTAL_REACTIONS"}
_PHOTO_ONLY = {"SAVE_RATE", "USER_FOLLOW", "PROFILE_VISIT"}
_COUNTED = {
    "IMPRESSION": 240,
    "SAVE": 20,
    "TOTAL_COMMENTS": 2,
    "TOTAL_REACTIONS": 12,
    "USER_FOLLOW": 1,
}
Method = Callable[["FakePinterest", Received, str], Answer]


class FakePinterest(FakePlatform):
    """One business account with two boards.

    `lag` is how long a new pin stays off its board, `refusals` what methods here answer instead.
    """

    token_refused = Answer(
        401, {"code": 2, "message": "Authentication failed.", "status": "failure"}
    )
    limited = Answer(429, {"code": 8, "message": "This request exceeded a rate limit."})

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self.clock = clock
        self.access, self.refresh = "pina_1", "pinr_1"
        self.lag = timedelta(0)
        self.page = 250
        self.uploads = PinterestUploads()
        self.boards = {BOARD: "Harbours", OTHER_BOARD: "Lighthouses"}
        self.refusals: dict[str, Answer] = {}
        self.counted: Mapping[str, Mapping[str, float]] = {"lifetime_metrics": _COUNTED}
        self._next_id = 8_130_000_000_000_041

    def answer(self, call: Received) -> Answer:
        if call.name == "POST /s3/":
            return self.uploads.store(call)
        if call.name == "POST /v5/oauth/token":
            return self._tokens(call)
        if call.headers.get("authorization") != f"Bearer {self.access}":
            raise Wrong(self.token_refused)
        for method, pattern, answer in _METHODS:
            found = re.fullmatch(f"/v5/{pattern}", call.path)
            if call.method == method and found:
                if answer.__name__ in self.refusals:
                    raise Wrong(self.refusals[answer.__name__])
                return answer(self, call, found[1] if found.groups() else "")
        raise Wrong(Answer(404, {"code": 404, "message": "No such method."}))

    def pin_as_a_person(self, **fields: Value) -> str:
        """Let the account's owner pin something by herself."""
        return self._put({"board_id": BOARD, **fields}, "image")

    def me(self, call: Received, _: str) -> Answer:
        del call
        return Answer(
            200,
            {"id": ACCOUNT_ID, "username": USERNAME, "account_type": "BUSINESS", "pin_count": 0},
        )

    def list_boards(self, call: Received, _: str) -> Answer:
        require(1 <= int(call.query.get("page_size", "25")) <= 250, "page_size")
        first = int(call.query.get("bookmark", "page0").removeprefix("page"))
        some = list(self.boards.items())[first : first + self.page]
        bookmark = f"page{first + self.page}" if len(self.boards) > first + self.page else None
        owner = {"username": USERNAME}
        items = [
            {"id": board, "name": name, "privacy": "PUBLIC", "owner": owner} for board, name in some
        ]
        return Answer(200, {"items": items, "bookmark": bookmark})

    def list_sections(self, call: Received, board: str) -> Answer:
        if board not in self.boards:
            raise Wrong(Answer(404, {"code": 404, "message": "Board not found."}))
        require(1 <= int(call.query.get("page_size", "25")) <= 250, "page_size")
        number = int(call.query.get("bookmark", "0"))
        some = [{"id": key, "name": name} for key, name in SECTIONS][number : number + self.page]
        more = len(SECTIONS) > number + self.page
        following = str(number + self.page) if more else None
        return Answer(200, {"items": some, "bookmark": following})

    def register(self, call: Received, _: str) -> Answer:
        return self.uploads.register(call, self.url)

    def media(self, call: Received, media_id: str) -> Answer:
        del call
        return self.uploads.state(media_id)

    def create(self, call: Received, _: str) -> Answer:
        require(call.headers["content-type"] == "application/json", "content_type")
        if call.size > KEPT_BYTES:  # not kept, so not read
            pin = self._put({"board_id": BOARD}, "image")
        else:
            body = without_nulls(call.json)
            pin = self._put(body, require_pin(body, self.boards, self.uploads))
        return Answer(201, shown(pin, self.posts[pin]))

    def list_pins(self, call: Received, board: str) -> Answer:
        if board not in self.boards:
            raise Wrong(Answer(404, {"code": 404, "message": "Board not found."}))
        return self._listed(call, "board_id", board)

    def list_all(self, call: Received, _: str) -> Answer:
        return self._listed(call, "", None)

    def list_section(self, call: Received, section: str) -> Answer:
        return self._listed(call, "board_section_id", section)

    def read(self, call: Received, pin: str) -> Answer:
        require(set(call.query) <= {"pin_metrics"}, "pin_metrics")
        self._require_known(pin)
        return Answer(200, shown(pin, self.posts[pin]))

    def delete(self, call: Received, pin: str) -> Answer:
        require(call.size == 0, "body")
        self._require_known(pin)
        del self.posts[pin]
        return Answer(204, None)

    def analytics(self, call: Received, pin: str) -> Answer:
        asked = dict(call.query)
        start, end = (date.fromisoformat(asked.pop(name)) for name in ("start_date", "end_date"))
        kinds = set(asked.pop("metric_types").split(","))
        self._require_known(pin)
        known = _BOTH if self.posts[pin]["media"] == "video" else _BOTH | _PHOTO_ONLY
        days = (self.clock().astimezone(UTC).date() - start).days
        is_good = kinds <= known and 0 <= days <= 90 and end >= start and not asked
        if not is_good:
            raise Wrong(Answer(400, {"code": 400, "message": "Invalid pins analytics parameters."}))
        told = {
            name: {kind: count for kind, count in sums.items() if kind in kinds}
            for name, sums in self.counted.items()
        }
        daily = [{"date": end.isoformat(), "data_status": "PROCESSING"}]
        return Answer(200, {"all": {**told, "daily_metrics": daily}})

    def _listed(self, call: Received, field: str, value: str | None) -> Answer:
        asked = dict(call.query)
        size = min(int(asked.pop("page_size", "25")), self.page)
        first = int(asked.pop("bookmark", "page0").removeprefix("page"))
        require(not asked and 1 <= size <= 250, "page_size")
        until = self.clock() - self.lag
        pins = [
            pin
            for pin, kept in reversed(self.posts.items())
            if kept["body"].get(field) == value and kept["at"] <= until and self.is_listed(pin)
        ]
        bookmark = f"page{first + size}" if len(pins) > first + size else None
        items = [shown(pin, self.posts[pin]) for pin in pins[first : first + size]]
        return Answer(200, {"items": items, "bookmark": bookmark})

    def _require_known(self, pin: str) -> None:
        if pin not in self.posts:
            raise Wrong(Answer(404, {"code": 50, "message": "Pin not found."}))

    def _put(self, body: dict[str, Value], media: str) -> str:
        self._next_id += 1
        at = self.clock()
        self.posts[str(self._next_id)] = {"body": body, "media": media, "at": at, "is_owner": True}
        return str(self._next_id)

    def _tokens(self, call: Received) -> Answer:
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if call.headers.get("authorization") != f"Basic {pair}":
            return self.token_refused
        form = call.form
        kind = form.pop("grant_type", None)
        require(form.pop("continuous_refresh", "true") == "true", "continuous_refresh")
        code = {"code": "code-of-hanna", "redirect_uri": form.get("redirect_uri")}
        known = {"refresh_token": {"refresh_token": self.refresh}, "authorization_code": code}
        if form != known.get(str(kind)):
            return Answer(401, {"code": 283, "message": "The authorization grant is invalid"})
        number = int(self.access.removeprefix("pina_")) + 1
        self.access, self.refresh = f"pina_{number}", f"pinr_{number}"
        ends = int((self.clock() + timedelta(days=60)).timestamp())
        return Answer(
            200,
            {
                "response_type": kind,
                "access_token": self.access,
                "token_type": "bearer",
                "expires_in": 2_592_000,
                "scope": SCOPE,
                "refresh_token": self.refresh,
                "refresh_token_expires_in": 5_184_000,
                "refresh_token_expires_at": ends,
            },
        )


_METHODS: tuple[tuple[str, str, Method], ...] = (
    ("GET", "user_account", FakePinterest.me),
    ("GET", "boards", FakePinterest.list_boards),
    ("GET", r"boards/(\d+)/pins", FakePinterest.list_pins),
    ("GET", r"boards/(\d+)/sections", FakePinterest.list_sections),
    ("GET", rf"boards/{BOARD}/sections/(\d+)/pins", FakePinterest.list_section),
    ("POST", "media", FakePinterest.register),
    ("GET", r"media/(\d+)", FakePinterest.media),
    ("POST", "pins", FakePinterest.create),
    ("GET", "pins", FakePinterest.list_all),
    ("GET", r"pins/(\d+)", FakePinterest.read),
    ("DELETE", r"pins/(\d+)", FakePinterest.delete),
    ("GET", r"pins/(\d+)/analytics", FakePinterest.analytics),
)
