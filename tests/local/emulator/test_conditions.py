"""Conditions whose text is read once answer as ministack does, sooner."""

import time
from collections.abc import Iterator

import pytest
from ministack.services import dynamodb

from chalicelib.local.emulator import conditions
from chalicelib.local.emulator.ministack_shapes import Item

TEXT = "#pk = :pk AND begins_with(#sk, :beginning)"
NAMES = {"#pk": "pk", "#sk": "sk"}
VALUES = {":pk": {"S": "w"}, ":beginning": {"S": "ACCOUNT#"}}
_FUNCTIONS = ("_tokenize", "_condition_syntax_error", "_evaluate_condition")


@pytest.fixture
def installed() -> Iterator[None]:
    own = {name: getattr(dynamodb, name) for name in _FUNCTIONS}
    conditions.install()
    yield
    for name, function in own.items():
        setattr(dynamodb, name, function)


def a_row(sort: object, partition: str = "w") -> Item:
    return {"pk": {"S": partition}, "sk": sort}  # type: ignore[dict-item]


def holds(text: str, item: Item, slot: str = "KeyConditionExpression") -> bool:
    return bool(dynamodb._evaluate_condition(text, item, VALUES, NAMES, slot=slot))


@pytest.mark.parametrize(
    "item",
    [
        a_row({"S": "ACCOUNT#1"}),
        a_row({"S": "ACCOUNT#1"}, partition="v"),
        a_row({"S": "TAKEN#1"}),
        a_row({"S": ""}),
        a_row({"B": "QUND"}),
        {"pk": {"S": "w"}},
    ],
    ids=["fits", "another partition", "another beginning", "empty", "bytes", "no sort value"],
)
@pytest.mark.parametrize("slot", ["KeyConditionExpression", "FilterExpression"])
def test_the_answer_is_ministacks(request: pytest.FixtureRequest, item: Item, slot: str) -> None:
    expected = answered(item, slot)

    request.getfixturevalue("installed")

    assert expected == answered(item, slot)


def answered(item: Item, slot: str) -> bool | str:
    try:
        return holds(TEXT, item, slot)
    except ValueError as refused:
        return str(refused)


@pytest.mark.usefixtures("installed")
def test_a_text_that_is_no_condition_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="Invalid KeyConditionExpression"):
            holds("pk = = :pk", a_row({"S": "s"}))


def test_ten_thousand_rows_are_asked_in_a_fraction_of_the_time(
    request: pytest.FixtureRequest,
) -> None:
    rows = [a_row({"S": f"TAKEN#{number}"}) for number in range(2_000)]
    began = time.process_time()
    expected = [holds(TEXT, row) for row in rows]
    ministacks_s = time.process_time() - began

    request.getfixturevalue("installed")
    began = time.process_time()
    found = [holds(TEXT, row) for row in rows]

    assert expected == found
    assert time.process_time() - began < ministacks_s / 4
