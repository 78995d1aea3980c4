"""Every page of the app, in the order of its navigation."""

from chalicelib.web.pages import media, post, post_actions, posts, sign_in
from chalicelib.web.routing import Page

ROUTES: tuple[Page, ...] = (
    sign_in.root,
    sign_in.static,
    sign_in.sign_in_help,
    sign_in.sign_in,
    sign_in.sign_out,
    posts.front,
    posts.list_posts,
    posts.new_post,
    posts.create_post,
    posts.counts,
    post.show_post,
    post.edit_post,
    post.progress,
    post_actions.schedule,
    post_actions.golden_hour,
    post_actions.queue,
    post_actions.publish_now,
    post_actions.cancel,
    post_actions.retry,
    post_actions.duplicate,
    post_actions.delete,
    post_actions.unpublish,
    media.file,
)
