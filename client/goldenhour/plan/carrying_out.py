"""Carries out a plan's rows: upload, draft, schedule, and a note after each.

It may be killed at any moment and started again. A row's draft is made under the row's own
Idempotency-Key, and only a post that is still a draft is scheduled, so a repeat changes nothing.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldenhour.client import Client
from goldenhour.error_codes import FileRemoved
from goldenhour.errors import (
    ApiError,
    GoldenhourError,
    KeyRefused,
    MediaNotFound,
    NoAnswer,
    NothingToSchedule,
    PlanLimit,
    PostNotFound,
)
from goldenhour.models.posts import Post
from goldenhour.plan.journal import Journal
from goldenhour.plan.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a row; `state` is `made`, `done before` or `failed`."""

    line: int
    state: str
    post: Post | None = None
    post_id: str | None = None
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """Makes the posts of a plan, each once."""

    client: Client
    journal: Journal

    def carry_out(self, rows: Sequence[Row]) -> Iterator[Outcome]:
        """Yield what became of each row; stops at what would fail every further row as well."""
        keys = frozenset(row.key for row in rows)
        for row in rows:
            try:
                yield self._one(row, keys)
            except (KeyRefused, PlanLimit, NoAnswer):
                raise
            except GoldenhourError as failure:
                code = failure.received_code if isinstance(failure, ApiError) else None
                yield Outcome(line=row.line, state="failed", code=code, message=str(failure))

    def _one(self, row: Row, keys: frozenset[str]) -> Outcome:
        if changed := self.journal.changed_since(row, keys):
            return Outcome(
                line=row.line,
                state="failed",
                post_id=changed.post_id,
                code="changed_since",
                message=f"The line was changed after it had made post {changed.post_id}. Edit that"
                " post, or delete it and import the line with another key.",
            )
        past = self.journal.rows.get(row.key)
        if past is not None and past.status is not None:
            return Outcome(line=row.line, state="done before", post_id=past.post_id)
        draft = self._draft(row, None if past is None else past.post_id)
        post = self._send(row, draft) if draft.status == "draft" else draft
        self.journal.finished(row, post.id, post.status)
        return Outcome(line=row.line, state="made", post=post, post_id=post.id)

    def _draft(self, row: Row, post_id: str | None) -> Post:
        if post_id is not None:
            try:
                return self.client.posts.get(post_id)
            except PostNotFound as gone:
                raise GoldenhourError(f"Its post {post_id} was deleted meanwhile.") from gone
        try:
            post = self._create(row, self._media_ids(row))
        except (MediaNotFound, FileRemoved):
            post = self._create(row, self._media_ids(row, is_fresh=True))
        self.journal.made(row, post.id)
        return post

    def _create(self, row: Row, media_ids: Sequence[str]) -> Post:
        return self.client.posts.create(
            targets=row.targets, caption=row.caption, media_ids=media_ids, idempotency_key=row.key
        )

    def _media_ids(self, row: Row, *, is_fresh: bool = False) -> list[str]:
        if row.file is None:
            return []
        with row.file.open("rb") as file:
            content = _digest(file.read)
        known = None if is_fresh else self.journal.files.get(content)
        if known is None:
            known = self.client.media.upload(row.file).id
            self.journal.uploaded(content, known)
        return [known]

    def _send(self, row: Row, draft: Post) -> Post:
        posts = self.client.posts
        try:
            match row.way:
                case "at":
                    return posts.schedule(draft.id, at=row.at)
                case "queue":
                    return posts.queue(draft.id)
                case "golden":
                    return posts.schedule(draft.id)
                case _:
                    return draft
        except NothingToSchedule:  # another import of the same plan was quicker
            return posts.get(draft.id)


def _digest(read: object) -> str:
    content = hashlib.sha256()
    while chunk := read(1024 * 1024):  # type: ignore[operator]
        content.update(chunk)
    return content.hexdigest()
