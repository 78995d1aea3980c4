"""Every endpoint, by hand: its method, its path, and what answers.

"accounts.list_accounts" is `list_accounts` of `resources/accounts.py`, which declares the rest:
what it asks of a key, what it reads, answers and refuses. `app.py` mounts these lines on Chalice;
the gatekeeper, the description and the local front read them too. Their order is the description's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chalicelib.http.routing import Line

ROUTES: Final[tuple[Line, ...]] = (
    ("GET", "/v1/accounts", "accounts.list_accounts"),
    ("GET", "/v1/accounts/{account_id}/tiktok", "accounts.get_tiktok_options"),
    ("GET", "/v1/accounts/{account_id}/choices", "accounts.get_choices"),
    ("PATCH", "/v1/accounts/{account_id}", "accounts.set_audience_regions"),
    ("POST", "/v1/media", "media.upload_media"),
    ("GET", "/v1/media", "media.list_media"),
    ("GET", "/v1/media/{media_id}", "media_words.get_media"),
    ("PATCH", "/v1/media/{media_id}", "media_words.describe_media"),
    ("DELETE", "/v1/media/{media_id}", "media.remove_media"),
    ("GET", "/v1/media/{media_id}/file", "media.get_file"),
    ("POST", "/v1/media/uploads", "media_uploads.begin_upload"),
    ("POST", "/v1/media/from-url", "media_uploads.upload_from_url"),
    ("GET", "/v1/media/uploads/{media_id}", "media_uploads.upload_state"),
    ("POST", "/v1/posts", "posts.create_post"),
    ("GET", "/v1/posts", "posts.list_posts"),
    ("GET", "/v1/posts/{post_id}", "posts.get_post"),
    ("PATCH", "/v1/posts/{post_id}", "posts.edit_post"),
    ("DELETE", "/v1/posts/{post_id}", "posts.delete_post"),
    ("POST", "/v1/posts/{post_id}/duplicate", "posts.duplicate_post"),
    ("GET", "/v1/posts/{post_id}/history", "posts.get_history"),
    ("GET", "/v1/posts/{post_id}/labels", "labels.list_labels_of_post"),
    ("PUT", "/v1/posts/{post_id}/labels", "labels.label_post"),
    ("POST", "/v1/posts/{post_id}/repeat", "series.repeat_post"),
    ("POST", "/v1/posts/{post_id}/check", "scheduling.check"),
    ("POST", "/v1/posts/{post_id}/schedule", "scheduling.schedule"),
    ("POST", "/v1/posts/{post_id}/queue", "scheduling.queue"),
    ("POST", "/v1/posts/{post_id}/publish-now", "scheduling.publish_now"),
    ("POST", "/v1/posts/{post_id}/cancel", "scheduling.cancel"),
    ("POST", "/v1/posts/{post_id}/retry", "scheduling.retry"),
    ("POST", "/v1/posts/{post_id}/targets/{target_id}/unpublish", "scheduling.unpublish"),
    ("GET", "/v1/golden-hour", "golden_hour.get_golden_hour"),
    ("GET", "/v1/queue-slots", "queue_slots.list_queue_slots"),
    ("POST", "/v1/queue-slots", "queue_slots.add_queue_slot"),
    ("DELETE", "/v1/queue-slots/{slot_id}", "queue_slots.remove_queue_slot"),
    ("GET", "/v1/labels", "labels.list_labels"),
    ("POST", "/v1/labels", "labels.add_label"),
    ("PATCH", "/v1/labels/{label_id}", "labels.change_label"),
    ("DELETE", "/v1/labels/{label_id}", "labels.delete_label"),
    ("GET", "/v1/series", "series.list_series"),
    ("GET", "/v1/series/{series_id}", "series.get_series"),
    ("DELETE", "/v1/series/{series_id}", "series.end_series"),
    ("GET", "/v1/posts/{post_id}/metrics", "analytics.get_metrics"),
    ("GET", "/v1/analytics/summary", "analytics.get_summary"),
    ("GET", "/v1/me", "me.get_me"),
    ("GET", "/v1/health", "service.health"),
    ("GET", "/v1/ready", "service.ready"),
    ("GET", "/v1/openapi.json", "service.openapi_json"),
    ("GET", "/llms.txt", "service.llms_text"),
    ("GET", "/v1/docs", "service.docs_page"),
    ("GET", "/v1/docs/errors", "service.docs_errors"),
    ("GET", "/v1/docs/{asset}", "service.docs_asset"),
)
