"""The shapes of what ministack holds and passes around, as far as the wrappers look inside.

ministack ships no types; these say what version 1.5.33 does.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import NotRequired, TypeAlias, TypedDict

from chalicelib.domain.outcome import Json
from chalicelib.local.emulator.body_file import BodyFile

Headers: TypeAlias = dict[str, str]
Query: TypeAlias = dict[str, list[str]]
Body: TypeAlias = bytes | BodyFile
Answer: TypeAlias = tuple[int, Headers, object]
Respond: TypeAlias = Callable[[str, str, Headers, Body, Query], Awaitable[Answer]]
ScopedId: TypeAlias = tuple[str, str]
"""An account's id and the id of something of that account."""

Item: TypeAlias = dict[str, Json]


Members: TypeAlias = dict[str, dict[object, dict[tuple[str, str], None]]]
"""Which items each index has, by its name and the partition within it."""


class Table(TypedDict):
    """A DynamoDB table with its items by partition and sort value."""

    TableArn: str
    pk_name: str
    sk_name: str | None
    items: MutableMapping[str, MutableMapping[str, Item]]
    _index_members: NotRequired[Members]


class Token(TypedDict):
    """What is remembered of a transaction's ClientRequestToken."""

    completed_at: float
    signature: object


class Message(TypedDict):
    """A message of a queue."""

    id: str
    visible_at: float
    receive_count: int
    group_id: NotRequired[str | None]


class Queue(TypedDict):
    """A queue."""

    is_fifo: bool
    messages: list[Message]
    attributes: dict[str, str]


class Part(TypedDict):
    """An uploaded part; `file` stands for the body in the state file."""

    body: NotRequired[Body]
    file: NotRequired[str]
    etag: str
    size: int
    checksums: NotRequired[dict[str, str]]


class Upload(TypedDict):
    """An unfinished multipart upload; `joined` is what `multipart_on_disk` made ready."""

    bucket: str
    key: str
    parts: dict[int, Part]
    metadata: dict[str, str]
    content_type: str
    content_encoding: NotRequired[str | None]
    preserved_headers: NotRequired[dict[str, str]]
    storage_class: NotRequired[str]
    checksum_algorithm: NotRequired[str | None]
    joined: NotRequired[tuple[list[Body], BodyFile]]


class ObjectRecord(TypedDict):
    """An object of a bucket; its body is None once it is on disk."""

    body: Body | None
    content_type: str
    content_encoding: str | None
    etag: str
    last_modified: str
    size: int
    metadata: dict[str, str]
    preserved_headers: dict[str, str]
    storage_class: str
    parts: list[dict[str, int]]
    checksums: dict[str, str]
    checksum_type: str | None
