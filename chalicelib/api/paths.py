"""The paths of every endpoint, and the resource that declares each.

Chalice is told the paths when a function starts. A resource is imported when the first request for
one of its paths comes: a new process answers that sooner, and functions that answer no request
import none. `routes` has all endpoints, in the order of the description; a test compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.api.http.endpoint import Endpoint
    from chalicelib.api.http.routing import FindEndpoints


def _accounts() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import accounts

    return (
        accounts.list_accounts,
        accounts.get_tiktok_options,
        accounts.get_choices,
        accounts.set_audience_regions,
    )


def _media() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import media

    return (
        media.upload_media,
        media.list_media,
        media.get_media,
        media.remove_media,
        media.get_file,
    )


def _media_uploads() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import media_uploads

    return (media_uploads.begin_upload, media_uploads.upload_from_url, media_uploads.upload_state)


def _posts() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import posts

    return (
        posts.create_post,
        posts.list_posts,
        posts.get_post,
        posts.edit_post,
        posts.delete_post,
        posts.duplicate_post,
        posts.get_history,
    )


def _scheduling() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import scheduling

    return (
        scheduling.check,
        scheduling.schedule,
        scheduling.queue,
        scheduling.publish_now,
        scheduling.cancel,
        scheduling.retry,
        scheduling.unpublish,
    )


def _golden_hour() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import golden_hour

    return (golden_hour.get_golden_hour,)


def _queue_slots() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import queue_slots

    return (queue_slots.list_queue_slots, queue_slots.add_queue_slot, queue_slots.remove_queue_slot)


def _analytics() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import analytics

    return (analytics.get_metrics, analytics.get_summary)


def _service() -> tuple[Endpoint, ...]:
    from chalicelib.api.resources import service

    return (
        service.health,
        service.openapi_json,
        service.llms_text,
        service.docs_page,
        service.docs_asset,
    )


PATHS: Final[Mapping[str, FindEndpoints]] = {
    "/v1/accounts": _accounts,
    "/v1/accounts/{account_id}/tiktok": _accounts,
    "/v1/accounts/{account_id}/choices": _accounts,
    "/v1/accounts/{account_id}": _accounts,
    "/v1/media": _media,
    "/v1/media/{media_id}": _media,
    "/v1/media/{media_id}/file": _media,
    "/v1/media/uploads": _media_uploads,
    "/v1/media/from-url": _media_uploads,
    "/v1/media/uploads/{media_id}": _media_uploads,
    "/v1/posts": _posts,
    "/v1/posts/{post_id}": _posts,
    "/v1/posts/{post_id}/duplicate": _posts,
    "/v1/posts/{post_id}/history": _posts,
    "/v1/posts/{post_id}/check": _scheduling,
    "/v1/posts/{post_id}/schedule": _scheduling,
    "/v1/posts/{post_id}/queue": _scheduling,
    "/v1/posts/{post_id}/publish-now": _scheduling,
    "/v1/posts/{post_id}/cancel": _scheduling,
    "/v1/posts/{post_id}/retry": _scheduling,
    "/v1/posts/{post_id}/targets/{target_id}/unpublish": _scheduling,
    "/v1/golden-hour": _golden_hour,
    "/v1/queue-slots": _queue_slots,
    "/v1/queue-slots/{slot_id}": _queue_slots,
    "/v1/posts/{post_id}/metrics": _analytics,
    "/v1/analytics/summary": _analytics,
    "/v1/health": _service,
    "/v1/openapi.json": _service,
    "/llms.txt": _service,
    "/v1/docs": _service,
    "/v1/docs/{asset}": _service,
}


def every_endpoint() -> tuple[Endpoint, ...]:
    """Return all endpoints, in the order of the description."""
    from chalicelib.api.routes import ROUTES

    return ROUTES
