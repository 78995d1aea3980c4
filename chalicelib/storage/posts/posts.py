"""Posts with their targets: read whole, changed in one transaction.

Services load a post, decide in the domain what it becomes, and save the difference here with its
events, queue time and allowance. A deleted post is kept without its texts (`erasing.py`), and the
API never returns it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import MediaNotFound, PostNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.history import Event, History
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.plans import Use
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import ABSENT, BatchRead, Expression, Table, between, name_of
from chalicelib.kit.dynamodb.transaction import MOST_WRITES, Part, Transaction
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.posts.allowances import add_uses
from chalicelib.storage.posts.changes import (
    TOO_MUCH,
    PostChange,
    check_postable,
    use_file,
    write_change,
    write_times,
)
from chalicelib.storage.posts.items import (
    attempt_from,
    event_item,
    events_from,
    post_from,
    post_item,
    target_item,
)
from chalicelib.storage.tables import (
    Tables,
    idempotency_key,
    media_key,
    post_key,
    target_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class RepeatedRequestError(Exception):
    """The Idempotency-Key has already made a post."""


def read_post(
    client: "DynamoDBClient", tables: Tables, post_id: str, *, is_consistent: bool = True
) -> Post | None:
    """Read a post with its targets, deleted or not, in one query, consistently if asked to."""
    rows = read_rows(client, tables, post_id, is_consistent=is_consistent)
    return post_from(*rows) if rows else None


def read_rows(
    client: "DynamoDBClient", tables: Tables, post_id: str, *, is_consistent: bool = True
) -> list[Item]:
    """Return a post's own row, then those of its targets, as they are at one moment, or nothing."""
    key = between(post_id, "POST", "TARGET#~")
    rows = Table(client, tables.posts).read_fitting(key, _fit, is_consistent=is_consistent)
    return rows if rows and rows[0]["sk"] == "POST" else []


def _fit(rows: Sequence[Item]) -> bool:
    """Tell whether no row of a post and its targets lacks a change that another one has."""
    own, *targets = rows
    newest = max((target.get("post_version", 0) for target in targets), default=0)
    is_each_there = len(targets) == len(own.get("target_ids", ()))
    return is_each_there and own.get("targets_version", 0) <= newest <= own["version"]


_AT_ONCE = 12
"""So many histories are read side by side."""


def read_each(
    client: "DynamoDBClient", batch: BatchRead, tables: Tables, post_ids: Sequence[str]
) -> Iterator[list[Item]]:
    """Read the rows of many posts as they are now, in that order; none of one that is gone.

    Targets are read after their posts: a post that was changed in between is read once more, whole.
    """
    table = tables.posts
    own = batch.read([(table, post_key(post_id)) for post_id in post_ids])
    rows = [row for post_id in post_ids if (row := own.get(name_of(post_key(post_id))))]
    keys = [target_key(row["pk"], target) for row in rows for target in row["target_ids"]]
    targets = batch.read([(table, key) for key in keys])
    for row in rows:
        names = [name_of(target_key(row["pk"], target)) for target in row["target_ids"]]
        found = [row, *(targets[name] for name in names if name in targets)]
        if whole := found if _fit(found) else read_rows(client, tables, row["pk"]):
            yield whole


class PostRepository:
    """Posts of all workspaces; every method that a request reaches names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._tables = tables

    def get(self, workspace_id: str, post_id: str) -> Post:
        """Return a post. Raises PostNotFound, also for one that is deleted or foreign."""
        post = read_post(self._client, self._tables, post_id) if is_id(post_id) else None
        if post is None or post.workspace_id != workspace_id or post.deleted_at is not None:
            raise PostNotFound
        return post

    def get_any(self, post_id: str) -> Post:
        """Return a post for an operator or a worker, deleted or not. Raises PostNotFound."""
        post = read_post(self._client, self._tables, post_id)
        if post is None:
            raise PostNotFound
        return post

    def recent(self, post_id: str) -> Post | None:
        """Return a post, deleted or not, by an eventually consistent read: half a read unit.

        Only for a decision that may be wrong.
        """
        return self.several({post_id}, is_consistent=False).get(post_id)

    def several(self, post_ids: Collection[str], *, is_consistent: bool = True) -> dict[str, Post]:
        """Return those posts that exist, deleted or not.

        A single post is read by a query, which charges its rows together.
        """
        if len(post_ids) == 1:
            (post_id,) = post_ids
            post = read_post(self._client, self._tables, post_id, is_consistent=is_consistent)
            return {} if post is None else {post.id: post}
        batch = BatchRead(self._client, is_consistent=is_consistent)
        found = read_each(self._client, batch, self._tables, list(post_ids))
        return {post.id: post for post in (post_from(*rows) for rows in found)}

    def history(self, post_id: str) -> History:
        """Return all events and attempts of a post, oldest first."""
        key = Expression("#pk = :post AND #sk < :own", {"post": post_id, "own": "POST"})
        rows = list(Table(self._client, self._tables.posts).rows(key))
        return History(
            events=tuple(events_from(rows)),
            attempts=tuple(attempt_from(r) for r in rows if str(r["sk"]).startswith("ATTEMPT#")),
        )

    def events_of(self, post_ids: Sequence[str]) -> dict[str, tuple[Event, ...]]:
        """Return all events of each of these posts, oldest first; read in parallel."""
        table = Table(self._client, self._tables.posts)

        def read(post_id: str) -> tuple[Event, ...]:
            values = {"post": post_id, "event": "EVENT#"}
            key = Expression("#pk = :post AND begins_with(#sk, :event)", values)
            return tuple(events_from(table.rows(key)))

        with HelpedPool(_AT_ONCE, name="events") as threads:
            return dict(zip(post_ids, threads.map(read, post_ids), strict=True))

    def has_files(self, post: Post) -> bool:
        """Tell whether the post's files can still be sent; true for a post without any."""
        media = Table(self._client, self._tables.media)
        rows = (media.get(media_key(file_id)) or {} for file_id in post.file_ids)
        return all(row.get("list_workspace") == post.workspace_id for row in rows)

    def add(
        self,
        post: Post,
        *,
        events: Sequence[Event],
        uses: Sequence[Use] = (),
        elsewhere: Sequence[tuple[str, Event]] = (),
        made_of: str | None = None,
    ) -> None:
        """Keep a new post: its targets, its file's use, its times, its key and events at once.

        `elsewhere` are events that belong to the history of another post, by its id; `made_of` is
        the fingerprint of the draft that came with its Idempotency-Key.

        Raises RepeatedRequestError when the Idempotency-Key already made a post, MediaNotFound when
        the file was removed meanwhile, InvalidInput for more covers and times than one transaction
        takes, PlanLimit and QueueTimeTakenError as `save`.
        """
        transaction = Transaction(self._client)
        table = self._tables.posts
        if post.idempotency_key is not None:
            transaction.put(
                table,
                {
                    **idempotency_key(post.workspace_id, post.idempotency_key),
                    "post_id": post.id,
                    **({} if made_of is None else {"made_of": made_of}),
                },
                ABSENT,
                RepeatedRequestError(),
            )
        for file_id in post.file_ids:
            check_postable(transaction, self._tables, post, file_id, MediaNotFound())
            use_file(transaction, self._tables, post, file_id)
        transaction.put(table, post_item(post), ABSENT)
        for target in post.targets:
            transaction.put(table, target_item(post.id, post.workspace_id, target), ABSENT)
        nothing = replace(post, targets=(), queued_at=None)
        write_times(transaction, self._tables, nothing, post)
        add_uses(transaction, self._tables, post.workspace_id, uses)
        for post_id, event in (*((post.id, own) for own in events), *elsewhere):
            transaction.put(table, event_item(post_id, event))
        if len(transaction) > MOST_WRITES:
            raise InvalidInput(TOO_MUCH, loc=("body",))
        transaction.commit()

    def note(self, post_id: str, events: Sequence[Event]) -> None:
        """Add events to a post's history without changing the post."""
        transaction = Transaction(self._client)
        for event in events:
            transaction.put(self._tables.posts, event_item(post_id, event))
        transaction.commit()

    def save(
        self,
        before: Post,
        after: Post,
        *,
        events: Sequence[Event],
        uses: Sequence[Use] = (),
        beside: Part | None = None,
    ) -> Post:
        """Keep what changed between two states of a post, all at once, and return it as kept.

        Raises StaleWriteError when anything that was read changed meanwhile, PlanLimit when an
        allowance is used up, FileRemoved when its file is gone, QueueTimeTakenError when another
        post took its queue time, and what `beside` refuses by.
        """
        transaction = Transaction(self._client)
        if beside is not None:
            beside(transaction)
        change = PostChange(before=before, after=after, events=tuple(events), uses=tuple(uses))
        saved = write_change(transaction, self._tables, change)
        transaction.commit()
        return saved
