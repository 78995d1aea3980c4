"""Every endpoint of the service, by resource, in the order of the description."""

from typing import Final

from chalicelib.api.http.endpoint import Endpoint, declared_in
from chalicelib.api.resources import (
    accounts,
    analytics,
    golden_hour,
    media,
    media_uploads,
    posts,
    queue_slots,
    scheduling,
    service,
)

_RESOURCES = (
    accounts,
    media,
    media_uploads,
    posts,
    scheduling,
    golden_hour,
    queue_slots,
    analytics,
    service,
)

ROUTES: Final[tuple[Endpoint, ...]] = tuple(
    one for resource in _RESOURCES for one in declared_in(resource)
)
