"""A look for a lost post that goes from page to page, over several runs of the worker.

The page that it has come to belongs to one doubt: after another call, the look begins at the first
page again, where the newest posts are.
"""

from collections.abc import Mapping

from chalicelib.domain.outcome import Json, Sent

_PAGE, _OF = "page", "page_of"


def turned(data: Mapping[str, Json], page: Json, sent: Sent) -> dict[str, Json]:
    """Return a checkpoint's data with the page to look at next."""
    return {**data, _PAGE: page, _OF: sent.at.isoformat()}


def page_of(data: Mapping[str, Json], sent: Sent) -> Json:
    """Return the page that this look has come to, None for the first."""
    return data.get(_PAGE) if data.get(_OF) == sent.at.isoformat() else None


def at_first_page(data: Mapping[str, Json]) -> dict[str, Json]:
    """Return a checkpoint's data for a look from the beginning."""
    return {name: value for name, value in data.items() if name not in (_PAGE, _OF)}
