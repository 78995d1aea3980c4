"""Unsettled comments that members were notified of: a row for each member and comment."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.posts.comments import KEPT_UNREAD, UnreadComment
from chalicelib.kit.dynamodb.items import epoch
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import Table, partition
from chalicelib.storage.tables import Tables, unread_key, workspace_pk

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_UNREAD = Record(UnreadComment, apart=("member_id", "comment_id"))


class UnreadRepository:
    """Unread comments of all workspaces; every method names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def list(self, workspace_id: str, member_id: str = "") -> list[UnreadComment]:
        """Return a member's unsettled comments, or everybody's, oldest first."""
        return sorted(self._rows(workspace_id, member_id), key=lambda one: one.at)

    def add(
        self,
        workspace_id: str,
        member_ids: Iterable[str],
        *,
        post_id: str,
        comment_id: str,
        at: datetime,
    ) -> None:
        """Keep a comment for some members, for 90 days at most."""
        for member_id in member_ids:
            one = UnreadComment(member_id=member_id, comment_id=comment_id, post_id=post_id, at=at)
            key = unread_key(workspace_id, member_id, comment_id)
            expires = {"expires_at": epoch(at + KEPT_UNREAD)}
            self._table.put({**key, **_UNREAD.item(one), **expires})

    def forget(self, workspace_id: str, comment_ids: Collection[str], member_id: str = "") -> None:
        """Forget comments for a member, or for everybody."""
        for one in list(self._rows(workspace_id, member_id)):
            if one.comment_id in comment_ids:
                self._table.delete(unread_key(workspace_id, one.member_id, one.comment_id))

    def _rows(self, workspace_id: str, member_id: str) -> Iterator[UnreadComment]:
        start = f"UNREAD#{member_id}#" if member_id else "UNREAD#"
        for row in self._table.rows(partition(workspace_pk(workspace_id), start)):
            _, whose, comment_id = str(row["sk"]).split("#")
            yield _UNREAD.value(row, member_id=whose, comment_id=comment_id)
