"""A deleted post as one field of a form, so that Undo can bring it back as a draft.

The service keeps no text of a deleted post: the field is in the notice of the deletion
(`notices.py`), in the browser of the person who deleted it. The restored draft is checked as any
new one.
"""

import json
import zlib
from dataclasses import replace
from datetime import datetime
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.drafting import NewPost, NewTarget, copy_of
from chalicelib.domain.posts.post import Post, Written
from chalicelib.domain.text import control_character_problem
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit import base64url

FIELD: Final = "post"
_FITS_A_COOKIE: Final = 2_200
_MOST_BYTES: Final = 100_000
"""The largest size that a field may unpack to; a draft of every platform is smaller."""


def pack(post: Post, caller: Caller) -> str:
    """Return a post's content with its times; empty where it is too long for a notice.

    Raises AccountRemoved when none of its accounts is left.
    """
    draft = copy_of(post, caller)
    times = {target.account_id: target.scheduled_at for target in post.targets}
    targets = [
        [
            each.account_id,
            each.caption_override,
            dict(each.options),
            None if (at := times[each.account_id]) is None else at.isoformat(),
        ]
        for each in draft.targets
    ]
    content = json.dumps([draft.words, draft.media_ids, targets], ensure_ascii=False)
    field = base64url.encode(zlib.compress(content.encode(), 9))
    return field if len(field) <= _FITS_A_COOKIE else ""


def unpack(field: str, now: datetime) -> NewPost:
    """Read what `pack` wrote, without times that have passed. Raises InvalidInput."""
    try:
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(base64url.decode(field), _MOST_BYTES)
        words, media_ids, targets = json.loads(content)
        draft = NewPost(
            **{name: _text(words[name]) for name in Written().words},
            media_ids=tuple(_text(one) for one in media_ids),
            targets=tuple(_target(*one) for one in targets),
        )
    except (ValueError, KeyError, TypeError, zlib.error, RecursionError) as error:
        message = "This post cannot be brought back."
        raise InvalidInput(message, loc=("body", FIELD)) from error
    if not draft.targets:
        raise InvalidInput("This post has no account any more.", loc=("body", FIELD))
    ahead = [
        replace(each, scheduled_at=None)
        if each.scheduled_at is not None and each.scheduled_at <= now
        else each
        for each in draft.targets
    ]
    return replace(draft, targets=tuple(ahead))


def _target(account_id: object, override: object, options: object, at: object) -> NewTarget:
    if not isinstance(options, dict):
        raise TypeError(options)
    when = None if at is None else datetime.fromisoformat(_text(at))
    if when is not None and when.tzinfo is None:
        raise ValueError(at)
    return NewTarget(
        account_id=_text(account_id),
        caption_override=None if override is None else _text(override),
        options=options,
        scheduled_at=when,
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    value.encode()  # half a character is no text
    if control_character_problem(value) is not None:
        raise ValueError(value)
    return value
