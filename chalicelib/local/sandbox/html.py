"""How the sandbox platform's pages look: the app's style and its layouts of platforms.

Templates escape everything that a client wrote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

from chalicelib.domain.platforms.platform import NAMES, MediaKind
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.services.app.looks import Look, look_of
from chalicelib.web.rendering import Templates


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A post of the sandbox, and where its file can be fetched if that is still there."""

    entry: SandboxEntry
    media_url: str | None

    @property
    def address(self) -> str:
        """Return the address of the post's own page."""
        entry = self.entry
        return f"/sandbox/{quote(entry.platform.value)}/{quote(entry.remote_id, safe='')}"

    @property
    def look(self) -> Look:
        """Return the post as its platform lays it out."""
        entry = self.entry
        kind = None if entry.media_kind is None else MediaKind(entry.media_kind)
        return look_of(entry.platform, entry.handle, entry.caption, entry.options, kind)


@cache
def _templates() -> Templates:
    return Templates()


def feed_page(posts: Sequence[ShownEntry]) -> str:
    """Return the page of all posts, in the order given."""
    return _templates().render("sandbox/posts.html", title="Sandbox", posts=posts, is_feed=True)


def post_page(post: ShownEntry) -> str:
    """Return the page of one live post."""
    title = f"{post.entry.handle} on {NAMES[post.entry.platform]}"
    return _templates().render("sandbox/posts.html", title=title, posts=[post], is_feed=False)


def sentence_page(sentence: str) -> str:
    """Return a page that only says something."""
    return _templates().render("sandbox/page.html", title="Sandbox", sentence=sentence)
