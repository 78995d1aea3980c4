"""The list of posts, newest first: searched and filtered."""

from urllib.parse import urlencode

from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page

_A_PAGE = 30


@page("GET", "/app/posts")
def list_posts(visit: Visit) -> Response:
    """Show the newest posts that fit the filters."""
    query = visit.query
    chosen = {status.value for status in PostStatus} & set(query.all("status"))
    cursor = query["cursor"]
    found = visit.services.post_lists.find(
        visit.caller.workspace_id,
        PostQuery(
            statuses=frozenset(PostStatus(status) for status in chosen),
            text=query["q"],
            limit=_A_PAGE,
            cursor=cursor if is_id(cursor) else None,
        ),
    )
    filters = [("q", query["q"]), *(("status", status) for status in sorted(chosen))]
    following = urlencode([*filters, ("cursor", found.cursor or "")])
    return visit.show(
        "posts/list.html",
        posts=found.posts,
        chosen=chosen,
        statuses=list(PostStatus),
        text=query["q"],
        following=None if found.cursor is None else f"/app/posts?{following}",
    )
