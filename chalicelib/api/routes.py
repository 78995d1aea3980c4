"""Every endpoint of the service, by resource: the table that app, edge and description share."""

from chalicelib.api import meta, posts, scheduling

ROUTES = (
    posts.create_post,
    posts.list_posts,
    posts.get_post,
    posts.edit_post,
    posts.delete_post,
    posts.duplicate_post,
    posts.get_history,
    scheduling.schedule,
    scheduling.queue,
    scheduling.publish_now,
    scheduling.cancel,
    scheduling.retry,
    scheduling.unpublish,
    meta.health,
    meta.openapi_json,
    meta.docs_page,
    meta.docs_asset,
)
