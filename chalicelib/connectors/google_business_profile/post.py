"""What a post consists of: developers.google.com/my-business/content/posts-data.

Kinds and lengths of options were checked when the target was made (domain/options); how they go
together is checked here, before anything is sent.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.google_business_profile.event_times import UnfitTimesError, schedule
from chalicelib.connectors.reply import find
from chalicelib.domain.outcome import Failed, FailureCode, Json

_WITH_EVENT = frozenset({"EVENT", "OFFER"})
_EVENT_NEEDED = "A post of topic_type {0} needs options.event with title, start and end."
_EVENT_UNUSED = "options.event needs topic_type EVENT or OFFER: set it, or leave the event out."
_OFFER_UNUSED = "options.offer needs topic_type OFFER: set it, or leave the offer out."
_BUTTON_UNUSED = (
    "Google shows no call_to_action in an OFFER: leave it out and use options.offer.url instead."
)
_CALL_HAS_URL = "A call_to_action of type CALL rings the location's own number: leave out its url."
_URL_NEEDED = "options.call_to_action.url must be a full http or https address."
_OFFER_URL = "options.offer.url must be a full http or https address."
_EMPTY = "A post on Google Business Profile needs a text or a photo."


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


def refusal_ahead(publication: Publication) -> Failed | None:
    """Return why the options or the text cannot go out, None when they can."""
    problem = next(_problems(publication), None)
    if problem is not None:
        return Failed(code=FailureCode.INVALID_OPTIONS, message=problem, final=True)
    if not publication.text.strip() and publication.media is None:
        return Failed(code=FailureCode.CAPTION_REJECTED, message=_EMPTY, final=True)
    return None


def _problems(publication: Publication) -> Iterator[str]:
    options, topic = dict(publication.options), topic_of(publication)
    event, offer = options.get("event"), options.get("offer")
    yield from _of_event(topic, event)
    if offer is not None and topic != "OFFER":
        yield _OFFER_UNUSED
    if _has_no_address(find(offer, "url"), needed=False):
        yield _OFFER_URL
    yield from _of_button(topic, options.get("call_to_action"))


def _of_event(topic: str, event: Json) -> Iterator[str]:
    if topic not in _WITH_EVENT:
        if event is not None:
            yield _EVENT_UNUSED
    elif event is None or not find(event, "title"):
        yield _EVENT_NEEDED.format(topic)
    else:
        try:
            schedule(event)
        except UnfitTimesError as error:
            yield str(error)


def _of_button(topic: str, button: Json) -> Iterator[str]:
    if button is None:
        return
    url = find(button, "url")
    if topic == "OFFER":
        yield _BUTTON_UNUSED
    elif find(button, "type") == "CALL":
        if url:
            yield _CALL_HAS_URL
    elif _has_no_address(url, needed=True):
        yield _URL_NEEDED


def _has_no_address(url: Json, *, needed: bool) -> bool:
    """Tell that a link is missing or is none that a person could open."""
    if not url:
        return needed
    try:
        parts = urlsplit(str(url))
    except ValueError:
        return True
    has_space = any(sign.isspace() for sign in str(url))
    return parts.scheme not in {"http", "https"} or not parts.hostname or has_space


def _button(button: Json) -> dict[str, Json]:
    action: dict[str, Json] = {"actionType": find(button, "type")}
    url = find(button, "url")
    return {**action, "url": url} if url else action


def _offer(offer: Json) -> dict[str, Json]:
    fields = {"coupon": "couponCode", "url": "redeemOnlineUrl", "terms": "termsConditions"}
    return {theirs: find(offer, ours) for ours, theirs in fields.items() if find(offer, ours)}
