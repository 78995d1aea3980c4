# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Reads each condition's text once, not once for every row that it is asked of.

ministack reads the text anew for every row of a partition. With 10,000 posts scheduled a partition
has as many rows, and a question for eleven accounts took 0.7 s. Of the usual question, a partition
and how the sort value begins, no text is read at all after the first row.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from ministack.services import dynamodb

from chalicelib.local.emulator.ministack_shapes import Item

_TEXTS = 2048
_BEGINNING = re.compile(r"\s*(#?\w+) = (:\w+) AND begins_with\s*\((#?\w+), (:\w+)\)\s*")
_OF_KEYS = "KeyConditionExpression"

Values = Mapping[str, Mapping[str, object]]
Names = Mapping[str, str]


def install() -> None:
    """Put wrappers in the place of the functions of ministack that read conditions."""
    dynamodb._tokenize = _read_once(dynamodb._tokenize)
    dynamodb._condition_syntax_error = lru_cache(_TEXTS)(dynamodb._condition_syntax_error)
    evaluate = dynamodb._evaluate_condition

    def quick(
        text: str, item: Item, values: Values, names: Names, slot: str = "ConditionExpression"
    ) -> object:
        if slot == _OF_KEYS:
            known = _begins(text, item, values, names)
            if known is not None:
                return known
        return evaluate(text, item, values, names, slot=slot)

    dynamodb._evaluate_condition = quick


def _read_once(read: Callable[[str], list[object]]) -> Callable[[str], list[object]]:
    kept = lru_cache(_TEXTS)(read)
    return lambda text: list(kept(text))


@lru_cache(_TEXTS)
def _parts(text: str) -> tuple[str, str, str, str] | None:
    found = _BEGINNING.fullmatch(text)
    return None if found is None else (found[1], found[2], found[3], found[4])


def _begins(text: str, item: Item, values: Values, names: Names) -> bool | None:
    """Answer the usual question of a row; None where it is another, or not about text."""
    parts = _parts(text)
    if parts is None:
        return None
    partition, wanted, sort, beginning = parts
    is_partition = _text(item.get(names.get(partition, partition)))
    is_sort = _text(item.get(names.get(sort, sort)))
    wants, begins = _text(values.get(wanted)), _text(values.get(beginning))
    if is_partition is None or is_sort is None or wants is None or begins is None:
        return None
    return is_partition == wants and is_sort.startswith(begins)


def _text(value: object) -> str | None:
    found = value.get("S") if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else None
