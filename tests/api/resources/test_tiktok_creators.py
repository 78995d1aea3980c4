"""What the API tells of a real TikTok creator, and what that does to the videos they are sent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.http.pipeline import Pipeline
from tests.api.http_room import Answer, Document, House, Room
from tests.connectors.support.fake_platform import Fault
from tests.connectors.tiktok.fake import (
    CLIENT,
    NICKNAME,
    OPEN_ID,
    SCOPES,
    SECRET,
    USERNAME,
    FakeTikTok,
)
from tests.support.convert_lane import ConvertsAtOnce
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.prepared_files import Numbered, look_at, numbered_video
from tests.support.s3_links import give_links

FILM = Numbered(seconds=20, fps=5, gop=10, size=(64, 48))
LONG = replace(FILM, seconds=210)
"""Longer than what every creator may post: it is cut before TikTok has told how long one may be."""


@dataclass(frozen=True, slots=True)
class Lumen:
    """A workspace with Lumen's real TikTok account."""

    room: Room
    tiktok: FakeTikTok
    account_id: str

    def options(self, media: str = "video") -> Answer:
        """Ask for the creator's options."""
        return self.room.get(f"/v1/accounts/{self.account_id}/tiktok", {"media": media})

    def health(self) -> tuple[str, str | None]:
        """Return how the account is, and why, as an operator sees it."""
        (account,) = self.room.house.operator.people.connections.list(self.room.workspace_id)
        return account.health.value, account.health_reason

    def sent(self, film: bytes) -> Document:
        """Publish a film, cut at its end where it is too long; return the post some time later."""
        post = self.publish(film)
        self.room.pass_time(timedelta(minutes=30))
        return self.room.show(post)

    def publish(self, film: bytes) -> Document:
        """Publish a film."""
        target = {
            "account_id": self.account_id,
            "options": {"privacy_level": "PUBLIC_TO_EVERYONE", "trim": "start"},
        }
        body = {"caption": "A film", "media_ids": [self.room.upload(film)], "targets": [target]}
        post = self.room.post("/v1/posts", body).json
        assert self.room.act(post, "publish-now").status == 200
        return post


@pytest.fixture
def lumen(emulator: EmulatorProcess) -> Iterator[Lumen]:
    clock = FrozenClock()
    tiktok = FakeTikTok(clock)
    made = make_resources(emulator.endpoint)
    settings = replace(made, platform_urls={"tiktok": tiktok.url})
    deployment = Deployment(settings, clock=clock)
    give_links(deployment)
    ConvertsAtOnce.into(deployment)
    house = House(
        deployment,
        Pipeline(KeyGatekeeper(deployment, every_endpoint(), clock=clock)),
        deployment,
        clock,
        sandbox=None,  # type: ignore[arg-type]  # no test account here
    )
    room = house.room()
    extra = {"client_id": CLIENT, "client_secret": SECRET, "scope": SCOPES, "open_id": OPEN_ID}
    tokens = Tokens(
        access="ACT1", refresh="RFT1", expires_at=clock() + timedelta(hours=24), extra=extra
    )
    sign_in = SignIn(
        platform=Platform.TIKTOK, handle=USERNAME, remote_identity=OPEN_ID, tokens=tokens
    )
    account = house.operator.people.connections.connect(room.workspace_id, sign_in)
    yield Lumen(room, tiktok, account.id)
    tiktok.close()


def test_a_creators_options_are_read_fresh_from_tiktok(lumen: Lumen) -> None:
    before = lumen.options()
    lumen.tiktok.settings["comment_disabled"] = True
    after = lumen.options()

    assert before.status == 200
    assert before.json == {
        "account_id": lumen.account_id,
        "handle": USERNAME,
        "nickname": NICKNAME,
        "can_post": True,
        "privacy_levels": [
            {"value": "PUBLIC_TO_EVERYONE", "label": "Everyone"},
            {"value": "MUTUAL_FOLLOW_FRIENDS", "label": "Friends"},
            {"value": "SELF_ONLY", "label": "Only you"},
        ],
        "max_video_seconds": 600,
        "interactions": {"comment": True, "duet": True, "stitch": False},
    }
    assert after.json["interactions"]["comment"] is False


def test_nobody_can_duet_a_photo(lumen: Lumen) -> None:
    told = lumen.options("image")

    assert told.json["interactions"] == {"comment": True, "duet": False, "stitch": False}


@pytest.mark.parametrize(
    "code",
    ["spam_risk_too_many_posts", "spam_risk_user_banned_from_posting", "reached_active_user_cap"],
)
def test_a_creator_who_cannot_post_now_is_an_answer(lumen: Lumen, code: str) -> None:
    lumen.tiktok.cannot_post = code

    told = lumen.options()

    assert told.status == 200
    assert told.json["can_post"] is False
    assert told.json["handle"] == USERNAME
    assert lumen.health() == ("ok", None)


def test_a_token_that_ends_soon_is_renewed_before(lumen: Lumen) -> None:
    lumen.room.house.clock.pass_time(timedelta(hours=23, minutes=50))

    told = lumen.options()

    assert told.status == 200
    assert [call.path for call in lumen.tiktok.calls] == [
        "/v2/oauth/token/",
        "/v2/post/publish/creator_info/query/",
    ]
    assert lumen.tiktok.calls[1].headers["authorization"] == "Bearer ACT2"


def test_a_withdrawn_sign_in_breaks_the_account(lumen: Lumen) -> None:
    lumen.tiktok.access, lumen.tiktok.refresh = "ACT8", "RFT8"

    told = lumen.options()

    assert told.refusal == (409, "tiktok_unsupported")
    assert lumen.health()[0] == "broken"


def test_a_scope_that_was_not_granted_breaks_the_account(lumen: Lumen) -> None:
    lumen.tiktok.granted = "user.info.basic"

    told = lumen.options()

    assert told.refusal == (409, "tiktok_unsupported")
    health, reason = lumen.health()
    assert health == "broken"
    assert reason is not None
    assert reason.startswith("TikTok does not let this account post. Reconnect it")


@pytest.mark.parametrize(
    "fault",
    [Fault.DROP_BEFORE, Fault.ERROR_BEFORE, Fault.GARBLED_AFTER, Fault.LIMITED],
    ids=str,
)
def test_a_tiktok_that_does_not_answer_is_to_be_asked_later(lumen: Lumen, fault: Fault) -> None:
    lumen.tiktok.strike(0, fault)

    first, second = lumen.options(), lumen.options()

    assert first.refusal == (502, "tiktok_unreachable")
    assert second.status == 200
    assert lumen.health() == ("ok", None)


@pytest.mark.costly
def test_a_film_is_cut_to_what_the_creator_may_post(lumen: Lumen) -> None:
    lumen.tiktok.settings["max_video_post_duration_sec"] = 10

    (target,) = lumen.sent(numbered_video(FILM))["targets"]

    assert (target["status"], target["trimmed"]) == ("published", True)
    (post_id,) = lumen.tiktok.posts
    assert target["url"] == f"https://www.tiktok.com/@{USERNAME}/video/{post_id}"
    (film,) = (call.body for call in lumen.tiktok.calls if call.method == "PUT")
    assert 9 <= look_at(film, fps=5).ends <= 10


@pytest.mark.costly
def test_a_film_waits_until_tiktok_tells_how_long_it_may_be(lumen: Lumen) -> None:
    lumen.tiktok.settings["max_video_post_duration_sec"] = 10
    for place in range(3):
        lumen.tiktok.strike(place, Fault.ERROR_BEFORE)

    (target,) = lumen.sent(numbered_video(FILM))["targets"]

    assert (target["status"], target["trimmed"]) == ("published", True)
    (film,) = (call.body for call in lumen.tiktok.calls if call.method == "PUT")
    assert look_at(film, fps=5).ends <= 10


@pytest.mark.costly
def test_a_film_for_a_withdrawn_sign_in_fails_as_that(lumen: Lumen) -> None:
    lumen.tiktok.access, lumen.tiktok.refresh = "ACT8", "RFT8"

    (target,) = lumen.sent(numbered_video(LONG))["targets"]

    assert (target["status"], target["error_code"]) == ("failed", "auth_expired")
    assert lumen.health()[0] == "broken"
    assert lumen.tiktok.posts == {}


@pytest.mark.costly
def test_a_film_for_a_full_day_goes_out_when_there_is_room_again(lumen: Lumen) -> None:
    lumen.tiktok.cannot_post = "spam_risk_too_many_posts"

    post = lumen.publish(numbered_video(LONG))
    lumen.room.pass_time(timedelta(hours=5, minutes=50))
    before = lumen.room.statuses(post)
    lumen.tiktok.cannot_post = None
    lumen.room.pass_time(timedelta(hours=1))

    assert before == ["publishing"]
    (target,) = lumen.room.show(post)["targets"]
    assert (target["status"], target["trimmed"]) == ("published", True)
    assert len(lumen.tiktok.posts) == 1


@pytest.mark.costly
@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.DROP_BEFORE], ids=str)
def test_a_film_whose_last_answer_is_lost_goes_out_once(lumen: Lumen, fault: Fault) -> None:
    lumen.tiktok.strike(4, fault)

    post = lumen.sent(numbered_video(Numbered(seconds=3)))

    assert lumen.tiktok.calls[4].method == "PUT"
    assert lumen.room.statuses(post) == ["published"]
    assert len(lumen.tiktok.posts) == len(lumen.tiktok.uploads) == 1


def test_a_post_on_tiktok_cannot_be_removed(lumen: Lumen) -> None:
    post = lumen.sent(numbered_video(Numbered(seconds=3)))

    removal = lumen.room.unpublish(post)

    assert removal.refusal == (409, "cant_remove")
    assert len(lumen.tiktok.posts) == 1
