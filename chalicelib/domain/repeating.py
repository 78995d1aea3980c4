"""How a thing came about that a caller asked to be made, perhaps once more."""

from enum import StrEnum


class Making(StrEnum):
    """Made now, or by an earlier call with the same Idempotency-Key."""

    NEW = "new"
    REPEATED = "repeated"
    ANOTHER_BODY = "another body"
