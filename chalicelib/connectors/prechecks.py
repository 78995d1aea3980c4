"""Refusing before anything is sent: what a platform is known not to take.

Connectors call these from `start` and from steps that find a file unfit. A refusal made here is
final: sending the same again would change nothing.
"""

from chalicelib.connectors.transport.error_table import ErrorEntry, complete_entry
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.platform import NAMES, Platform

_UNREACHABLE = (
    "{0} fetches files itself and cannot reach this service. "
    "Its operator must set GOLDENHOUR_PUBLIC_URL to the https address that leads to it."
)


def refuse(platform: Platform, row: FailureCode | ErrorEntry) -> Failed:
    """Return the end of a post, in the words of the platform's error table."""
    entry = complete_entry(platform, row)
    return refuse_because(entry.code, entry.sentence)


def refuse_because(code: FailureCode, sentence: str) -> Failed:
    """Return the end of a post with a sentence of its own."""
    return Failed(code=code, message=sentence, final=True)


def refuse_unreachable_media(platform: Platform) -> Failed:
    """Return the end of a post whose file has no address that the platform could fetch it from.

    A stack on a machine of one's own has no such address unless its operator names one.
    """
    return refuse_because(FailureCode.MEDIA_UNAVAILABLE, _UNREACHABLE.format(NAMES[platform]))
