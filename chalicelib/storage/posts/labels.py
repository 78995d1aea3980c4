"""Labels of a workspace, in one row, and which posts have them.

A post's labels are a row of its partition beside the post. They do not change the post's version:
labels are not sent. Each of them also has a row on the status index, where the posts with one label
are one list, newest first. Ids of deleted labels stay in both until the post's labels change or the
post is deleted; no answer shows them.
"""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from chalicelib.domain.posts.labels import Colour, Label, Labels
from chalicelib.kit.dynamodb.table import (
    ABSENT,
    BatchRead,
    Expression,
    Table,
    name_of,
    unless_changed,
)
from chalicelib.kit.dynamodb.transaction import Transaction, as_if_alone
from chalicelib.storage.tables import (
    Tables,
    label_of_post_key,
    labels_key,
    labels_of_post_key,
    list_labelled,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from chalicelib.storage.repeats import Mark

_TRIES = 8
DecideIds = Callable[[frozenset[str]], Collection[str]]


class LabelRepository:
    """Labels of all workspaces; every method names the workspace or a post of it."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._directory = Table(client, tables.directory)
        self._posts = Table(client, tables.posts)

    def all(self, workspace_id: str) -> Labels:
        """Return a workspace's labels as they are now."""
        return _labels_from(self._directory.get(labels_key(workspace_id)))

    def change(
        self, workspace_id: str, decide: Callable[[Labels], Labels], mark: "Mark | None" = None
    ) -> Labels:
        """Keep and return the labels that `decide` makes; it is called again after a conflict.

        `mark` is kept with them. Raises KeyTakenError, what `decide` raises, and ContentionError
        if each try had a conflict.
        """
        key = labels_key(workspace_id)

        def write() -> Labels:
            row = self._directory.get(key)
            labels = decide(_labels_from(row))
            items = [_label_item(label) for label in labels.all]
            kept = {**key, "labels": items, "version": _version(row) + 1}
            writes = Transaction(self._client)
            writes.put(self._tables.directory, kept, _as_read(row))
            if mark is not None:
                mark.write(writes, self._tables.directory)
            writes.commit()
            return labels

        return as_if_alone(write, tries=_TRIES)

    def of_posts(self, post_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the ids of each post's labels, unordered."""
        keys = {post_id: labels_of_post_key(post_id) for post_id in post_ids}
        rows = BatchRead(self._client).read([(self._tables.posts, key) for key in keys.values()])
        found = {post_id: rows.get(name_of(key)) for post_id, key in keys.items()}
        return {post_id: _ids_from(row) for post_id, row in found.items()}

    def change_of_post(self, workspace_id: str, post_id: str, decide: DecideIds) -> None:
        """Give a post the labels that `decide` makes of its own; it is called again as in `change`.

        Raises what `decide` raises, and ContentionError if each try had a conflict.
        """
        key = labels_of_post_key(post_id)

        def write() -> None:
            row = self._posts.get(key)
            before = frozenset(_ids_from(row))
            after = set(decide(before))
            if before == after:
                return
            writes = Transaction(self._client)
            kept = {**key, "label_ids": sorted(after), "version": _version(row) + 1}
            writes.put(self._tables.posts, kept, _as_read(row))
            for label_id in sorted(after - before):
                listed = {"list_status": list_labelled(workspace_id, label_id)}
                writes.put(self._tables.posts, {**label_of_post_key(post_id, label_id), **listed})
            for label_id in sorted(before - after):
                writes.delete(self._tables.posts, label_of_post_key(post_id, label_id))
            writes.commit()

        as_if_alone(write, tries=_TRIES)


def _as_read(row: dict[str, Any] | None) -> Expression:
    return ABSENT if row is None else unless_changed(_version(row))


def _version(row: dict[str, Any] | None) -> int:
    return 0 if row is None else int(row["version"])


def _ids_from(row: dict[str, Any] | None) -> tuple[str, ...]:
    return () if row is None else tuple(row["label_ids"])


def _labels_from(row: dict[str, Any] | None) -> Labels:
    kept = [] if row is None else row["labels"]
    return Labels(tuple(Label(id=one[0], name=one[1], colour=Colour(one[2])) for one in kept))


def _label_item(label: Label) -> list[str]:
    return [label.id, label.name, str(label.colour)]
