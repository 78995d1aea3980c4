"""Every text that the tables of a deployment keep, packed ones unpacked: what a search goes over.

assert rows_with(room.deployment, "Fresh bread") == []
"""

import zlib
from collections.abc import Iterator
from contextlib import suppress

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.kit.dynamodb.items import Item, plain


def every_row(deployment: Deployment) -> Iterator[Item]:
    """Yield each row of each table."""
    names = deployment.tables
    for table in (names.posts, names.directory, names.media):
        pages = deployment.clients.dynamodb.get_paginator("scan").paginate(
            TableName=table, ConsistentRead=True
        )
        yield from (plain(row) for page in pages for row in page["Items"])


def rows_with(deployment: Deployment, *texts: str) -> list[tuple[str, str]]:
    """Return the keys of the rows that have one of some texts in them, whatever the case."""
    sought = [text.casefold() for text in texts]
    return [
        (str(row["pk"]), str(row["sk"]))
        for row in every_row(deployment)
        if any(text in _everything_in(row).casefold() for text in sought)
    ]


def _everything_in(value: object) -> str:
    match value:
        case dict():
            return "\n".join(_everything_in(part) for pair in value.items() for part in pair)
        case list() | tuple() | set() | frozenset():
            return "\n".join(_everything_in(part) for part in value)
        case bytes() | bytearray():
            with suppress(zlib.error):
                return zlib.decompress(value).decode()
            return value.decode("utf-8", "replace")
        case _:
            return str(value)
