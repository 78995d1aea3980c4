"""A profile's picture from its platform's server: fetched once a day, small, and a picture."""

from chalicelib.domain.workspace.profiles import LARGEST_PICTURE, kind_of_picture
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.kit.transport.network_rules import ForbiddenAddressError

_SECONDS = 10.0
_OK = 200


def fetch_picture(fetch: GuardedFetch, url: str) -> bytes | None:
    """Return a small picture, None where there is none."""
    try:
        page = fetch.read(url, most_bytes=LARGEST_PICTURE, seconds=_SECONDS)
    except (ForbiddenAddressError, PlatformError, ValueError):
        return None
    is_shown = page.status == _OK and kind_of_picture(page.body) is not None
    return page.body if is_shown else None
