"""A transaction's token stands for it once it is made, and is kept for a bounded time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB
from chalicelib.kit.aws_on_sqlite.tables.tokens import Tokens
from tests.support.closed_at_end import closed_at_end

_KEY = {"pk": {"S": "bread"}, "sk": {"S": "POST"}}
_KEYS = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]


@pytest.fixture
def tables(tmp_path: Path) -> EmbeddedDynamoDB:
    tables = EmbeddedDynamoDB(closed_at_end(Engine(tmp_path / "engine")))
    tables.create_table(TableName="posts", KeySchema=_KEYS)
    return tables


def test_a_transaction_that_was_refused_is_made_under_its_token_later(
    tables: EmbeddedDynamoDB,
) -> None:
    there: Mapping[str, Any] = {"ConditionExpression": "attribute_exists(pk)"}
    update = {"TableName": "posts", "Key": _KEY, "UpdateExpression": "REMOVE draft", **there}
    call = {"TransactItems": [{"Update": update}], "ClientRequestToken": "one"}
    with pytest.raises(ClientError, match="TransactionCanceled"):
        tables.transact_write_items(**call)
    tables.put_item(TableName="posts", Item={**_KEY, "draft": {"BOOL": True}})

    tables.transact_write_items(**call)

    assert _KEY == tables.get_item(TableName="posts", Key=_KEY)["Item"]


def test_only_the_last_tokens_are_kept() -> None:
    tokens = Tokens(most=2)

    for token in ("first", "second", "third"):
        tokens.note(token, b"digest")

    kept = [token for token in ("first", "second", "third") if tokens.has(token, b"digest")]
    assert ["second", "third"] == kept
