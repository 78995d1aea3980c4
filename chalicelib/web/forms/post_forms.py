"""What the forms of a post say: a new draft, or the changes to one, in the words of the services.

A field that still shows what the page showed is no change, so that a form over a post that is live
somewhere changes only what was typed. Times are typed as the wall clock of the workspace's zone.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.drafting import NewPost, NewTarget, PostChanges, TargetChange
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.times.local_time import first_instant
from chalicelib.web.forms.option_fields import read_options
from chalicelib.web.messages import Form

_EARLIEST, _LATEST = 1970, 2999


def read_time(typed: str, zone: ZoneInfo, *, field: str = "at") -> datetime | None:
    """Return the instant of what was typed, None for nothing. Raises InvalidInput."""
    if not typed:
        return None
    try:
        local = datetime.fromisoformat(typed)
    except ValueError as error:
        message = "This is no time. Type it as 2030-01-31T09:00."
        raise InvalidInput(message, loc=("body", field)) from error
    if not _EARLIEST < local.year < _LATEST:
        raise InvalidInput("This year is out of range.", loc=("body", field))
    return local.astimezone(UTC) if local.tzinfo else first_instant(local, zone)


def read_day(typed: str, today: date) -> date:
    """Return the day of a calendar's address, today for none or a wrong one."""
    try:
        found = date.fromisoformat(typed)
    except ValueError:
        return today
    return found if _EARLIEST < found.year < _LATEST else today


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the first instant of a day."""
    return first_instant(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001 - wall clock


def days_from(first: date, count: int) -> list[date]:
    """Return so many days in a row."""
    return [first + timedelta(days=place) for place in range(count)]


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
