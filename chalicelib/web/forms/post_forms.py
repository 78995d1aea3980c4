"""What the forms of a post say: a new draft, or the changes to one, in the words of the services.

A field that still shows what the page showed is no change, so that a form over a post that is live
somewhere changes only what was typed.
"""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from chalicelib.domain.posts.drafting import NewPost, NewTarget, PostChanges, TargetChange
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.web.forms.option_fields import read_options
from chalicelib.web.forms.times import read_time
from chalicelib.web.messages import Form


def read_new_post(form: Form, zone: ZoneInfo) -> NewPost:
    """Return the draft that was typed. Raises InvalidInput for a time that is none."""
    at = read_time(form["at"], zone)
    return NewPost(
        caption=form["caption"],
        media_ids=tuple(media_id for media_id in form.all("media") if media_id),
        targets=tuple(NewTarget(account_id=one, scheduled_at=at) for one in form.all("account")),
    )


def read_changes(form: Form, post: Post, zone: ZoneInfo) -> PostChanges:
    """Return what differs between the form and the post. Raises InvalidInput."""
    removed = set(form.all("remove"))
    caption = next(iter(form.all("caption")), post.caption)
    return PostChanges(
        caption=None if caption == post.caption else caption,
        targets=tuple(
            change
            for target in post.targets
            if target.id not in removed
            for change in _change(form, target, zone)
        ),
        add=tuple(NewTarget(account_id=account_id) for account_id in form.all("account")),
        remove=tuple(target.id for target in post.targets if target.id in removed),
    )


def is_nothing(changes: PostChanges) -> bool:
    """Tell whether there is nothing to change."""
    return changes == PostChanges()


def _change(form: Form, target: Target, zone: ZoneInfo) -> Iterator[TargetChange]:
    start = f"t.{target.id}."
    if f"{start}override" not in form:
        return
    override = form[f"{start}override"]
    options = read_options(target.platform, target.options, form, f"{start}o.")
    typed = form[f"{start}at"]
    shown = _shown(target, zone)
    change = TargetChange(
        id=target.id,
        caption_override=None if override == (target.caption_override or "") else override,
        options=None if options == dict(target.options) else options,
        scheduled_at=None if typed == shown else read_time(typed, zone, field=f"{start}at"),
    )
    if change != TargetChange(id=target.id):
        yield change


def _shown(target: Target, zone: ZoneInfo) -> str:
    at = target.scheduled_at
    return "" if at is None else f"{at.astimezone(zone):%Y-%m-%dT%H:%M}"
