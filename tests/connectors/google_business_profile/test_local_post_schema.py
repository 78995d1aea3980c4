"""The schema that stands for Google's posts refuses what Google refuses, and names the field."""

import pytest

from tests.connectors.google_business_profile.local_post_schema import unfit_fields
from tests.connectors.support.fake_platform import Value

DAY = {"year": 2026, "month": 12, "day": 4}
EVENING = {"hours": 19, "minutes": 30, "seconds": 0, "nanos": 0}
NIGHT = {"hours": 23, "minutes": 59, "seconds": 0, "nanos": 0}
SCHEDULE = {"startDate": DAY, "startTime": EVENING, "endDate": DAY, "endTime": NIGHT}
EVENT = {"title": "Jazz night", "schedule": SCHEDULE}
STANDARD = {"topicType": "STANDARD", "summary": "Jazz!"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"summary": "Jazz!"}, "topic_type"),
        ({**STANDARD, "topicType": "ALERT"}, "topic_type"),
        ({**STANDARD, "state": "LIVE"}, "state"),
        ({**STANDARD, "scheduledTime": "2026-12-04T00:00:00Z"}, "scheduled_time"),
        ({"topicType": "STANDARD"}, "summary"),
        ({**STANDARD, "summary": "x" * 1501}, "summary"),
        ({**STANDARD, "languageCode": "English please"}, "language_code"),
        ({**STANDARD, "media": []}, "media"),
        ({**STANDARD, "media": [{"sourceUrl": "https://a.example/b"}]}, "media[0].media_format"),
        ({**STANDARD, "media": [{"mediaFormat": "PHOTO"}]}, "media[0].source_url"),
        ({**STANDARD, "callToAction": {"actionType": "GET_OFFER"}}, "call_to_action.action_type"),
        ({**STANDARD, "callToAction": {"actionType": "BOOK"}}, "call_to_action.url"),
        (
            {**STANDARD, "callToAction": {"actionType": "CALL", "url": "https://a.example"}},
            "call_to_action.url",
        ),
        ({**STANDARD, "event": EVENT}, "event"),
        ({**STANDARD, "topicType": "OFFER"}, "event"),
        (
            {"topicType": "EVENT", "event": {"title": "Jazz", "schedule": {"startDate": DAY}}},
            "event.schedule.start_time",
        ),
        (
            {
                **STANDARD,
                "topicType": "EVENT",
                "event": {**EVENT, "schedule": {**SCHEDULE, "endTime": EVENING}},
            },
            "event.schedule",
        ),
        ({**STANDARD, "offer": {"couponCode": "RYE10"}}, "offer"),
        (
            {
                **STANDARD,
                "topicType": "OFFER",
                "event": EVENT,
                "callToAction": {"actionType": "CALL"},
            },
            "call_to_action",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_unfit_field_is_named_as_google_does(body: Value, field: str) -> None:
    assert unfit_fields(body)[0] == field


def test_a_good_post_has_none() -> None:
    offer = {"couponCode": "RYE10", "redeemOnlineUrl": "https://a.example"}

    assert unfit_fields({**STANDARD, "languageCode": "pt-BR"}) == []
    assert (
        unfit_fields({"topicType": "OFFER", "event": EVENT, "offer": offer, "summary": "x"}) == []
    )
