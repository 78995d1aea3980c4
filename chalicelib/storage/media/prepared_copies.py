"""Copies of files for platforms: a recipe's result, or its progress.

A copy is an object at `prepared/<workspace>/<media>/<recipe>` and a row of a partition of its own,
the only one besides its places that the convert lane may touch. `conversions` writes it. Rows
expire before the bucket's lifecycle rule takes the objects, so a row never promises a copy that is
gone.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from chalicelib.domain.media.media import Media, Probed
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, epoch, instant
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import Table, partition
from chalicelib.storage.media.store import S3MediaStore, prepared_key
from chalicelib.storage.tables import STORED, Tables, prepared_row_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEPT = timedelta(days=5)
"""The bucket's rule takes objects under `prepared/` after 8 days (`infra/resources.json`)."""
OUR_FAULT_KEPT = timedelta(minutes=10)
"""How long a refusal counts that was caused by this deployment and not by the file."""
ASKED_AGAIN_AFTER = timedelta(minutes=2)
_FORGOTTEN_AFTER = timedelta(minutes=10)
"""Whoever waits asks again much sooner: after this time nobody waited, or the service was down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCopy:
    """A recipe's result: a copy, the file itself (`same`), or why there can be none."""

    recipe: str
    made_at: datetime
    same: bool = False
    refused: str | None = None
    detail: str | None = None
    size_bytes: int = 0
    mime: MediaType = MediaType.MP4
    width: int = 0
    height: int = 0
    duration_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCopy:
    """A requested copy that is not made yet; `failed` says that the last try broke off."""

    recipe: str
    since: datetime
    asked_at: datetime
    making_until: datetime | None = None
    failed: bool = False

    def is_overlooked(self, now: datetime) -> bool:
        """Tell whether to ask again: its worker died, or its message was lost."""
        if self.making_until is not None and self.making_until > now:
            return False
        maker_died = self.making_until is not None and self.asked_at < self.making_until
        return maker_died or self.failed or self.asked_at <= now - ASKED_AGAIN_AFTER

    def is_forgotten(self, now: datetime) -> bool:
        """Tell whether nobody waited for it or made it lately: a wait begins anew now."""
        last = max(self.asked_at, self.making_until or self.asked_at)
        return now - last > _FORGOTTEN_AFTER


_COPY: Final = Record(PreparedCopy, apart=("recipe",), stored=STORED)
_ASKED: Final = Record(AskedCopy, apart=("recipe",))


def copy_of(recipe: str, probed: Probed, *, size_bytes: int, now: datetime) -> PreparedCopy:
    """Return a copy's description, read from its own bytes."""
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
        self._table = Table(client, tables.media)
        self._store = store

    def find(self, media_id: str, recipe: str, *, now: datetime) -> PreparedCopy | None:
        """Return a recipe's result, None if there is none or it is too old."""
        found = self.state(media_id, recipe, now=now)
        return found if isinstance(found, PreparedCopy) else None

    def state(
        self, media_id: str, recipe: str, *, now: datetime
    ) -> PreparedCopy | AskedCopy | None:
        """Return a recipe's result or progress, None if nobody asked for it lately."""
        item = self._table.get(prepared_row_key(media_id, recipe)) or {}
        if "made_at" in item:
            return copy_from(item) if _counts(item, now) else None
        return asked_from(item) if "asked_at" in item else None

    def drop_all(self, media: Media) -> None:
        """Remove every copy of a removed file; safe to run twice."""
        for row in list(self._table.rows(partition(prepared_row_key(media.id, "")["pk"]))):
            recipe = _recipe_of(row)
            # The row first: a worker that makes a copy right now finds it gone and removes the
            # copy.
            self._table.delete(prepared_row_key(media.id, recipe))
            self._store.delete(prepared_key(media.workspace_id, media.id, recipe))


def copy_item(media_id: str, copy: PreparedCopy) -> Item:
    """Return the row of a copy that was made, or refused."""
    expires_at = epoch(copy.made_at + KEPT)
    key = prepared_row_key(media_id, copy.recipe)
    return {**key, **_COPY.item(copy), "expires_at": expires_at}


def _recipe_of(row: Item) -> str:
    return str(row["sk"]).removeprefix("PREPARED#")


def copy_from(item: Item) -> PreparedCopy:
    """Read the row of a copy."""
    return _COPY.value(item, recipe=_recipe_of(item))


def asked_from(item: Item) -> AskedCopy:
    """Read the row of a copy that is not made yet."""
    return _ASKED.value(item, recipe=_recipe_of(item))


def _counts(item: Item, now: datetime) -> bool:
    is_our_fault = item.get("refused") == FailureCode.PROCESSING_FAILED
    return instant(item["made_at"]) >= now - (OUR_FAULT_KEPT if is_our_fault else KEPT)
