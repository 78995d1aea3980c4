"""Lists the posts that began to wait for review under 0.2.0, which kept no list of them.

`review` runs it: once it has gone through a workspace's posts, it leaves them alone.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.post import Approval
from chalicelib.domain.posts.query import PostQuery
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.posts.former_reviews import FormerReviewRows
from chalicelib.storage.posts.lists import PostLists

ROUND = timedelta(seconds=20)
"""A round begins no page of posts after this time: the next one goes on there."""
_A_PAGE = 200
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerReviews:
    """Goes through all posts once; safe to run at any time, and twice at once."""

    rows: FormerReviewRows
    lists: PostLists
    clock: Clock

    def run(self) -> None:
        """Go on with the workspaces that are not gone through."""
        end = self.clock() + ROUND
        for workspace_id, place in self.rows.places().items():
            try:
                self._go_on(workspace_id, place, end)
            except Exception:  # noqa: BLE001 - a row that a later release wrote keeps no others
                facts = {"action": "review.not_listed", "workspace_id": workspace_id}
                _LOG.exception("What waits in a workspace was not listed.", extra=facts)

    def _go_on(self, workspace_id: str, place: str | None, end: datetime) -> None:
        query: PostQuery | None = PostQuery(limit=_A_PAGE, cursor=place)
        while query is not None and self.clock() <= end:
            page = self.lists.find(workspace_id, query)
            for post in page.posts:
                if post.approval is Approval.PENDING:
                    self.rows.put_on_list(post)
            self.rows.note(workspace_id, page.cursor)
            query = None if page.cursor is None else replace(query, cursor=page.cursor)
