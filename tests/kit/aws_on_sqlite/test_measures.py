"""Sizes of rows and keys are told in bytes, and an update is computed from the row as it was."""

import pytest
from botocore.exceptions import ClientError

from chalicelib.kit.aws_on_sqlite.tables.rows import Row, size_of
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shape, shape_of
from chalicelib.kit.aws_on_sqlite.tables.updates import read_update
from chalicelib.kit.aws_on_sqlite.tables.writes import Said

_KEYS = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
_FOUR_BYTES = "🥖"


@pytest.fixture
def shape() -> Shape:
    return shape_of(1, {"TableName": "posts", "KeySchema": _KEYS})


def test_a_row_is_as_large_as_its_names_and_contents() -> None:
    row: Row = {
        "pk": {"S": "bread"},
        "größe": {"S": "süß"},
        "n": {"N": "-1234"},
        "is_live": {"BOOL": True},
        "tags": {"L": [{"S": "é"}, {"M": {"a": {"S": "b"}}}]},
    }
    texts, number, truth = (2 + 5) + (7 + 5), 1 + 4, 7 + 1
    a_list = 4 + 3 + (1 + 2) + (1 + 3 + 1 + 2)

    assert size_of(row) == texts + number + truth + a_list


@pytest.mark.parametrize(
    ("pk", "sk"),
    [("x" * 2048, "x" * 1024), (_FOUR_BYTES * 512, _FOUR_BYTES * 256)],
    ids=["one byte", "four bytes"],
)
def test_a_key_has_so_many_bytes_whatever_its_letters(shape: Shape, pk: str, sk: str) -> None:
    assert shape.key_of({"pk": {"S": pk}, "sk": {"S": sk}}) == (pk, sk)
    for longer in (
        {"pk": {"S": f"{pk}x"}, "sk": {"S": sk}},
        {"pk": {"S": pk}, "sk": {"S": f"{sk}x"}},
    ):
        with pytest.raises(ClientError, match="exceeded the limit"):
            shape.key_of(longer)


def test_an_update_is_computed_from_the_row_as_it_was() -> None:
    update = read_update(
        "SET a = :a, b = a, n = n + :a, m = m - :a, c = if_not_exists(c, :a) REMOVE d", ()
    )
    row = {name: {"N": str(place)} for place, name in enumerate("abcdnm", 1)}

    after = update.apply(row, {":a": {"N": "10"}})

    assert {name: value["N"] for name, value in after.items()} == {
        "a": "10",
        "b": "1",
        "c": "3",
        "n": "15",
        "m": "-4",
    }
    assert update.changed == {*"abcdnm"}
    assert row["a"] == {"N": "1"}


def test_a_call_hears_which_value_is_missing() -> None:
    said = Said({"ExpressionAttributeValues": {":v": {"N": "1"}, ":w": {"N": "2"}}})
    said.read(read_update, "SET v = :v, w = :w, x = :x")

    with pytest.raises(ClientError, match=r"not defined: \[':x'\]"):
        said.check()
