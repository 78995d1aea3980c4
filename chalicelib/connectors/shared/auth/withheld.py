"""Permissions that a person unticked on a platform's page: reported when an account is connected.

Without a permission that posting needs, every post would fail when it is due, for a reason that
nobody remembers by then.
"""

from collections.abc import Collection, Iterable

from chalicelib.connectors.shared.own_refusals import Shared
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform


def require_granted(platform: Platform, needed: Iterable[str], granted: Collection[str]) -> None:
    """Raise RejectedError for needed permissions that were not granted; ignore a missing list."""
    withheld = [one for one in needed if granted and one not in granted]
    if withheld:
        missing = " and ".join(withheld)
        raise Shared.WITHHELD.error(platform=FACTS[platform].name, missing=missing)
