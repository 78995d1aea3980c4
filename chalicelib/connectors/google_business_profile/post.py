"""What a post consists of: developers.google.com/my-business/content/posts-data.

Kinds and lengths of options were checked when the target was made (domain/options); how they go
together is checked here, before anything is sent.
"""

import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.google_business_profile.refusals import GoogleRefusal
from chalicelib.connectors.shared.prechecks import (
    is_web_address,
    refuse,
    refuse_unreachable_media,
)
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

_FORM = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?", re.ASCII)
_DATE_LENGTH = 10
_FIRST, _LAST = time(0, 0), time(23, 59)


class UnfitTimesError(Exception):
    """The times cannot be read; `refusal` says what to write instead."""

    def __init__(self, refusal: Failed) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def schedule(event: Json) -> dict[str, Json]:
    """Return an event's times for Google: a date alone means the whole day.

    Raises UnfitTimesError.
    """
    start, end = _read(event, "start", _FIRST), _read(event, "end", _LAST)
    if end <= start:
        raise UnfitTimesError(GoogleRefusal.EVENT_BACKWARDS.end())
    return {
        "startDate": _date(start),
        "startTime": _time(start),
        "endDate": _date(end),
        "endTime": _time(end),
    }


def _read(event: Json, name: str, time_of_day: time) -> datetime:
    text = find(event, name)
    if not isinstance(text, str) or _FORM.fullmatch(text) is None:
        raise UnfitTimesError(GoogleRefusal.EVENT_TIME.end(name=name))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UnfitTimesError(GoogleRefusal.EVENT_TIME.end(name=name)) from None
    is_date = len(text) == _DATE_LENGTH
    return datetime.combine(moment.date(), time_of_day) if is_date else moment


def _date(moment: datetime) -> Json:
    return {"year": moment.year, "month": moment.month, "day": moment.day}


def _time(moment: datetime) -> Json:
    return {"hours": moment.hour, "minutes": moment.minute, "seconds": moment.second, "nanos": 0}


_PHOTOS = FACTS[Platform.GOOGLE_BUSINESS_PROFILE].require_photos()
LARGEST_PHOTO, SMALLEST_PHOTO = _PHOTOS.most_bytes, 10_240
LEAST_WIDTH, LEAST_HEIGHT = 400, 300
FETCHED_WITHIN = timedelta(hours=1)
"""How long its address must hold. Google fetches the photo before it answers, and fails the post if
it cannot; an hour leaves room for another look while the post is in review, which is watched for a
quarter of that. Every try makes a new address."""


def photo_refusal(media: MediaFile | None) -> Failed | None:
    """Return why Google would not take a file, None when it would."""
    if media is None:
        return None
    if media.kind is MediaKind.IMAGE and media.size_bytes > LARGEST_PHOTO:
        return refuse(Platform.GOOGLE_BUSINESS_PROFILE, FailureCode.MEDIA_TOO_LARGE)
    return next(_problems(media), None)


def _problems(media: MediaFile) -> Iterator[Failed]:
    if media.kind is MediaKind.VIDEO:
        yield GoogleRefusal.VIDEO.end()
    elif media.mime not in _PHOTOS.formats:
        yield GoogleRefusal.FORMAT.end()
    elif media.width < LEAST_WIDTH or media.height < LEAST_HEIGHT:
        yield GoogleRefusal.SMALL.end(width=media.width, height=media.height)
    elif media.size_bytes < SMALLEST_PHOTO:
        yield GoogleRefusal.LIGHT.end()


def photo_address(publication: Publication) -> str | None | Failed:
    """Return where Google finds the photo, None for a post without one."""
    media = publication.media
    if media is None:
        return None
    address = media.source.public_url(FETCHED_WITHIN)
    return (
        refuse_unreachable_media(Platform.GOOGLE_BUSINESS_PROFILE) if address is None else address
    )


_WITH_EVENT = frozenset({"EVENT", "OFFER"})


def local_post(publication: Publication, photo_url: str | None) -> dict[str, Json]:
    """Return the body of a post; a photo is what Google fetches from an address."""
    options = dict(publication.options)
    post: dict[str, Json] = {"topicType": topic_of(publication)}
    if publication.text:
        post["summary"] = publication.text
    if options.get("language"):
        post["languageCode"] = options["language"]
    if photo_url is not None:
        post["media"] = [{"mediaFormat": "PHOTO", "sourceUrl": photo_url}]
    if isinstance(options.get("call_to_action"), dict):
        post["callToAction"] = _button(options["call_to_action"])
    if isinstance(options.get("event"), dict):
        event = options["event"]
        post["event"] = {"title": find(event, "title"), "schedule": schedule(event)}
    if isinstance(options.get("offer"), dict):
        post["offer"] = _offer(options["offer"])
    return post


def topic_of(publication: Publication) -> str:
    """Return what kind of post it is."""
    return str(publication.options.get("topic_type") or "STANDARD")


def precheck(publication: Publication) -> Failed | None:
    """Return why the options or the text cannot go out, None when they can."""
    problem = next(_problems_post(publication), None)
    if problem is not None:
        return problem
    if not publication.text.strip() and publication.media is None:
        return GoogleRefusal.EMPTY.end()
    return None


def _problems_post(publication: Publication) -> Iterator[Failed]:
    options, topic = dict(publication.options), topic_of(publication)
    event, offer = options.get("event"), options.get("offer")
    yield from _of_event(topic, event)
    if offer is not None and topic != "OFFER":
        yield GoogleRefusal.OFFER_UNUSED.end()
    if _has_no_address(find(offer, "url"), needed=False):
        yield GoogleRefusal.OFFER_ADDRESS.end()
    yield from _of_button(topic, options.get("call_to_action"))


def _of_event(topic: str, event: Json) -> Iterator[Failed]:
    if topic not in _WITH_EVENT:
        if event is not None:
            yield GoogleRefusal.EVENT_UNUSED.end()
    elif event is None or not find(event, "title"):
        yield GoogleRefusal.EVENT_NEEDED.end(topic=topic)
    else:
        try:
            schedule(event)
        except UnfitTimesError as error:
            yield error.refusal


def _of_button(topic: str, button: Json) -> Iterator[Failed]:
    if button is None:
        return
    url = find(button, "url")
    if topic == "OFFER":
        yield GoogleRefusal.BUTTON_UNUSED.end()
    elif find(button, "type") == "CALL":
        if url:
            yield GoogleRefusal.CALL_HAS_ADDRESS.end()
    elif _has_no_address(url, needed=True):
        yield GoogleRefusal.BUTTON_ADDRESS.end()


def _has_no_address(url: Json, *, needed: bool) -> bool:
    """Tell that a link is missing or is none that a person could open."""
    link = str(url or "")
    if not link:
        return needed
    return link.split() != [link] or not is_web_address(link)


def _button(button: Json) -> dict[str, Json]:
    action: dict[str, Json] = {"actionType": find(button, "type")}
    url = find(button, "url")
    return {**action, "url": url} if url else action


def _offer(offer: Json) -> dict[str, Json]:
    fields = {"coupon": "couponCode", "url": "redeemOnlineUrl", "terms": "termsConditions"}
    return {theirs: find(offer, ours) for ours, theirs in fields.items() if find(offer, ours)}
