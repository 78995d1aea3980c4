"""The result of a request to make something, perhaps a repeated one."""

from enum import StrEnum


class Making(StrEnum):
    """Made now, or by an earlier call with the same Idempotency-Key."""

    NEW = "new"
    REPEATED = "repeated"
    ANOTHER_BODY = "another body"
