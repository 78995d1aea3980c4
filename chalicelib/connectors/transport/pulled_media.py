"""Files that a platform fetches by itself, from an address that it must be able to reach.

Instagram, Threads, Google Business Profile and TikTok's photos work so. A stack on a machine of
one's own has no such address unless the operator names one; repeating changes nothing about that.
"""

from chalicelib.connectors.transport.error_table import refusal_of
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.platform import NAMES, Platform

_UNREACHABLE = (
    "{0} fetches files itself and cannot reach this service. "
    "Its operator must set GOLDENHOUR_PUBLIC_URL to the https address that leads to it."
)


def unreachable(platform: Platform) -> Failed:
    """Return the end of a post whose file has no public address."""
    message = _UNREACHABLE.format(NAMES[platform])
    return Failed(code=FailureCode.MEDIA_UNAVAILABLE, message=message, final=True)


def refused(platform: Platform, code: FailureCode) -> Failed:
    """Return the end of a post whose file the platform is known not to take."""
    refusal = refusal_of(platform, code)
    return Failed(code=refusal.code, message=refusal.sentence, final=True)
