"""Links behind the addresses at our own door: one row each, found by a random token.

`addresses` makes them; the door (`api/doors/platform_files`) reads them. DynamoDB's TTL takes them.
"""

import re
import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.records import WHOLE_SECOND, Record
from chalicelib.kit.dynamodb.table import Table
from chalicelib.storage.tables import Tables, pull_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TOKEN_BYTES = 16
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullLink:
    """What may be read, under which name, and until when."""

    key: str
    mime: str
    filename: str
    size_bytes: int
    expires_at: datetime
    is_for_people: bool = False


LINK: Final = Record(PullLink, stored={"key": "object_key"}, kinds={"expires_at": WHOLE_SECOND})


class PullLinks:
    """Rows of all addresses that were made."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.media)

    def make(self, link: PullLink) -> str:
        """Keep a link; return the token that opens it."""
        token = secrets.token_hex(_TOKEN_BYTES)
        self._table.put({**pull_key(token), **LINK.item(link)})
        return token

    def address_of(self, link: PullLink, url: str) -> str:
        """Keep a link; return the address below `url` that opens it."""
        return f"{url}/v1/pulled/{self.make(link)}/{quote(link.filename, safe='')}"

    def find(self, token: str) -> PullLink | None:
        """Return a token's link, None if there is no such row; it may have expired."""
        if not _TOKEN.fullmatch(token):
            return None
        row = self._table.get(pull_key(token))
        return None if row is None else LINK.value(row)
