"""Rows are spelled and read as boto3 would, whose functions cost a process all its imports."""

from decimal import Decimal

import pytest
from boto3.dynamodb.types import TypeSerializer

from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dynamodb.items import attributes, plain

ROW = {
    "text": "",
    "platform": Platform.GOOGLE_BUSINESS_PROFILE,
    "whole": 10**37,
    "below": -3,
    "yes": True,
    "no": False,
    "secret": b"\x00\xff",
    "empty": [],
    "places": [1, "two", [False], {"four": 4}],
    "nested": {"a": {"b": [None, 1]}, "c": b"d"},
}


def test_a_row_is_spelled_as_boto3_spells_it() -> None:
    expected = {name: TypeSerializer().serialize(value) for name, value in ROW.items()}

    assert expected == attributes(ROW)


def test_a_row_comes_back_as_it_was_and_without_what_is_absent() -> None:
    assert plain(attributes({**ROW, "absent": None})) == ROW


@pytest.mark.parametrize(
    "value", [1.5, Decimal(1), {"a", "b"}, object()], ids=lambda v: type(v).__name__
)
def test_what_no_row_keeps_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=type(value).__name__):
        attributes({"value": value})
