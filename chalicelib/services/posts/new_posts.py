"""What a new draft becomes: its file, its targets and every rule that holds at once.

`drafts` calls it for drafts and copies; nothing is read or written here.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.drafting import (
    NewPost,
    attachment_of,
    check_content,
    option_mistakes,
    refuse,
)
from chalicelib.domain.posts.editing import Editor, new_targets
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.access import Caller
from chalicelib.storage.posts.draft_reads import DraftFacts


def new_post(
    caller: Caller, draft: NewPost, facts: DraftFacts, *, now: datetime, key: str | None = None
) -> Post:
    """Return the post that a draft makes; `key` is its Idempotency-Key.

    Raises InvalidInput for options of a wrong shape, MediaNotFound, MediaRequired, UnknownAccount,
    DuplicateAccount, CaptionTooLong and TiktokRules.
    """
    refuse(_option_mistakes(draft, facts))
    attachment = attachment_of(draft.media_ids, facts.media)
    editor = Editor(caller=caller, now=now, accounts=facts.accounts)
    targets = new_targets(draft.targets, editor)
    for index, target in enumerate(targets):
        offered = editor.offered_by(target)
        check_content(target, draft.caption, field=f"targets[{index}]", offered=offered)
    post = Post.begun(caller, attachment, targets, now=now)
    return replace(post.written_as(draft), idempotency_key=key)


def _option_mistakes(draft: NewPost, facts: DraftFacts) -> Iterator[InvalidInput]:
    for index, new in enumerate(draft.targets):
        account = facts.accounts.get(new.account_id)
        if account is not None:
            yield from option_mistakes(account.platform, new.options, at="targets", place=index)
