"""Marks that a look for a lost post leaves in its checkpoint, over several runs of the worker.

When the first call was made stays for good: its post may turn up late. The page that a look has
come to belongs to one doubt: after another call, the look begins at the first page again, where
the newest posts are.
"""

from collections.abc import Mapping
from datetime import datetime

from chalicelib.domain.outcome import Json, Sent

_PAGE, _OF = "page", "page_of"


def first_sent(data: Mapping[str, Json], at: datetime) -> datetime:
    """Return when the first of the calls was made that may have brought the post.

    `at` is when the last one was, the only one if the checkpoint has no mark.
    """
    since = data.get("since")
    return datetime.fromisoformat(since) if isinstance(since, str) else at


def turned(data: Mapping[str, Json], page: Json, sent: Sent) -> dict[str, Json]:
    """Return a checkpoint's data with the page to look at next."""
    return {**data, _PAGE: page, _OF: sent.at.isoformat()}


def page_of(data: Mapping[str, Json], sent: Sent) -> Json:
    """Return the page that this look has come to, None for the first."""
    return data.get(_PAGE) if data.get(_OF) == sent.at.isoformat() else None


def at_first_page(data: Mapping[str, Json]) -> dict[str, Json]:
    """Return a checkpoint's data for a look from the beginning."""
    return {name: value for name, value in data.items() if name not in (_PAGE, _OF)}
