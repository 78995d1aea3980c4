"""What a new draft becomes: its file, its targets and every rule that holds at once.

`drafts` calls it for drafts and copies; nothing is read or written here.
"""

from collections.abc import Iterator
from datetime import datetime

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import MediaNotFound, MediaRequired
from chalicelib.domain.ids import new_id
from chalicelib.domain.posts.drafting import NewPost, check_content, option_mistakes, refuse
from chalicelib.domain.posts.editing import Editor, new_targets
from chalicelib.domain.posts.post import Attachment, Post, first_approval
from chalicelib.domain.workspace.access import Caller
from chalicelib.storage.posts.draft_reads import DraftFacts

_ONE_FILE = (
    "A post takes one video or one photo, so at most one id in media_ids; several pictures in one "
    "post (carousels) are not supported yet. Make one post per file."
)


def new_post(
    caller: Caller, draft: NewPost, facts: DraftFacts, *, now: datetime, key: str | None = None
) -> Post:
    """Return the post that a draft makes; `key` is its Idempotency-Key.

    Raises InvalidInput for options of a wrong shape, MediaNotFound, MediaRequired, UnknownAccount,
    DuplicateAccount, CaptionTooLong and TiktokRules.
    """
    refuse(_option_mistakes(draft, facts))
    attachment = _attachment(draft, facts)
    editor = Editor(role=caller.role, now=now, accounts=facts.accounts)
    targets = new_targets(draft.targets, editor)
    for index, target in enumerate(targets):
        offered = editor.offered_by(target)
        check_content(target, draft.caption, field=f"targets[{index}]", offered=offered)
    return Post(
        id=new_id(now),
        workspace_id=caller.workspace_id,
        caption=draft.caption,
        attachment=attachment,
        approval=first_approval(caller.role, approvals=caller.approvals),
        created_at=now,
        created_by=caller.member_name,
        targets=targets,
        idempotency_key=key,
    )


def _option_mistakes(draft: NewPost, facts: DraftFacts) -> Iterator[InvalidInput]:
    for index, new in enumerate(draft.targets):
        account = facts.accounts.get(new.account_id)
        if account is not None:
            yield from option_mistakes(account.platform, new.options, at="targets", place=index)


def _attachment(draft: NewPost, facts: DraftFacts) -> Attachment | None:
    if any(media_id not in facts.media for media_id in draft.media_ids):
        raise MediaNotFound
    if len(draft.media_ids) > 1:
        raise MediaRequired(_ONE_FILE, field="media_ids")
    if not draft.media_ids:
        return None
    media = facts.media[draft.media_ids[0]]
    return Attachment(
        id=media.id,
        kind=media.kind,
        mime=media.mime,
        filename=media.filename,
        size_bytes=media.size_bytes,
        width=media.width,
        height=media.height,
        duration_s=media.duration_s,
    )
