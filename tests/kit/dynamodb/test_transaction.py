"""A transaction that was carried out is known again, whatever was answered."""

from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from chalicelib.kit.dynamodb.table import ABSENT, BatchRead, ContentionError, Table, unless_changed
from chalicelib.kit.dynamodb.transaction import Transaction
from tests.kit.dynamodb.ruled_table import a_ruled_table
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, dynamodb_url
from tests.support.engines import Engine

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class InProgressOnce:
    """Carries a transaction out and answers that it is still under way, the first time."""

    def __init__(self, client: "DynamoDBClient") -> None:
        self._client = client
        self.calls = 0

    def transact_write_items(self, **call: Any) -> object:  # noqa: ANN401 - boto3's
        self.calls += 1
        answer = self._client.transact_write_items(**call)
        if self.calls == 1:
            error = {"Error": {"Code": "TransactionInProgressException", "Message": ""}}
            raise ClientError(error, "TransactWriteItems")  # type: ignore[arg-type]  # shape enough
        return answer


@pytest.mark.differs_on(Engine.MOTO, because="applies a repeated transaction again")
def test_a_doubled_transaction_is_no_conflict_with_somebody_else(emulator: EmulatorProcess) -> None:
    client = a_client("dynamodb", dynamodb_url(emulator))
    table, doubling = a_ruled_table(client), InProgressOnce(client)
    transaction = Transaction(cast("DynamoDBClient", doubling), wait=lambda _: None)
    transaction.put(table.name, {"pk": "bread", "sk": "ROW"}, ABSENT)

    transaction.commit()

    assert doubling.calls == 2


class LeavesAllUndone:
    """Answers every batch with nothing read; being asked for ever is a failure."""

    asked = 0

    def batch_get_item(self, **call: Any) -> object:  # noqa: ANN401 - boto3's
        self.asked += 1
        assert self.asked < 100
        return {"Responses": {}, "UnprocessedKeys": call["RequestItems"]}


def test_a_batch_of_which_nothing_is_ever_read_ends() -> None:
    reading = BatchRead(cast("DynamoDBClient", LeavesAllUndone()), wait=lambda _: None)

    with pytest.raises(ContentionError):
        reading.read([("posts", {"pk": "bread", "sk": "ROW"})])


def test_a_row_that_is_written_again_keeps_what_the_writer_does_not_name(
    emulator: EmulatorProcess,
) -> None:
    client = a_client("dynamodb", dynamodb_url(emulator))
    name = a_ruled_table(client).name
    table, key = Table(client, name), {"pk": "bread", "sk": "ROW"}
    later = {"mood": "calm", "version": 1, "caption": "Rye", "wake_at": "noon"}
    table.put({**key, **later})
    transaction = Transaction(client)
    again = {**key, "caption": "Oat", "wake_at": None, "status": "scheduled"}

    transaction.rewrite(name, {**again, "version": 2}, unless_changed(1))
    transaction.commit()
    is_kept = [table.rewrite({**key, "version": seen + 1}, unless_changed(seen)) for seen in (1, 2)]

    assert is_kept == [False, True]
    kept = {"mood": "calm", "caption": "Oat", "status": "scheduled", "version": 3}
    assert table.get(key) == {**key, **kept}
