"""What photos Google takes in posts: support.google.com/business/answer/6103862.

A post may have one photo and no video. Google fetches it from us, so it goes by address.
"""

from collections.abc import Iterator
from datetime import timedelta

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.pulled_media import refused, unreachable
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms import MediaKind, Platform

LARGEST_PHOTO, SMALLEST_PHOTO = 5_000_000, 10_240
LEAST_WIDTH, LEAST_HEIGHT = 400, 300
PHOTOS = frozenset({"image/jpeg", "image/png"})
FETCHED_WITHIN = timedelta(hours=1)
"""How long its address must hold. Google fetches the photo before it answers, and fails the post if
it cannot; an hour leaves room for another look while the post is in review, which is watched for a
quarter of that. Every try makes a new address."""

_VIDEO = "Google Business Profile takes photos only. Choose a photo, or post the text alone."
_FORMAT = "Google Business Profile takes photos as JPG or PNG only. Convert the photo."
_TOO_LITTLE = (
    "The photo has {0} x {1} pixels. Google Business Profile refuses photos below 400 x 300:"
    " choose a larger one, 1200 x 900 is best."
)
_TOO_LIGHT = (
    "The photo has less than 10 KB. Google Business Profile refuses such photos:"
    " choose one of better quality."
)


def photo_refusal(media: MediaFile | None) -> Failed | None:
    """Return why Google would not take a file, None when it would."""
    if media is None:
        return None
    if media.kind is MediaKind.IMAGE and media.size_bytes > LARGEST_PHOTO:
        return refused(Platform.GOOGLE_BUSINESS_PROFILE, FailureCode.MEDIA_TOO_LARGE)
    problem = next(_problems(media), None)
    if problem is None:
        return None
    return Failed(code=FailureCode.MEDIA_REJECTED, message=problem, final=True)


def _problems(media: MediaFile) -> Iterator[str]:
    if media.kind is MediaKind.VIDEO:
        yield _VIDEO
    elif media.mime not in PHOTOS:
        yield _FORMAT
    elif media.width < LEAST_WIDTH or media.height < LEAST_HEIGHT:
        yield _TOO_LITTLE.format(media.width, media.height)
    elif media.size_bytes < SMALLEST_PHOTO:
        yield _TOO_LIGHT


def photo_address(publication: Publication) -> str | None | Failed:
    """Return where Google finds the photo, None for a post without one."""
    media = publication.media
    if media is None:
        return None
    address = media.source.public_url(FETCHED_WITHIN)
    return unreachable(Platform.GOOGLE_BUSINESS_PROFILE) if address is None else address
