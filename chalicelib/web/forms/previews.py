"""Previews beside a form: how each target will look with what was typed so far, and how long it is.

The layout is `domain/platforms/previews`, the counts are those that refuse captions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chalicelib.domain.media.media import Media
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.previews import Preview as PostPreview
from chalicelib.domain.platforms.previews import preview_of
from chalicelib.domain.platforms.texts.captions import count
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.web.forms.option_fields import read_options
from chalicelib.web.messages import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """One target as it will look, and how much of its platform's caption it takes."""

    look: PostPreview
    length: int
    limit: int
    media_id: str | None
    kind: MediaKind | None

    @property
    def is_too_long(self) -> bool:
        """Tell whether the platform would refuse the caption."""
        return self.length > self.limit


def previews_of(post: Post, form: Form | None = None) -> list[Preview]:
    """Return a post's targets as they look, with what a form over them says if there is one."""
    shared = post.caption if form is None or "caption" not in form else form["caption"]
    return [_of_target(post, target, shared, form) for target in post.targets]


def previews_for(accounts: Iterable[Account], caption: str, media: Media | None) -> list[Preview]:
    """Return how a caption looks on accounts, before there is a post."""
    file = None if media is None else _File(media.id, media.kind, media.width, media.height)
    return [_preview(one.platform, one.handle, caption, {}, file) for one in accounts]


@dataclass(frozen=True, slots=True)
class _File:
    id: str
    kind: MediaKind
    width: int
    height: int


def _of_target(post: Post, target: Target, shared: str, form: Form | None) -> Preview:
    start = f"t.{target.id}."
    override, options = target.caption_override, target.options
    if form is not None and f"{start}override" in form:
        override = form[f"{start}override"] or None
        options = read_options(target.platform, target.options, form, f"{start}o.")
    text = shared if override is None else override
    return _preview(target.platform, target.handle, text, options, _file(post.attachment))


def _file(attachment: Attachment | None) -> _File | None:
    if attachment is None:
        return None
    return _File(attachment.id, attachment.kind, attachment.width, attachment.height)


def _preview(
    platform: Platform,
    handle: str,
    text: str,
    options: Mapping[str, Json],
    file: _File | None,
) -> Preview:
    kind = None if file is None else file.kind
    aspect = None if file is None or not file.height else file.width / file.height
    return Preview(
        look=preview_of(platform, handle, text, options, kind, aspect=aspect),
        length=count(platform, text),
        limit=FACTS[platform].limits.caption,
        media_id=None if file is None else file.id,
        kind=kind,
    )
