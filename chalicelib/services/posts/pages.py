"""Posts of several pages of a list, one after another, for who needs more than a client's page.

The next page is read when the one before is used up: whoever has enough reads no more.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import PostQuery
from chalicelib.storage.posts.lists import PostLists


def find_posts(
    lists: PostLists, workspace_id: str, query: PostQuery, *, most_pages: int | None = None
) -> Iterator[Post]:
    """Yield the posts that fit, in their order: all, or so many pages of `query.limit` at most."""
    for _ in count() if most_pages is None else range(most_pages):
        page = lists.find(workspace_id, query)
        yield from page.posts
        if page.cursor is None:
            return
        query = replace(query, cursor=page.cursor)
