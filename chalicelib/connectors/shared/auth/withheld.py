"""Permissions that a person unticked on a platform's page: told when the account is connected.

Without one that posting needs every post would fail, at its second and for a reason that nobody
remembers by then.
"""

from collections.abc import Collection, Iterable

from chalicelib.connectors.shared.own_refusals import Shared
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform


def require_granted(platform: Platform, needed: Iterable[str], granted: Collection[str]) -> None:
    """Raise RejectedError for what is needed and was not granted; no list at all says nothing."""
    withheld = [one for one in needed if granted and one not in granted]
    if withheld:
        missing = " and ".join(withheld)
        raise Shared.WITHHELD.error(platform=FACTS[platform].name, missing=missing)
