"""How posts, targets, events and attempts stand in the posts table.

`posts.py` and `targets.py` read and write through these functions; the attributes that put a row
on an index are set here and nowhere else, so a row leaves an index when its reason goes.
"""

from datetime import datetime
from typing import Any

from chalicelib.domain.outcome import Checkpoint, Json, PlatformAnswer, Sent
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.posts.history import Action, Attempt, Event
from chalicelib.domain.posts.post import Approval, Attachment, Post
from chalicelib.domain.posts.progress import Lease, Progress
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.plans import Charge
from chalicelib.storage.dynamodb.items import (
    Item,
    instant,
    maybe_instant,
    maybe_stamp,
    packed,
    stamp,
    unpacked,
)
from chalicelib.storage.dynamodb.tables import (
    list_publishing,
    list_status,
    post_key,
    target_key,
    wake_shard,
)


def post_item(post: Post) -> Item:
    """Spell a post's own row; a deleted post stands on no list."""
    listed = post.deleted_at is None
    return {
        **post_key(post.id),
        "workspace_id": post.workspace_id,
        "caption": post.caption,
        "attachment": _attachment_text(post.attachment),
        "approval": post.approval,
        "created_at": stamp(post.created_at),
        "created_by": post.created_by,
        "target_ids": [target.id for target in post.targets],
        "idempotency_key": post.idempotency_key,
        "queued_at": maybe_stamp(post.queued_at),
        "trial_counted": post.trial_counted,
        "deleted_at": maybe_stamp(post.deleted_at),
        "version": post.version,
        "list_workspace": post.workspace_id if listed else None,
        "list_status": (list_status(post.workspace_id, post.status, post.id) if listed else None),
    }


def post_from(item: Item, targets: list[Target]) -> Post:
    """Read a post from its own row and its targets."""
    approval = item.get("approval")
    return Post(
        id=item["pk"],
        workspace_id=item["workspace_id"],
        caption=item["caption"],
        attachment=_attachment(item.get("attachment")),
        approval=None if approval is None else Approval(approval),
        created_at=instant(item["created_at"]),
        created_by=item["created_by"],
        targets=tuple(sorted(targets, key=lambda target: target.place)),
        idempotency_key=item.get("idempotency_key"),
        queued_at=maybe_instant(item.get("queued_at")),
        trial_counted=item["trial_counted"],
        deleted_at=maybe_instant(item.get("deleted_at")),
        version=item["version"],
    )


def target_item(post_id: str, workspace_id: str, target: Target) -> Item:
    """Spell a target's row; it stands on the wake index exactly while it has a time to wake."""
    own_time = maybe_stamp(target.scheduled_at)
    is_being_posted = target.status is TargetStatus.PUBLISHING
    return {
        **target_key(post_id, target.id),
        "workspace_id": workspace_id,
        "account_id": target.account_id,
        "platform": target.platform,
        "handle": target.handle,
        "place": target.place,
        "status": target.status,
        "caption_override": target.caption_override,
        "options": packed(dict(target.options)),
        "scheduled_at": own_time,
        "due_at": maybe_stamp(target.due_at),
        "url": target.url,
        "remote_id": target.remote_id,
        "error_code": target.error_code,
        "error_message": target.error_message,
        "trimmed": target.trimmed,
        "published_at": maybe_stamp(target.published_at),
        "charge": None if target.charge is None else _charge_text(target.charge),
        "version": target.version,
        "post_version": target.post_version,
        "list_status": list_publishing(workspace_id, target.id) if is_being_posted else None,
        "time_workspace": None if own_time is None else workspace_id,
        "time_key": None if own_time is None else f"{own_time}#{post_id}#{target.id}",
        **_progress_attributes(target),
    }


def _progress_attributes(target: Target) -> Item:
    progress = target.progress
    wake_at = maybe_stamp(progress.wake_at)
    return {
        "wake_at": wake_at,
        "wake_shard": None if wake_at is None else wake_shard(target.id),
        "lease_token": None if progress.lease is None else progress.lease.token,
        "lease_until": None if progress.lease is None else stamp(progress.lease.until),
        "wakes": progress.wakes,
        "tries": progress.tries,
        "checkpoint": _checkpoint_text(progress.checkpoint),
        "checkpoint_since": maybe_stamp(progress.checkpoint_since),
        "sent": _sent_text(progress.sent, target.caption_override),
        "unanswered": progress.unanswered,
        "retries": progress.retries,
        "paced": progress.catching_up,
        "looked_for": maybe_stamp(progress.looked_for),
        "goes_as": progress.sends_as,
        "trims": progress.trims,
    }


def target_from(item: Item) -> Target:
    """Read a target from its row."""
    return Target(
        id=item["sk"].removeprefix("TARGET#"),
        account_id=item["account_id"],
        platform=Platform(item["platform"]),
        handle=item["handle"],
        place=item["place"],
        status=TargetStatus(item["status"]),
        caption_override=item.get("caption_override"),
        options=unpacked(item["options"]) or {},
        scheduled_at=maybe_instant(item.get("scheduled_at")),
        due_at=maybe_instant(item.get("due_at")),
        url=item.get("url"),
        remote_id=item.get("remote_id"),
        error_code=item.get("error_code"),
        error_message=item.get("error_message"),
        trimmed=item["trimmed"],
        published_at=maybe_instant(item.get("published_at")),
        charge=_charge(item.get("charge")),
        progress=_progress(item),
        version=item["version"],
        post_version=item.get("post_version", 0),
    )


def _progress(item: Item) -> Progress:
    token = item.get("lease_token")
    checkpoint = unpacked(item.get("checkpoint"))
    return Progress(
        wake_at=maybe_instant(item.get("wake_at")),
        lease=None if token is None else Lease(token=token, until=instant(item["lease_until"])),
        wakes=item["wakes"],
        tries=item["tries"],
        checkpoint=None if checkpoint is None else Checkpoint(**checkpoint),
        checkpoint_since=maybe_instant(item.get("checkpoint_since")),
        sent=_sent(unpacked(item.get("sent")), item.get("caption_override")),
        unanswered=item["unanswered"],
        retries=item["retries"],
        catching_up=item["paced"],
        looked_for=_looked_for(item.get("looked_for")),
        sends_as=item.get("goes_as"),
        trims=item.get("trims", False),
    )


def _looked_for(kept: str | bool | None) -> datetime | None:  # noqa: FBT001 - as it was kept once
    """Read which restore it was looked for after; an older row's mark names none."""
    return instant(kept) if isinstance(kept, str) else None


def event_item(post_id: str, event: Event) -> Item:
    """Spell one event of a post's history."""
    return {
        "pk": post_id,
        "sk": f"EVENT#{event.id}",
        "action": event.action,
        "by": event.by,
        "at": stamp(event.at),
        "detail": packed(dict(event.detail)),
    }


def event_from(item: Item) -> Event:
    """Read one event."""
    return Event(
        id=item["sk"].removeprefix("EVENT#"),
        action=Action(item["action"]),
        by=item["by"],
        at=instant(item["at"]),
        detail=unpacked(item["detail"]) or {},
    )


def attempt_item(post_id: str, attempt: Attempt) -> Item:
    """Spell one attempt of a post's history."""
    lateness = attempt.lateness_s
    return {
        "pk": post_id,
        "sk": f"ATTEMPT#{attempt.id}",
        "target_id": attempt.target_id,
        "ok": attempt.ok,
        "status": attempt.status,
        "at": stamp(attempt.at),
        "error_code": attempt.error_code,
        "error_message": attempt.error_message,
        "remote_id": attempt.remote_id,
        "found": attempt.found,
        "lateness_ms": None if lateness is None else round(lateness * 1000),
        "answer": None if attempt.answer is None else packed(_answer_parts(attempt.answer)),
    }


def _answer_parts(answer: PlatformAnswer) -> dict[str, Json]:
    return {name: getattr(answer, name) for name in PlatformAnswer.__slots__}


def _answer(text: str | None) -> PlatformAnswer | None:
    parts = unpacked(text)
    return None if parts is None else PlatformAnswer(**parts)


def attempt_from(item: Item) -> Attempt:
    """Read one attempt."""
    lateness = item.get("lateness_ms")
    return Attempt(
        id=item["sk"].removeprefix("ATTEMPT#"),
        target_id=item["target_id"],
        ok=item["ok"],
        status=item["status"],
        at=instant(item["at"]),
        error_code=item.get("error_code"),
        error_message=item.get("error_message"),
        remote_id=item.get("remote_id"),
        found=item.get("found"),
        lateness_s=None if lateness is None else lateness / 1000,
        answer=_answer(item.get("answer")),
    )


def _attachment_text(attachment: Attachment | None) -> str | None:
    if attachment is None:
        return None
    return packed({name: getattr(attachment, name) for name in Attachment.__slots__})


def _attachment(text: str | None) -> Attachment | None:
    values = unpacked(text)
    return None if values is None else Attachment(**{**values, "kind": MediaKind(values["kind"])})


def _charge_text(charge: Charge) -> str:
    return packed({name: getattr(charge, name) for name in Charge.__slots__})


def _charge(text: str | None) -> Charge | None:
    values = unpacked(text)
    return None if values is None else Charge(**values)


def _checkpoint_text(checkpoint: Checkpoint | None) -> str | None:
    if checkpoint is None:
        return None
    return packed({"step": checkpoint.step, "data": dict(checkpoint.data)})


def _sent_text(sent: Sent | None, override: str | None) -> str | None:
    """Spell what was sent; the target's own text, fixed while in doubt, is not kept twice."""
    if sent is None:
        return None
    text = None if sent.text == override else sent.text
    return packed(
        {
            "text": text,
            "media_ids": list(sent.media_ids),
            "at": stamp(sent.at),
            "not_after": maybe_stamp(sent.not_after),
        }
    )


def _sent(values: dict[str, Any] | None, override: str | None) -> Sent | None:
    if values is None:
        return None
    text = override or "" if values["text"] is None else values["text"]
    return Sent(
        text=text,
        media_ids=tuple(values["media_ids"]),
        at=instant(values["at"]),
        not_after=maybe_instant(values.get("not_after")),
    )
