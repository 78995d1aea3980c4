"""Changes a file's name and alt text, and then the copies of both that its posts keep.

`api/resources/media` calls it. The file's record comes first, so that a post made meanwhile has the
new words; then each post that uses the file and has a target that is yet to go out.
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
    """A file's new name and alt text; `keeps_alt` leaves the alt text as it is."""

    alt_text: str | None = None
    keeps_alt: bool = True
    filename: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaDescriptions:
    """Changes files' names and alt texts."""

    files: MediaRepository
    updates: PostUpdates
    clock: Clock

    def describe(self, caller: Caller, media_id: str, words: MediaWords) -> Media:
        """Change a file's name and alt text, in its posts too.

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
