"""Logs every call that DynamoDB throttles, also those that botocore retries with success.

Callers see only calls that fail in the end, and a table's metrics do not include its indexes. An
alarm counts this log line (`infra/template/table_watch.py`).
"""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from botocore.model import OperationModel

CODES: Final = frozenset(
    {
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingError",
        "ThrottlingException",
    }
)
"""Codes of calls and of parts of cancelled transactions (DynamoDB guide, "Error handling")."""
_LOG = logging.getLogger(__name__)


def listen(client: Any) -> None:  # noqa: ANN401 - botocore's clients are made as they are read
    """Log the throttled calls of a DynamoDB client from now on."""
    client.meta.events.register("needs-retry.dynamodb", _note)


def _note(response: tuple[object, Mapping[str, Any]] | None, **about: Any) -> None:  # noqa: ANN401 - botocore's
    if response is None:
        return  # no answer came
    said = response[1]
    codes = {said.get("Error", {}).get("Code")}
    codes |= {one.get("Code") for one in said.get("CancellationReasons", [])}
    if codes & CODES:
        operation: OperationModel = about["operation"]
        facts = {"action": "table.throttled", "operation": operation.name}
        _LOG.warning("DynamoDB throttled a call.", extra=facts)
