"""Copies of files as platforms take them: what was made by which recipe, and who is making one.

A copy is an object at `prepared/<workspace>/<media>/<recipe>` and a row beside the file's record.
Whoever claims the row makes the copy; the others come back later. Rows expire before the bucket's
lifecycle rule takes the objects, so a row never promises a copy that is gone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.domain.media.media import Media, Probed
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.dynamodb.conditions import is_carried_out
from chalicelib.storage.dynamodb.items import Item, attributes, instant, plain, stamp
from chalicelib.storage.dynamodb.tables import Tables, prepared_row_key
from chalicelib.storage.dynamodb.transaction import Expression, parameters
from chalicelib.storage.media.items import thousandths, whole
from chalicelib.storage.media.store import S3MediaStore, prepared_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEPT = timedelta(days=5)
"""The bucket's rule takes objects under `prepared/` after 8 days (`infra/resources.json`)."""
MAKING = timedelta(minutes=2)
_RENEW_EVERY = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCopy:
    """What became of a recipe: a copy, the file itself (`same`), or why there can be none."""

    recipe: str
    made_at: datetime
    same: bool = False
    refused: str | None = None
    size_bytes: int = 0
    mime: MediaType = MediaType.MP4
    width: int = 0
    height: int = 0
    duration_s: float | None = None


def copy_of(recipe: str, probed: Probed, *, size_bytes: int, now: datetime) -> PreparedCopy:
    """Return a copy as its own bytes describe it."""
    return PreparedCopy(
        recipe=recipe,
        made_at=now,
        size_bytes=size_bytes,
        mime=probed.mime,
        width=probed.width,
        height=probed.height,
        duration_s=probed.duration_s,
    )


class PreparedCopies:
    """Copies of all files."""

    def __init__(self, client: "DynamoDBClient", tables: Tables, store: S3MediaStore) -> None:
        self._client = client
        self._table = tables.media
        self._store = store

    def find(self, media_id: str, recipe: str, *, now: datetime) -> PreparedCopy | None:
        """Return what became of a recipe, None while it was not tried or is too long ago."""
        row = self._client.get_item(
            TableName=self._table,
            Key=attributes(prepared_row_key(media_id, recipe)),
            ConsistentRead=True,
        ).get("Item")
        item = {} if row is None else plain(row)
        if "made_at" not in item or instant(item["made_at"]) < now - KEPT:
            return None
        return _copy_from(item)

    def claim(self, media_id: str, recipe: str, maker: str, *, now: datetime) -> bool:
        """Begin to make a copy; False while somebody else does."""
        claim = Expression(
            "SET #maker = :maker, #making_until = :until, #expires_at = :gone REMOVE #made_at",
            {"maker": maker, "until": stamp(now + MAKING), "gone": _epoch(now + KEPT)},
        )
        free = Expression(
            "attribute_not_exists(#maker) OR #maker = :maker OR #making_until <= :now",
            {"maker": maker, "now": stamp(now)},
        )
        return self._happens(media_id, recipe, claim, free)

    def still_making(self, media_id: str, recipe: str, maker: str, *, now: datetime) -> bool:
        """Hold on to a claim; False when somebody else took it over."""
        longer = Expression("SET #making_until = :until", {"until": stamp(now + MAKING)})
        mine = Expression("#maker = :maker", {"maker": maker})
        return self._happens(media_id, recipe, longer, mine)

    def keep(self, media_id: str, copy: PreparedCopy) -> None:
        """Say what became of a recipe: the claim is over."""
        self._client.put_item(TableName=self._table, Item=attributes(_item(media_id, copy)))

    def give_up(self, media_id: str, recipe: str, maker: str, *, now: datetime) -> None:
        """End a claim without a result: the next one tries anew."""
        over = Expression("SET #making_until = :now", {"now": stamp(now)})
        mine = Expression("#maker = :maker", {"maker": maker})
        self._happens(media_id, recipe, over, mine)

    def drop(self, media: Media, recipe: str) -> None:
        """Remove a copy that came too late: its file left meanwhile. The row goes by itself."""
        self._store.delete(prepared_key(media.workspace_id, media.id, recipe))

    def drop_all(self, media: Media) -> None:
        """Remove every copy of a file that leaves; safe to run twice."""
        for recipe in list(self._recipes(media.id)):
            self._store.delete(prepared_key(media.workspace_id, media.id, recipe))
            self._client.delete_item(
                TableName=self._table, Key=attributes(prepared_row_key(media.id, recipe))
            )

    def _recipes(self, media_id: str) -> Iterator[str]:
        copies = Expression(
            "#pk = :media AND begins_with(#sk, :copies)",
            {"media": media_id, "copies": "PREPARED#"},
        )
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            ConsistentRead=True,
            **copies.parameters("KeyConditionExpression"),
        )
        for page in pages:
            for row in page["Items"]:
                yield plain(row)["sk"].removeprefix("PREPARED#")

    def _happens(
        self, media_id: str, recipe: str, change: Expression, condition: Expression
    ) -> bool:
        return is_carried_out(
            lambda: self._client.update_item(
                TableName=self._table,
                Key=attributes(prepared_row_key(media_id, recipe)),
                **parameters({"UpdateExpression": change, "ConditionExpression": condition}),
            )
        )


class Claim:
    """A claim being worked on: `alive` renews it now and then."""

    def __init__(self, copies: PreparedCopies, media_id: str, recipe: str, maker: str) -> None:
        self._copies = copies
        self._of = (media_id, recipe, maker)
        self._renewed_at: datetime | None = None

    def alive(self, now: datetime) -> None:
        """Hold on to the claim. What two make at once is the same, so losing it does no harm."""
        if self._renewed_at is None:
            self._renewed_at = now
        if now - self._renewed_at >= _RENEW_EVERY:
            self._renewed_at = now
            self._copies.still_making(*self._of, now=now)


def _item(media_id: str, copy: PreparedCopy) -> Item:
    return {
        **prepared_row_key(media_id, copy.recipe),
        "made_at": stamp(copy.made_at),
        "same": copy.same,
        "refused": copy.refused,
        "size_bytes": copy.size_bytes,
        "mime": copy.mime.value,
        "width": copy.width,
        "height": copy.height,
        "duration_ms": thousandths(copy.duration_s),
        "expires_at": _epoch(copy.made_at + KEPT),
    }


def _copy_from(item: Item) -> PreparedCopy:
    return PreparedCopy(
        recipe=item["sk"].removeprefix("PREPARED#"),
        made_at=instant(item["made_at"]),
        same=item["same"],
        refused=item.get("refused"),
        size_bytes=item["size_bytes"],
        mime=MediaType(item["mime"]),
        width=item["width"],
        height=item["height"],
        duration_s=whole(item.get("duration_ms")),
    )


def _epoch(at: datetime) -> int:
    return int(at.timestamp())
