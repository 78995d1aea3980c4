"""The Google Business Profile connector over a strict fake: what goes out, and its review."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.google_business_profile.fake import LOCATION
from tests.connectors.google_business_profile.rig import (
    MAPS,
    PHOTO_URL,
    TEXT,
    GoogleRig,
    a_rig,
)
from tests.connectors.support.checks import ConnectorChecks
from tests.support.frozen_clock import NOON

POST = f"POST /v4/{LOCATION}/localPosts"
FIRST = f"{LOCATION}/localPosts/333"


class TestGoogleBusinessProfile(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> GoogleRig:
        return a_rig()


def _names(rig: GoogleRig) -> list[str]:
    return [call.name for call in rig.platform.calls]


def test_a_photo_goes_the_way_of_the_published_exchange(rig: GoogleRig) -> None:
    end = rig.drive("photo").run()

    assert _names(rig) == [POST, f"GET /v4/{FIRST}", f"GET /v4/{FIRST}"]
    assert rig.platform.calls[0].headers["authorization"] == "Bearer ya29.first"
    assert rig.platform.calls[0].json == {
        "languageCode": "en",
        "summary": TEXT,
        "topicType": "STANDARD",
        "callToAction": {"actionType": "LEARN_MORE", "url": "https://fakecafe.example/menu"},
        "media": [{"mediaFormat": "PHOTO", "sourceUrl": PHOTO_URL}],
    }
    link = "https://local.google.com/place?id=9&use=posts&lpsid=333"
    assert end == Done(remote_id=FIRST, url=link)


def test_a_text_alone_has_no_media(rig: GoogleRig) -> None:
    rig.drive("text").run()

    assert rig.platform.calls[0].json == {"summary": TEXT, "topicType": "STANDARD"}


def test_an_event_on_a_date_alone_lasts_the_whole_day(rig: GoogleRig) -> None:
    rig.drive("event").run()

    day = {"year": 2026, "month": 12, "day": 4}
    assert rig.platform.calls[0].json["event"] == {
        "title": "Jazz night",
        "schedule": {
            "startDate": day,
            "startTime": {"hours": 19, "minutes": 30, "seconds": 0, "nanos": 0},
            "endDate": day,
            "endTime": {"hours": 23, "minutes": 59, "seconds": 0, "nanos": 0},
        },
    }


def test_an_offer_has_its_event_beside_it(rig: GoogleRig) -> None:
    rig.drive("offer").run()

    sent = rig.platform.calls[0].json
    assert sent["topicType"] == "OFFER"
    assert sent["offer"] == {
        "couponCode": "RYE10",
        "redeemOnlineUrl": "https://fakecafe.example/rye",
    }
    assert sent["event"]["title"] == "Jazz night"


def test_a_call_button_has_no_address(rig: GoogleRig) -> None:
    options: dict[str, Json] = {"call_to_action": {"type": "CALL"}}
    rig.shapes = {"text": replace(rig.shapes["text"], options=options)}

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.platform.calls[0].json["callToAction"] == {"actionType": "CALL"}


class TestReview:
    """What Google makes of a post that it took."""

    @pytest.mark.parametrize(
        ("shape", "code"),
        [("photo", FailureCode.CAPTION_REJECTED), ("wordless", FailureCode.MEDIA_REJECTED)],
    )
    def test_a_refusal_at_once_is_final(
        self, rig: GoogleRig, shape: str, code: FailureCode
    ) -> None:
        rig.platform.first_state = "REJECTED"

        end = rig.drive(shape).run()

        assert isinstance(end, Failed)
        assert (end.code, end.is_transient, end.proves_absence) == (code, False, True)
        assert _names(rig) == [POST]

    def test_a_refusal_after_a_while_is_final(self, rig: GoogleRig) -> None:
        rig.platform.states = ["PROCESSING", "REJECTED"]

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert (end.code, rig.platform.posts) == (FailureCode.CAPTION_REJECTED, {})

    @pytest.mark.parametrize("state", ["PROCESSING", "NEVER_HEARD_OF", None])
    def test_it_is_watched_for_a_quarter_of_an_hour_and_then_published(
        self, rig: GoogleRig, state: str | None
    ) -> None:
        rig.platform.first_state = "PROCESSING"
        rig.platform.states = [state] * 100

        end = rig.drive("text").run()

        assert end == Done(remote_id=FIRST, url=MAPS)
        assert timedelta(minutes=15) <= rig.clock() - NOON < timedelta(minutes=16)

    def test_it_is_looked_at_after_ten_seconds_then_thirty_then_every_minute(
        self, rig: GoogleRig
    ) -> None:
        rig.platform.states = ["PROCESSING"] * 4
        drive = rig.drive("text")
        seen = []

        while drive._step() is None:
            seen.append((rig.clock() - NOON).total_seconds())

        assert seen == [0, 10, 40, 100, 160, 220]

    @pytest.mark.parametrize("state", ["LIVE", "RECURRING"])
    def test_a_post_that_is_shown_at_once_is_not_watched(self, rig: GoogleRig, state: str) -> None:
        rig.platform.first_state = state

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert _names(rig) == [POST]

    def test_a_live_post_without_a_link_is_shown_on_the_map(self, rig: GoogleRig) -> None:
        rig.platform.search_urls = False

        assert rig.drive("text").run() == Done(remote_id=FIRST, url=MAPS)

    def test_without_a_place_on_the_map_the_link_is_the_location(self, rig: GoogleRig) -> None:
        rig.platform.search_urls = False
        rig.account = replace(rig.account, settings={})

        end = rig.drive("text").run()

        assert end == Done(remote_id=FIRST, url="https://business.google.com/locations/222")

    @pytest.mark.parametrize("trouble", ["gone", "signed out"])
    def test_trouble_in_asking_cannot_fail_what_google_took(
        self, rig: GoogleRig, trouble: str
    ) -> None:
        drive = rig.drive("text")
        while not rig.platform.calls:
            assert drive._step() is None
        if trouble == "gone":
            rig.platform.local_posts.clear()
        else:
            rig.platform.tokens = ["somebody else's"]

        end = drive.run()

        assert end == Done(remote_id=FIRST, url=MAPS)

    def test_an_answer_without_a_name_is_a_doubt(self, rig: GoogleRig) -> None:
        rig.platform.nameless = True

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert (end.remote_id, list(rig.platform.posts)) == (FIRST, [FIRST])
        assert _names(rig)[:2] == [POST, f"GET /v4/{LOCATION}/localPosts"]
