"""What the Google Business Profile connector refuses before a call, and in which words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode
from chalicelib.domain.platforms.options import option_problems
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from tests.connectors.google_business_profile.rig import (
    BUTTON,
    EVENT,
    OFFER,
    PHOTO,
    GoogleRig,
)
from tests.connectors.support.rig import PatternSource, a_publication, a_video

PART_OF_DAY = "(2026-12-24) or a date and time (2026-12-24T18:30), in the location's own time"


def _refusal(rig: GoogleRig) -> Failed:
    """Send the only shape and return why it was refused, without any call."""
    (shape,) = rig.shapes
    end = rig.drive(shape).run()
    assert isinstance(end, Failed)
    assert not end.is_transient
    assert rig.platform.calls == []
    return end


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"topic_type": "EVENT"}, "topic_type EVENT needs options.event with title, start and end"),
        ({"topic_type": "OFFER", "offer": OFFER}, "topic_type OFFER needs options.event"),
        ({"event": EVENT}, "options.event needs topic_type EVENT or OFFER"),
        ({"topic_type": "STANDARD", "event": EVENT}, "or leave the event out"),
        ({"offer": OFFER}, "options.offer needs topic_type OFFER"),
        (
            {"topic_type": "EVENT", "event": EVENT, "offer": OFFER},
            "options.offer needs topic_type OFFER",
        ),
        ({"topic_type": "EVENT", "event": {"title": "Jazz night"}}, PART_OF_DAY),
        (
            {"topic_type": "OFFER", "event": EVENT, "call_to_action": BUTTON},
            "leave it out and use options.offer.url instead",
        ),
        (
            {"call_to_action": {"type": "CALL", "url": "https://fakecafe.example"}},
            "leave out its url",
        ),
        ({"call_to_action": {"type": "BOOK"}}, "call_to_action.url must be a full http"),
        ({"call_to_action": {**BUTTON, "url": "fakecafe.example"}}, "full http or https address"),
        ({"call_to_action": {**BUTTON, "url": "tel:+4420"}}, "full http or https address"),
        ({"call_to_action": {**BUTTON, "url": "https://a b.example"}}, "full http or https"),
        ({"call_to_action": {**BUTTON, "url": "https://[::1"}}, "full http or https address"),
        (
            {"topic_type": "OFFER", "event": EVENT, "offer": {"url": "menu"}},
            "options.offer.url must be a full http or https address",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_options_that_do_not_go_together_are_refused(
    rig: GoogleRig, options: Mapping[str, Json], sentence: str
) -> None:
    assert option_problems(Platform.GOOGLE_BUSINESS_PROFILE, options) == []
    rig.shapes = {"text": a_publication(rig.account, "Jazz!", None, options)}

    refusal = _refusal(rig)

    assert refusal.code == FailureCode.INVALID_OPTIONS
    assert sentence in refusal.message


@pytest.mark.parametrize(
    "start",
    [
        "2026-12-04T19:30Z",
        "2026-12-04T19:30+01:00",
        "20261204",
        "2026-W49-5",
        "04.12.2026",
        "2026-02-30",
        "2026-12-04T24:30",
        "2026-12-04T19",
        "tomorrow",
        "",
        "٢٠٢٦-12-04",
    ],
)
def test_a_time_in_another_form_is_refused(rig: GoogleRig, start: str) -> None:
    options: dict[str, Json] = {"topic_type": "EVENT", "event": {**EVENT, "start": start}}
    rig.shapes = {"text": a_publication(rig.account, "Jazz!", None, options)}

    refusal = _refusal(rig)

    assert refusal.code == FailureCode.INVALID_OPTIONS
    assert f"options.event.start must be a date {PART_OF_DAY}" in refusal.message


@pytest.mark.parametrize("start", ["2026-12-04", "2026-12-04T19:30", "2026-12-04 19:30:15"])
def test_dates_and_times_of_the_location_are_taken(rig: GoogleRig, start: str) -> None:
    options: dict[str, Json] = {"topic_type": "EVENT", "event": {**EVENT, "start": start}}
    rig.shapes = {"text": a_publication(rig.account, "Jazz!", None, options)}

    assert isinstance(rig.drive("text").run(), Done)


@pytest.mark.parametrize(
    ("start", "end"),
    [("2026-12-05", "2026-12-04"), ("2026-12-04T19:30", "2026-12-04T19:30")],
    ids=["backwards", "empty"],
)
def test_an_event_must_end_after_it_begins(rig: GoogleRig, start: str, end: str) -> None:
    event: dict[str, Json] = {"title": "Jazz night", "start": start, "end": end}
    options: dict[str, Json] = {"topic_type": "EVENT", "event": event}
    rig.shapes = {"text": a_publication(rig.account, "Jazz!", None, options)}

    refusal = _refusal(rig)

    assert refusal.code == FailureCode.INVALID_OPTIONS
    assert refusal.message == "options.event.end must be later than options.event.start."


@pytest.mark.parametrize(
    ("photo", "code", "sentence"),
    [
        (replace(PHOTO, width=399), FailureCode.MEDIA_REJECTED, "has 399 x 800 pixels"),
        (replace(PHOTO, height=299), FailureCode.MEDIA_REJECTED, "below 400 x 300"),
        (replace(PHOTO, size_bytes=10_239), FailureCode.MEDIA_REJECTED, "less than 10 KB"),
        (replace(PHOTO, size_bytes=5_000_001), FailureCode.MEDIA_TOO_LARGE, "larger than"),
        (replace(PHOTO, mime="image/webp"), FailureCode.MEDIA_REJECTED, "only JPG and PNG"),
        (a_video(), FailureCode.MEDIA_REJECTED, "accepts only photos"),
        (
            replace(PHOTO, source=PatternSource(60_000, None)),
            FailureCode.MEDIA_UNAVAILABLE,
            "GOLDENHOUR_PUBLIC_URL",
        ),
    ],
    ids=["narrow", "low", "light", "heavy", "webp", "video", "no public address"],
)
def test_a_file_that_google_would_not_take_is_refused(
    rig: GoogleRig, photo: MediaFile, code: FailureCode, sentence: str
) -> None:
    rig.shapes = {"photo": a_publication(rig.account, "Jazz!", photo)}

    refusal = _refusal(rig)

    assert refusal.code == code
    assert sentence in refusal.message


@pytest.mark.parametrize(
    "photo",
    [
        replace(PHOTO, width=400, height=300),
        replace(PHOTO, size_bytes=10_240),
        replace(PHOTO, size_bytes=5_000_000, mime="image/png"),
    ],
    ids=["smallest", "lightest", "heaviest"],
)
def test_a_file_at_the_limit_goes_out(rig: GoogleRig, photo: MediaFile) -> None:
    rig.shapes = {"photo": a_publication(rig.account, "Jazz!", photo)}

    assert isinstance(rig.drive("photo").run(), Done)


def test_a_post_of_nothing_is_refused(rig: GoogleRig) -> None:
    rig.shapes = {"text": a_publication(rig.account, " \n")}

    refusal = _refusal(rig)

    assert (refusal.code, "a text or a photo" in refusal.message) == (
        FailureCode.CAPTION_REJECTED,
        True,
    )


def test_a_photo_that_lost_its_address_meanwhile_is_not_posted_without_it(rig: GoogleRig) -> None:
    photo = replace(PHOTO, source=PatternSource(60_000, None))
    publication = a_publication(rig.account, "Jazz!", photo)

    end = rig.connector.advance(publication, Checkpoint("publish"))

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.MEDIA_UNAVAILABLE, False)
    assert rig.platform.calls == []
