"""A store that is busy or silent is told so, and only what is a fault of ours asks for a report."""

import json
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    EndpointConnectionError,
    IncompleteReadError,
    ParamValidationError,
)

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.paths import every_endpoint
from chalicelib.http.errors import refusal_for
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.media.stored_file import MediaUnreadableError


def _refused(code: str, *, status: int = 400) -> ClientError:
    answer: Any = {"HTTPStatusCode": status}
    about: Any = {"Error": {"Code": code, "Message": "said"}, "ResponseMetadata": answer}
    return ClientError(about, "PutItem")


def _unreadable(cause: Exception) -> MediaUnreadableError:
    failure = MediaUnreadableError()
    failure.__cause__ = cause
    return failure


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (ContentionError(), "busy"),
        (StaleWriteError(), "busy"),
        (_refused("ThrottlingException"), "unwritable"),
        (_refused("ProvisionedThroughputExceededException"), "unwritable"),
        (_refused("SlowDown"), "unwritable"),
        (_refused("InternalError", status=500), "unwritable"),
        (_refused("503", status=503), "unwritable"),
        (EndpointConnectionError(endpoint_url="http://127.0.0.1"), "unwritable"),
        (IncompleteReadError(actual_bytes=1, expected_bytes=2), "unwritable"),
        (_unreadable(EndpointConnectionError(endpoint_url="http://127.0.0.1")), "unwritable"),
        (_unreadable(_refused("AccessDenied", status=403)), None),
        (_refused("ValidationException"), None),
        (ParamValidationError(report="said"), None),
        (ValueError(), None),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_may_work_in_a_moment_is_told_so(failure: Exception, code: str | None) -> None:
    refusal = refusal_for(failure)

    assert (refusal and refusal.code) == code


@pytest.mark.parametrize(
    "endpoint",
    [one for one in every_endpoint() if not one.open_to_all],
    ids=lambda one: f"{one.method} {one.path}",
)
def test_whoever_asks_the_store_is_told_beforehand(endpoint: Endpoint) -> None:
    """A key is read from the store at each request: each may be refused for its sake."""
    described = json.loads(as_text(describe((endpoint,))))

    answer = described["paths"][endpoint.path][endpoint.method.lower()]["responses"]["503"]

    assert {"busy", "unwritable"} <= answer["content"]["application/json"]["examples"].keys()
