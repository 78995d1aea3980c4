"""How the converter and its child communicate: a JSON object and some bytes each way, in turn.

The child has read hostile bytes, so nothing that it sends is trusted: numbers are read as numbers,
lengths are checked before anything is stored, and no Python object is ever unpickled.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import field
from typing import BinaryIO

from chalicelib.kit.dataclass import dataclass

Value = str | int | float | bool | None
_HEAD = struct.Struct(">II")
_MOST_WORDS = 65_536
MOST_BYTES = 100_663_296
"""More than a piece of pictures ever takes (`encoding.PIECE` at its highest rate)."""


class GarbledError(Exception):
    """What came is no message."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is asked or answered, and the bytes that belong to it."""

    words: Mapping[str, Value]
    data: bytes = field(default=b"", repr=False)

    def text(self, name: str) -> str:
        """Return a text. Raises GarbledError."""
        value = self.words.get(name)
        if not isinstance(value, str):
            raise GarbledError(name)
        return value

    def number(self, name: str) -> int:
        """Return a whole number that is not negative. Raises GarbledError."""
        value = self.words.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise GarbledError(name)
        return value


def pack(message: Message) -> bytes:
    """Return a message as it goes over the pipe."""
    words = json.dumps(dict(message.words)).encode()
    return _HEAD.pack(len(words), len(message.data)) + words + message.data


class Lengths:
    """How long the two parts of a message are."""

    SIZE = _HEAD.size

    def __init__(self, head: bytes) -> None:
        self.words, self.data = _HEAD.unpack(head)
        if self.words > _MOST_WORDS or self.data > MOST_BYTES:
            raise GarbledError


def unpack(words: bytes, data: bytes) -> Message:
    """Return a message from its two parts. Raises GarbledError."""
    try:
        read = json.loads(words)
    except (ValueError, RecursionError):
        raise GarbledError from None
    if not isinstance(read, dict):
        raise GarbledError
    return Message(read, data)


def receive(pipe: BinaryIO) -> Message:
    """Wait for a message. Raises EOFError, GarbledError."""
    lengths = Lengths(_exactly(pipe, Lengths.SIZE))
    words = _exactly(pipe, lengths.words)
    return unpack(words, _exactly(pipe, lengths.data))


def send(pipe: BinaryIO, message: Message) -> None:
    """Say a message."""
    pipe.write(pack(message))
    pipe.flush()


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    data = pipe.read(size)
    if len(data) != size:
        raise EOFError
    return data
