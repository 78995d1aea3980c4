"""Every endpoint of the service, by resource, in the order of the description."""

from typing import Final

from chalicelib.api.http.endpoint import Endpoint
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

ROUTES: Final[tuple[Endpoint, ...]] = (
    *accounts.ENDPOINTS,
    *media.ENDPOINTS,
    *media_uploads.ENDPOINTS,
    *posts.ENDPOINTS,
    *scheduling.ENDPOINTS,
    *golden_hour.ENDPOINTS,
    *queue_slots.ENDPOINTS,
    *analytics.ENDPOINTS,
    *service.ENDPOINTS,
)
