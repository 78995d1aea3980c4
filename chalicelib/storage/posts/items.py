"""Posts, targets, events and attempts as rows of the posts table.

`posts.py` and `targets.py` read and write through these functions. A field needs no code here: its
row includes it (`kit/dynamodb/records.py`). The attributes that put a row on an index are set here
and nowhere else, so a row leaves an index when its reason goes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from chalicelib.domain.posts.history import Action, Attempt, Event
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.progress import Lease, Progress
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.kit.dynamodb.items import Item, instant, maybe_stamp, stamp
from chalicelib.kit.dynamodb.records import Kind, Record
from chalicelib.storage.tables import (
    STORED,
    list_erasing,
    list_publishing,
    list_status,
    list_waiting,
    post_key,
    target_key,
    wake_shard,
)

_POST: Final = Record(Post, apart=("id", "targets"))


def _read_restore_mark(kept: str | bool) -> datetime | None:  # noqa: FBT001 - as it was kept once
    """Read after which restore it was searched for; an older row's mark names none."""
    return instant(kept) if isinstance(kept, str) else None


_PROGRESS: Final = Record(
    Progress,
    stored=STORED,
    spread={"lease": Record(Lease, prefix="lease_")},
    kinds={"looked_for": Kind(stamp, _read_restore_mark)},
)
_TARGET: Final = Record(Target, apart=("id",), spread={"progress": _PROGRESS})
_EVENT: Final = Record(Event, apart=("id",))
_ACTIONS: Final = frozenset(Action)
_ATTEMPT: Final = Record(Attempt, apart=("id",), stored=STORED)


def post_item(post: Post) -> Item:
    """Return a post's own row; a deleted post is on the list of those to be erased alone."""
    listed = post.deleted_at is None
    waits = listed and post.approval is Approval.PENDING
    status = list_status(post.workspace_id, post.status, post.id)
    return {
        **post_key(post.id),
        **_POST.item(post),
        "target_ids": [target.id for target in post.targets],
        "targets_version": max((target.post_version for target in post.targets), default=0),
        "list_workspace": post.workspace_id if listed else None,
        "list_status": status if listed else list_erasing(post.id),
        "time_workspace": list_waiting(post.workspace_id) if waits else None,
        "time_key": post.id if waits else None,
    }


def post_from(own: Item, *targets: Item) -> Post:
    """Read a post from its own row and those of its targets."""
    in_order = tuple(sorted(map(target_from, targets), key=lambda target: target.place))
    return _POST.value(own, id=own["pk"], targets=in_order)


def target_item(post_id: str, workspace_id: str, target: Target) -> Item:
    """Return a target's row; it is on the wake index exactly while it has a time to wake."""
    own_time, wake_at = maybe_stamp(target.scheduled_at), target.progress.wake_at
    is_being_posted = target.status is TargetStatus.PUBLISHING
    return {
        **target_key(post_id, target.id),
        "workspace_id": workspace_id,
        **_TARGET.item(_without_text_kept_twice(target)),
        "list_status": list_publishing(workspace_id, target.id) if is_being_posted else None,
        "time_workspace": None if own_time is None else workspace_id,
        "time_key": None if own_time is None else f"{own_time}#{post_id}#{target.id}",
        "wake_shard": None if wake_at is None else wake_shard(target.id),
    }


def target_from(item: Item) -> Target:
    """Read a target from its row."""
    return _with_text_sent(_TARGET.value(item, id=item["sk"].removeprefix("TARGET#")))


def event_item(post_id: str, event: Event) -> Item:
    """Return the row of one event of a post's history."""
    return {"pk": post_id, "sk": f"EVENT#{event.id}", **_EVENT.item(event)}


def event_from(item: Item) -> Event:
    """Read one event."""
    return _EVENT.value(item, id=item["sk"].removeprefix("EVENT#"))


def events_from(rows: Iterable[Item]) -> Iterator[Event]:
    """Read the events among a post's rows, except those that only a later release knows."""
    for row in rows:
        if row["sk"].startswith("EVENT#") and row["action"] in _ACTIONS:
            yield event_from(row)


def attempt_item(post_id: str, attempt: Attempt) -> Item:
    """Return the row of one attempt of a post's history."""
    return {"pk": post_id, "sk": f"ATTEMPT#{attempt.id}", **_ATTEMPT.item(attempt)}


def attempt_from(item: Item) -> Attempt:
    """Read one attempt."""
    return _ATTEMPT.value(item, id=item["sk"].removeprefix("ATTEMPT#"))


def _without_text_kept_twice(target: Target) -> Target:
    """Return it as stored: without the text that the target's row keeps while in doubt."""
    sent = target.progress.sent
    if sent is None or sent.text != target.caption_override:
        return target
    lean = replace(sent, text=None)  # type: ignore[arg-type]  # in the row alone
    return replace(target, progress=replace(target.progress, sent=lean))


def _with_text_sent(target: Target) -> Target:
    sent = target.progress.sent
    if sent is None or sent.text is not None:
        return target
    whole = replace(sent, text=target.caption_override or "")  # type: ignore[unreachable]  # as above
    return replace(target, progress=replace(target.progress, sent=whole))
