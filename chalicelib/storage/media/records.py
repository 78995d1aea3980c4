"""Records of uploaded files, and which posts use them.

A file that can be posted carries `list_workspace`; the transaction that makes a post demands it
and adds a `USE#<post id>` row. Removal takes the attribute away first and looks for uses then, so
a post made meanwhile is either seen here or refused there.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import NEWEST_LISTED, FileState, Media
from chalicelib.storage.dynamodb.failures import is_refused
from chalicelib.storage.dynamodb.items import attributes, plain, stamp
from chalicelib.storage.dynamodb.tables import Tables, media_key
from chalicelib.storage.dynamodb.transaction import BatchRead, Expression, parameters
from chalicelib.storage.media.items import REVIEW_SHARDS, media_from, review

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_READY = Expression("#state = :ready", {"ready": FileState.READY.value})
_REMOVED_OR_GONE = Expression("attribute_not_exists(#pk) OR #file_removed = :yes", {"yes": True})


class MediaRepository:
    """Files of all workspaces; every method that a request reaches names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.media
        self._batch = BatchRead(client)

    def get(self, workspace_id: str, media_id: str) -> Media:
        """Return a file of the workspace. Raises MediaNotFound, also before it is ready."""
        media = self.find(media_id) if is_id(media_id) else None
        if media is None or media.workspace_id != workspace_id:
            raise MediaNotFound
        return media

    def find(self, media_id: str) -> Media | None:
        """Return a file of any workspace, removed or not, as it is now."""
        row = self._client.get_item(
            TableName=self._table, Key=attributes(media_key(media_id)), ConsistentRead=True
        ).get("Item")
        item = {} if row is None else plain(row)
        return media_from(item) if item.get("state") == FileState.READY else None

    def list_newest(self, workspace_id: str, most: int = NEWEST_LISTED) -> Sequence[Media]:
        """Return the workspace's newest files that can still be posted, newest first."""
        in_workspace = Expression("#list_workspace = :workspace", {"workspace": workspace_id})
        found = self._client.query(
            TableName=self._table,
            IndexName="by_workspace",
            ScanIndexForward=False,
            Limit=most,
            **in_workspace.parameters("KeyConditionExpression"),
        )["Items"]
        keys = [media_key(plain(row)["pk"]) for row in found]
        rows = self._batch.read([(self._table, key) for key in keys])
        items = [rows[key["pk"], key["sk"]] for key in keys if (key["pk"], key["sk"]) in rows]
        return [media_from(item) for item in items if "list_workspace" in item]

    def mark_removed(self, media_id: str, *, review_at: datetime) -> None:
        """Take the file off every list, so that no post can begin to use it.

        The review finishes the removal should we stop half way. Raises MediaNotFound.
        """
        shelf = review(media_id, review_at)
        change = Expression(
            "SET #file_removed = :yes, #review_shard = :shard, #review_at = :at"
            " REMOVE #list_workspace",
            {"yes": True, "shard": shelf["review_shard"], "at": shelf["review_at"]},
        )
        self._update(media_id, change)

    def put_back(self, media: Media, *, review_at: datetime) -> None:
        """Put a file that was marked, but must stay, on its list again."""
        shelf = review(media.id, review_at)
        change = Expression(
            "SET #file_removed = :no, #list_workspace = :workspace, #review_at = :at",
            {"no": False, "workspace": media.workspace_id, "at": shelf["review_at"]},
        )
        self._update(media.id, change)

    def users(self, media_id: str) -> Sequence[str]:
        """Return the ids of the posts that use a file, as they are now."""
        uses = Expression(
            "#pk = :media AND begins_with(#sk, :use)", {"media": media_id, "use": "USE#"}
        )
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            ConsistentRead=True,
            **uses.parameters("KeyConditionExpression"),
        )
        return [plain(row)["sk"].removeprefix("USE#") for page in pages for row in page["Items"]]

    def keep_as_removed(self, media_id: str) -> None:
        """Keep the record of a removed file for good; there is nothing left to review."""
        self._update(media_id, Expression("REMOVE #review_shard, #review_at"))

    def forget(self, media_id: str) -> None:
        """Delete the record of a removed file that no post uses."""
        self._client.delete_item(
            TableName=self._table,
            Key=attributes(media_key(media_id)),
            **parameters({"ConditionExpression": _REMOVED_OR_GONE}),
        )

    def review_again(self, media_id: str, at: datetime) -> None:
        """Put off the next look at a file."""
        shelf = review(media_id, at)
        change = Expression(
            "SET #review_shard = :shard, #review_at = :at",
            {"shard": shelf["review_shard"], "at": shelf["review_at"]},
        )
        self._update(media_id, change)

    def due_for_review(self, until: datetime) -> Iterator[str]:
        """Yield the ids of rows whose review is due, unfinished uploads too."""
        for shard in REVIEW_SHARDS:
            due = Expression(
                "#review_shard = :shard AND #review_at <= :until",
                {"shard": shard, "until": stamp(until)},
            )
            pages = self._client.get_paginator("query").paginate(
                TableName=self._table,
                IndexName="by_review",
                **due.parameters("KeyConditionExpression"),
            )
            for page in pages:
                for row in page["Items"]:
                    yield plain(row)["pk"]

    def _update(self, media_id: str, change: Expression) -> None:
        try:
            self._client.update_item(
                TableName=self._table,
                Key=attributes(media_key(media_id)),
                **parameters({"UpdateExpression": change, "ConditionExpression": _READY}),
            )
        except ClientError as error:
            if is_refused(error):
                raise MediaNotFound from error
            raise
