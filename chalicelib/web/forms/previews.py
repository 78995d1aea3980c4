"""Previews beside a form: each target with the content typed so far, and its length.

The layout is `domain/platforms/previews`, the counts are those that refuse captions.
"""

import json
from collections.abc import Callable
from dataclasses import replace

from chalicelib.domain.platforms.alt_texts import alt_text_of
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.previews import Preview as PostPreview
from chalicelib.domain.platforms.previews import preview_of
from chalicelib.domain.platforms.texts.captions import count
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

Sending = Callable[[Target], Json]
"""What a target will be sent with, None if that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """One target as it will look, and how much of its platform's caption it takes."""

    target: Target
    look: PostPreview
    text: str
    length: int
    limit: int
    media_id: str | None
    kind: MediaKind | None
    sent: str = ""
    """What will be sent, as text for a person; empty if that is not known."""
    alt: str = ""
    """The file's alt text as it will be sent, even while the post is incomplete."""

    @property
    def is_too_long(self) -> bool:
        """Tell whether the platform would refuse the caption."""
        return self.length > self.limit


def previews_of(post: Post, sent: Sending = lambda _: None) -> list[Preview]:
    """Return a post's targets as they will look, and as they will be sent."""
    return [replace(_preview(post, target), sent=_spell(sent(target))) for target in post.targets]


def _spell(leaving: Json) -> str:
    return "" if leaving is None else json.dumps(leaving, ensure_ascii=False, indent=2)


def _preview(post: Post, target: Target) -> Preview:
    file, text = post.attachment, target.caption(post.caption)
    kind = None if file is None else file.kind
    aspect = None if file is None or not file.height else file.width / file.height
    look = preview_of(target.platform, target.handle, text, target.options, kind, aspect=aspect)
    of_file = None if file is None else file.alt_text
    return Preview(
        target=target,
        look=look,
        text=text,
        length=count(target.platform, text),
        limit=FACTS[target.platform].limits.caption,
        media_id=None if file is None else file.id,
        kind=kind,
        alt=alt_text_of(target.platform, target.options, kind, of_file),
    )
