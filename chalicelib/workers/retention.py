"""Removes old videos and ends unfinished uploads, when their time for a review has come.

Every row of the media table that needs a review is in its review index. A video is removed 90 days
after every post that uses it is done (docs/api.md "Media file"); photos and unused files stay.
"""

import logging
from datetime import datetime
from itertools import islice

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.media.media import KEPT_AFTER_DONE, FileState, Media
from chalicelib.domain.posts.target import LIVE, TargetStatus
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.library import MediaLibrary
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.uploads import MediaUploads
from chalicelib.storage.posts.posts import PostRepository

MOST_AT_ONCE = 1_000
_DONE = LIVE | {TargetStatus.FAILED, TargetStatus.CANCELLED}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Reviews the rows that are due; safe to run at any time and repeatedly."""

    files: MediaRepository
    uploads: MediaUploads
    posts: PostRepository
    library: MediaLibrary
    direct_uploads: DirectUploads
    clock: Clock

    def run(self) -> int:
        """Review what is due; return how many rows were looked at."""
        due = list(islice(self.files.due_for_review(self.clock()), MOST_AT_ONCE))
        for media_id in due:
            try:
                self._review(media_id)
            except Exception:  # one row that fails must not keep the others
                facts = {"action": "retention.failed", "media_id": media_id}
                logger.exception("A file could not be reviewed.", extra=facts)
        return len(due)

    def _review(self, media_id: str) -> None:
        upload = self.uploads.find(media_id)
        if upload is not None and upload.state is not FileState.READY:
            self.direct_uploads.look_for(upload)
            return
        media = self.files.find(media_id)
        if media is None:
            return
        if media.file_removed:
            self.library.take_away(media)
        else:
            self._let_go_if_due(media)

    def _let_go_if_due(self, media: Media) -> None:
        leaves_at = self._leaves_at(media)
        if leaves_at > self.clock():
            self.files.review_again(media.id, leaves_at)
            return
        # Marked first and looked at again: a post that began to use it meanwhile keeps it.
        now = self.clock()
        self.files.mark_removed(media.id, review_at=now)
        leaves_at = self._leaves_at(media)
        if leaves_at > self.clock():
            self.files.put_back(media, marked_for=now, review_at=leaves_at)
            return
        self.library.take_away(media)
        logger.info(
            "A video left: its posts have long been done.",
            extra={"action": "retention.removed", "media_id": media.id},
        )

    def _leaves_at(self, media: Media) -> datetime:
        """Return when the file is removed if nothing changes.

        While it is unused, or a post is not done, that is 90 days from now at the earliest.
        """
        done = [self._done_at(post_id) for post_id in self.files.users(media.id)]
        known = [at for at in done if at is not None]
        latest = max(known) if known and len(known) == len(done) else self.clock()
        return latest + KEPT_AFTER_DONE

    def _done_at(self, post_id: str) -> datetime | None:
        """Return when the last thing happened to a post, None while it is not done."""
        try:
            post = self.posts.get_any(post_id)
        except PostNotFound:
            return None
        if post.deleted_at is None and any(t.status not in _DONE for t in post.targets):
            return None
        events = self.posts.history(post_id).events
        return max([post.created_at, *(event.at for event in events)])
