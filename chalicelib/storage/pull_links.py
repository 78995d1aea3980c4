"""Addresses at our own door for files that platforms fetch themselves: one random row each.

A row `PULL#<token>` of the media table says which object whoever knows the token may read, and
until when. `public_addresses` makes them, `services/pulled_files` reads them. TTL takes old rows
some time after their end, so a reader goes by the clock. Tokens are secrets: never log one.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chalicelib.domain.media_types import MediaType
from chalicelib.storage.items import Item, attributes, plain
from chalicelib.storage.tables import Tables, pull_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TOKEN_BYTES = 16
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullLink:
    """What may be read, under which name, and until when."""

    key: str
    mime: MediaType
    filename: str
    size_bytes: int
    expires_at: datetime


class PullLinks:
    """Rows of all addresses that were given out."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.media

    def make(self, link: PullLink) -> str:
        """Keep a link; return the token that opens it."""
        token = secrets.token_hex(_TOKEN_BYTES)
        row = {**pull_key(token), **_to_item(link)}
        self._client.put_item(TableName=self._table, Item=attributes(row))
        return token

    def find(self, token: str) -> PullLink | None:
        """Return what a token opens, None if there is no such row; it may be over already."""
        if not _TOKEN.fullmatch(token):
            return None
        row = self._client.get_item(
            TableName=self._table, Key=attributes(pull_key(token)), ConsistentRead=True
        ).get("Item")
        return None if row is None else _from_item(plain(row))


def _to_item(link: PullLink) -> Item:
    return {
        "object_key": link.key,
        "mime": link.mime.value,
        "filename": link.filename,
        "size_bytes": link.size_bytes,
        "expires_at": int(link.expires_at.timestamp()),
    }


def _from_item(item: Item) -> PullLink:
    return PullLink(
        key=item["object_key"],
        mime=MediaType(item["mime"]),
        filename=item["filename"],
        size_bytes=item["size_bytes"],
        expires_at=datetime.fromtimestamp(item["expires_at"], UTC),
    )
