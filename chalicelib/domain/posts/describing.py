"""What a new alt text or name of a file changes on a post that has the file.

Targets that are live, being sent or in doubt stay as they are. A scheduled target is prepared
again, so that the earlier words cannot go out; that needs the same right as any change of it.
"""

from dataclasses import replace

from chalicelib.domain.media.media import Media
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.post import Attachment, Post, after_edit
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.posts.verbs import Facts, Update
from chalicelib.domain.workspace.access import Caller


def reaches_scheduled_by_file(post: Post, media: Media) -> bool:
    """Tell whether new words of a file change what is scheduled."""
    is_scheduled = any(target.status is TargetStatus.SCHEDULED for target in post.targets)
    return is_scheduled and _is_retold(post, media)


def require_right(posts: list[Post], media: Media, caller: Caller) -> None:
    """Check that a caller may change what is scheduled. Raises ScopeMissing or RoleForbids."""
    for post in posts:
        reaches = reaches_scheduled_by_file(post, media)
        after_edit(post.approval, caller, reaches_scheduled=reaches)


def describe(post: Post, media: Media, facts: Facts) -> Update:
    """Return a post whose file has new words; one of which nothing waits stays as it is."""
    waits = any(target.is_editable for target in post.targets)
    if not waits or not _is_retold(post, media):
        return Update(after=post)
    reaches = reaches_scheduled_by_file(post, media)
    approval = after_edit(post.approval, facts.caller, reaches_scheduled=reaches)
    retold = replace(post, attachment=Attachment.of(media), approval=approval)
    rearmed = [
        target.rearm(now=facts.now, lead=retold.lead(target))
        for target in retold.targets
        if target.is_editable
    ]
    return Update(
        after=retold.with_targets(rearmed), events=(facts.event(Action.EDITED, media_id=media.id),)
    )


def _is_retold(post: Post, media: Media) -> bool:
    file = post.attachment
    return file is not None and file.id == media.id and file != Attachment.of(media)
