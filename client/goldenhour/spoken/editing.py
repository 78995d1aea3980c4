"""Changes of a post as people and assistants ask for them: by account names, not by ids.

The command and the assistant's tools share it. What is not named stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from goldenhour.client import Client
from goldenhour.models.answers import Account
from goldenhour.models.options import Options
from goldenhour.models.posts import NewTarget, Post, TargetChange
from goldenhour.spoken.choosing import captions_of, find_accounts, options_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What shall change; None and what is empty stay. Options that are None are taken away."""

    caption: str | None = None
    media_id: str | None = None
    """Another file; an empty text takes it away."""

    captions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    add: Sequence[str] = ()
    remove: Sequence[str] = ()
    at: datetime | None = None


def edit(client: Client, post: Post, changes: Changes) -> Post:
    """Change a post as it was read. Raises Stale if it was changed since."""
    every = client.accounts.list().data
    ids = {target.account_id for target in post.targets}
    on_it = [each for each in every if each.id in ids]
    added = [each for each in find_accounts(changes.add, every) if each.id not in ids]
    removed = find_accounts(changes.remove, on_it)
    kept = [each for each in on_it if each not in removed]
    texts = captions_of([*kept, *added], changes.captions)
    options = options_of([*kept, *added], changes.options)
    return client.posts.edit(
        post.id,
        caption=changes.caption,
        media_ids=_files(changes.media_id),
        targets=[
            change
            for account in kept
            if (change := _change(post, account, texts, options, changes.at)) is not None
        ],
        add=[
            NewTarget(
                account_id=each.id,
                caption_override=texts.get(each.id),
                options=cast("Options | None", options.get(each.id)),
                scheduled_at=changes.at,
            )
            for each in added
        ],
        remove=[target.id for target in post.targets if target.account_id in _ids(removed)],
        if_match=post.etag,
    )


def _files(media_id: str | None) -> list[str] | None:
    return None if media_id is None else [media_id] if media_id else []


def _ids(accounts: Sequence[Account]) -> frozenset[str]:
    return frozenset(account.id for account in accounts)


def _change(
    post: Post,
    account: Account,
    texts: Mapping[str, str],
    options: Mapping[str, Mapping[str, object]],
    at: datetime | None,
) -> TargetChange | None:
    target = next(each for each in post.targets if each.account_id == account.id)
    moved = at if target.status == "scheduled" else None
    if account.id not in texts and account.id not in options and moved is None:
        return None
    wanted = options.get(account.id)
    return TargetChange(
        id=target.id,
        caption_override=texts.get(account.id),
        options=None if wanted is None else _merged(target.options, wanted),
        scheduled_at=moved,
    )


def _merged(options: Mapping[str, object], changes: Mapping[str, object]) -> Options:
    merged = {**options, **changes}
    return cast("Options", {name: each for name, each in merged.items() if each is not None})
