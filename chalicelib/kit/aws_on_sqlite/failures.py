"""Errors of the embedded engine: botocore's classes, with Amazon's codes.

`exceptions` is as `client.exceptions` of boto3's clients: classes by error code.
"""

from typing import Any

from botocore.exceptions import ClientError


class ExceptionsByCode:
    """Makes a class of ClientError for each code, as botocore does from a service's model."""

    def __init__(self) -> None:
        self._known: dict[str, type[ClientError]] = {"ClientError": ClientError}

    def __getattr__(self, code: str) -> type[ClientError]:
        """Return the class of a code."""
        return self._known.setdefault(code, type(code, (ClientError,), {}))


exceptions = ExceptionsByCode()


def refusal(code: str, message: str, **more: object) -> ClientError:
    """Return the error of a call that is refused; `base_client` names the operation."""
    answer: Any = {"Error": {"Code": code, "Message": message}, **more}
    made: type[ClientError] = getattr(exceptions, code.rpartition(".")[2])
    return made(answer, "")


def invalid(message: str) -> ClientError:
    """Return DynamoDB's error for a call that breaks a rule."""
    return refusal("ValidationException", message)
