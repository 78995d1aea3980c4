"""What this service refuses in Google's place: developers.google.com/my-business, "Posts"."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class GoogleRefusal(OwnRefusal):
    """The closed set."""

    VIDEO = (
        FailureCode.MEDIA_REJECTED,
        "Google Business Profile accepts only photos. Choose a photo, or post the text alone.",
    )
    FORMAT = (
        FailureCode.MEDIA_REJECTED,
        "Google Business Profile accepts only JPG and PNG photos. Convert the photo.",
    )
    SMALL = (
        FailureCode.MEDIA_REJECTED,
        (
            "The photo has {width} x {height} pixels. Google Business Profile refuses photos below"
            " 400 x 300: choose a larger one, 1200 x 900 is best."
        ),
    )
    LIGHT = (
        FailureCode.MEDIA_REJECTED,
        (
            "The photo has less than 10 KB. Google Business Profile refuses such photos:"
            " choose one of better quality."
        ),
    )
    EVENT_TIME = (
        FailureCode.INVALID_OPTIONS,
        (
            "options.event.{name} must be a date (2026-12-24) or a date and time"
            " (2026-12-24T18:30), in the location's own time and without an offset."
        ),
    )
    EVENT_BACKWARDS = (
        FailureCode.INVALID_OPTIONS,
        "options.event.end must be later than options.event.start.",
    )
    EVENT_NEEDED = (
        FailureCode.INVALID_OPTIONS,
        "A post of topic_type {topic} needs options.event with title, start and end.",
    )
    EVENT_UNUSED = (
        FailureCode.INVALID_OPTIONS,
        "options.event needs topic_type EVENT or OFFER: set it, or leave the event out.",
    )
    OFFER_UNUSED = (
        FailureCode.INVALID_OPTIONS,
        "options.offer needs topic_type OFFER: set it, or leave the offer out.",
    )
    OFFER_ADDRESS = (
        FailureCode.INVALID_OPTIONS,
        "options.offer.url must be a full http or https address.",
    )
    BUTTON_UNUSED = (
        FailureCode.INVALID_OPTIONS,
        (
            "Google shows no call_to_action in an OFFER: leave it out and use options.offer.url"
            " instead."
        ),
    )
    CALL_HAS_ADDRESS = (
        FailureCode.INVALID_OPTIONS,
        "A call_to_action of type CALL rings the location's own number: leave out its url.",
    )
    BUTTON_ADDRESS = (
        FailureCode.INVALID_OPTIONS,
        "options.call_to_action.url must be a full http or https address.",
    )
    EMPTY = (
        FailureCode.CAPTION_REJECTED,
        "A post on Google Business Profile needs a text or a photo.",
    )
    REJECTED = (
        FailureCode.CAPTION_REJECTED,
        (
            "Google refused the post: its text or photo is against Google's rules for posts."
            " Phone numbers in the text are the usual reason."
        ),
    )
    REJECTED_PHOTO = (
        FailureCode.MEDIA_REJECTED,
        "Google refused the post: its photo is against Google's rules for posts.",
    )
