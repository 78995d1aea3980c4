"""Names and describes a file, and lets the posts that have it say the same.

`api/resources/media` calls it. The file's record comes first, so that a post made meanwhile has the
new words; then each post that uses the file and has anything left to send.
"""

from contextlib import suppress
from dataclasses import replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.media.media import Media, tidy_filename
from chalicelib.domain.posts.describing import describe, require_right
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.verbs import Facts
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.storage.media.records import MediaRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaWords:
    """What shall be said of a file; `keeps_alt` leaves its alt text as it is."""

    alt_text: str | None = None
    keeps_alt: bool = True
    filename: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaDescriptions:
    """Changes what is said of files."""

    files: MediaRepository
    updates: PostUpdates
    clock: Clock

    def describe(self, caller: Caller, media_id: str, words: MediaWords) -> Media:
        """Change a file's words, and those of the posts that have it.

        Raises MediaNotFound, and ScopeMissing or RoleForbids for what is scheduled.
        """
        media = self.files.get(caller.workspace_id, media_id)
        after = replace(
            media,
            alt_text=media.alt_text if words.keeps_alt else words.alt_text or None,
            filename=media.filename if words.filename is None else tidy_filename(words.filename),
        )
        if after == media:
            return media
        require_right(self._posts(media), after, caller)
        self.files.describe(after)
        facts = Facts(caller=caller, now=self.clock())
        for post in self._posts(media):
            with suppress(PostNotFound):
                self.updates.carry_out(
                    caller, post, lambda current: describe(current, after, facts)
                )
        return after

    def _posts(self, media: Media) -> list[Post]:
        found = self.updates.posts.several(set(self.files.users(media.id)))
        return [post for post in found.values() if post.deleted_at is None]
