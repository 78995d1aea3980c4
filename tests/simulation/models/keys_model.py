"""A model of KMS: it wraps keys by giving them back, and fails now and then."""

import os
from typing import Any

from botocore.exceptions import ClientError

from tests.simulation.faults import Fault, Out
from tests.simulation.world import World

_KEY_BYTES = 32


class KeysModelClient:
    """What boto3's client of KMS is to the storage."""

    class exceptions:  # noqa: N801 - boto3's
        """What the client may raise by name."""

        class InvalidCiphertextException(ClientError):
            """Not what this key wrapped."""

    def __init__(self, world: World) -> None:
        self._world = world

    def generate_data_key(self, **_: object) -> dict[str, bytes]:
        """Return a new key in the open and wrapped."""
        self._travel("GenerateDataKey")
        key = os.urandom(_KEY_BYTES)
        return {"Plaintext": key, "CiphertextBlob": key}

    def decrypt(self, *, CiphertextBlob: bytes, **_: object) -> dict[str, bytes]:  # noqa: N803 - boto3's
        """Return what was wrapped."""
        self._travel("Decrypt")
        return {"Plaintext": CiphertextBlob}

    def _travel(self, name: str) -> None:
        self._world.point(f"before {name}")
        self._world.travel(0.002, 0.01)
        if Out.KEYS in self._world.without or self._world.strikes(Fault.KEYS_DOWN, name):
            answer: Any = {"Error": {"Code": "ThrottlingException", "Message": "the model refuses"}}
            raise ClientError(answer, name)
