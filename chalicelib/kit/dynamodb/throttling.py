"""Tells the log of every call that DynamoDB throttles, also those that botocore makes again.

Callers see only what fails in the end, and a table's metrics leave its indexes out. An alarm rests
on this line (`infra/template/table_watch.py`).
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
"""Of a call, and of each part of a cancelled transaction (DynamoDB guide, "Error handling")."""
_LOG = logging.getLogger(__name__)


def listen(client: Any) -> None:  # noqa: ANN401 - botocore's clients are made as they are read
    """Hear every answer of a client of DynamoDB."""
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
