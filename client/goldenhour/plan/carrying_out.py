"""Carries out a plan: every line becomes a draft and is checked, then every line is sent.

It may be killed at any moment and started again. A line's draft is made under the line's own
Idempotency-Key, and only a post that is still a draft is scheduled, so a repeat changes nothing.
While anything is wrong nothing is sent, and the drafts that were made are taken back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from goldenhour.client import Client
from goldenhour.error_codes import NothingToSchedule, PlanLimit, PostNotFound
from goldenhour.errors import ApiError, GoldenhourError, KeyRefused, KeyReused, NoAnswer
from goldenhour.models.posts import Post
from goldenhour.plan.checking import REFUSALS, found, refused
from goldenhour.plan.files import PlanFiles, PlanRow
from goldenhour.plan.journal import Journal
from goldenhour.spoken.rows import Mistake
from goldenhour.spoken.targets import targets_of


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
class Prepared:
    """A row whose draft is there, or an outcome that is certain already."""

    row: PlanRow
    draft: Post | None = None
    outcome: Outcome | None = None
    mistakes: Sequence[Mistake] = ()
    is_new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """Makes the posts of a plan, each once."""

    client: Client
    journal: Journal
    files: PlanFiles = field(init=False)

    def __post_init__(self) -> None:
        """Give it the plan's files."""
        files = PlanFiles(client=self.client, journal=self.journal)
        object.__setattr__(self, "files", files)

    def prepare(self, rows: Sequence[PlanRow]) -> Iterator[Prepared]:
        """Make each row's draft and check it; stops at what would fail every further row."""
        keys = frozenset(row.key for row in rows)
        for row in rows:
            try:
                yield self._prepared(row, keys)
            except (KeyRefused, PlanLimit, NoAnswer):
                raise
            except REFUSALS as refusal:
                yield Prepared(row=row, mistakes=[refused(row, refusal)])
            except GoldenhourError as failure:
                yield Prepared(row=row, outcome=_failed(row, failure))

    def take_back(self, prepared: Sequence[Prepared]) -> None:
        """Delete the drafts that were made now, so that nothing of the plan is there."""
        for each in prepared:
            if each.draft is not None and each.is_new:
                self.client.posts.delete(each.draft.id)
                self.journal.taken_back(each.row)

    def send(self, prepared: Sequence[Prepared]) -> Iterator[Outcome]:
        """Yield what became of each row."""
        for each in prepared:
            if each.outcome is not None or each.draft is None:
                yield each.outcome or Outcome(line=each.row.line, state="failed")
                continue
            try:
                post = self._sent(each.row, each.draft)
            except (KeyRefused, PlanLimit, NoAnswer):
                raise
            except GoldenhourError as failure:
                yield _failed(each.row, failure)
                continue
            self.journal.finished(each.row, post.id, post.status)
            yield Outcome(line=each.row.line, state="made", post=post, post_id=post.id)

    def _prepared(self, row: PlanRow, keys: frozenset[str]) -> Prepared:
        if changed := self.journal.changed_since(row, keys):
            return Prepared(row=row, outcome=_changed(row, changed.post_id))
        past = self.journal.rows.get(row.key)
        if past is not None and past.status is not None:
            done = Outcome(line=row.line, state="done before", post_id=past.post_id)
            return Prepared(row=row, outcome=done)
        draft = self._draft(row, None if past is None else past.post_id)
        is_new = past is None and not draft.was_there
        if draft.status != "draft":
            return Prepared(row=row, draft=draft)
        mistakes = found(row, draft, self.client.posts.check(draft.id))
        return Prepared(row=row, draft=draft, mistakes=mistakes, is_new=is_new)

    def _draft(self, row: PlanRow, post_id: str | None) -> Post:
        if post_id is not None:
            try:
                return self.client.posts.get(post_id)
            except PostNotFound as gone:
                raise GoldenhourError(f"Its post {post_id} was deleted meanwhile.") from gone
        post = self.files.make(row, lambda media_ids: self._create(row, media_ids))
        self.journal.made(row, post.id)
        return post

    def _create(self, row: PlanRow, media_ids: Sequence[str]) -> Post:
        try:
            return self.client.posts.create(
                targets=targets_of(row),
                caption=row.caption,
                media_ids=media_ids,
                idempotency_key=row.key,
            )
        except KeyReused as reused:
            made = reused.made
            if not isinstance(made, Post) or (row.is_named and made.caption != row.caption):
                raise
            return made  # its file was uploaded again, because the journal was lost

    def _sent(self, row: PlanRow, draft: Post) -> Post:
        if draft.status != "draft":
            return draft
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


def _failed(row: PlanRow, failure: GoldenhourError) -> Outcome:
    code = failure.received_code if isinstance(failure, ApiError) else None
    return Outcome(line=row.line, state="failed", code=code, message=str(failure))


def _changed(row: PlanRow, post_id: str) -> Outcome:
    message = (
        f"The line was changed after it had made post {post_id}. Edit that post (`goldenhour edit"
        " ID`), or delete it (`goldenhour delete ID`) and import the line with another key."
    )
    return Outcome(
        line=row.line, state="failed", post_id=post_id, code="changed_since", message=message
    )
