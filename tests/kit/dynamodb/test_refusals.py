"""What is documented as wrong is refused by the engine that the tests run on (`rules.py`)."""

import pytest

from tests.kit.dynamodb.ruled_table import RuledTable, a_row, a_ruled_table, text
from tests.kit.dynamodb.rules import ALL_RULES, Rule
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, dynamodb_url


@pytest.fixture(scope="module")
def table(emulator: EmulatorProcess) -> RuledTable:
    return a_ruled_table(a_client("dynamodb", dynamodb_url(emulator)))


@pytest.fixture(autouse=True)
def _the_row_as_it_was(table: RuledTable) -> None:
    table.put(
        a_row(
            word=text("bread"), wake_shard=text("W1"), wake_at=text("2026"), workspace_id=text("w")
        )
    )


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(
            rule,
            id=rule.says,
            marks=pytest.mark.differs_on(*rule.differing, because=f"accepts {rule.says}"),
        )
        for rule in ALL_RULES
    ],
)
def test_what_is_documented_as_wrong_is_refused(table: RuledTable, rule: Rule) -> None:
    assert rule.code == table.refusal(rule.operation, **rule.arguments)
