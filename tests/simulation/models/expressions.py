"""DynamoDB's conditions and updates: read once by moto's own parser, then kept and used again.

moto reads an expression anew at every call, which takes most of its time (a millisecond and more);
a day of virtual time makes a hundred thousand calls over some fifty expressions. So a condition is
parsed with marks in the place of values, and at each call the values are put where the marks are.
An update's clauses are few and plain; any other raises.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from moto.dynamodb.comparisons import AttributeValue, get_filter_expression
from moto.dynamodb.models.dynamo_type import DynamoType

Wire = dict[str, Any]
"""A row as DynamoDB's API writes it: {"name": {"S": "text"}}."""

_VALUE = re.compile(r":\w+")
_SET = re.compile(r"#(\w+) = (:\w+)")
_SET_SUM = re.compile(r"#(\w+) = (?:if_not_exists\(#(\w+), (:\w+)\)|#(\w+)) ([+-]) (:\w+)")
_SET_DEFAULT = re.compile(r"#(\w+) = if_not_exists\(#(\w+), (:\w+)\)")
_CLAUSE = re.compile(r"\b(SET|REMOVE|ADD|DELETE)\b")


class _Seen:
    """A row as moto's operators look at it."""

    def __init__(self, row: Wire) -> None:
        self.attrs = _Typed(row)


class _Typed(dict[str, Any]):
    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - moto's
        return DynamoType(super().__getitem__(name))


@cache
def _parsed(text: str, names: tuple[tuple[str, str], ...]) -> tuple[Any, list[tuple[Any, str]]]:
    """Return moto's operator for a condition, and its values' places with their names."""
    marks = {name: {"S": name} for name in set(_VALUE.findall(text))}
    operator = get_filter_expression(text, dict(names), marks)
    return operator, list(_places(operator))


def _places(node: Any) -> Any:  # noqa: ANN401 - moto's own
    if isinstance(node, AttributeValue):
        yield node, str(node.value)
    elif isinstance(node, list | tuple):
        for one in node:
            yield from _places(one)
    elif hasattr(node, "__dict__"):
        for one in vars(node).values():
            yield from _places(one)


def holds(call: Mapping[str, Any], row: Wire | None, *, kind: str = "ConditionExpression") -> bool:
    """Tell whether a call's condition holds for a row; a call without one is never refused."""
    text = call.get(kind)
    if text is None:
        return True
    names = tuple(sorted(call.get("ExpressionAttributeNames", {}).items()))
    operator, places = _parsed(text, names)
    values = call.get("ExpressionAttributeValues", {})
    for place, name in places:
        ((place.type, place.value),) = values[name].items()
    return bool(operator.expr(None if row is None else _Seen(row)))


Step = Callable[[Wire, Mapping[str, Any]], None]


def updated(call: Mapping[str, Any], row: Wire) -> Wire:
    """Return a row as a call's UpdateExpression leaves it."""
    after = dict(row)
    names = tuple(sorted(call.get("ExpressionAttributeNames", {}).items()))
    for step in _steps(call["UpdateExpression"], names):
        step(after, call.get("ExpressionAttributeValues", {}))
    return after


@cache
def _steps(text: str, names: tuple[tuple[str, str], ...]) -> tuple[Step, ...]:
    parts = _CLAUSE.split(text)
    known = dict(names)
    steps: list[Step] = []
    for clause, body in zip(parts[1::2], parts[2::2], strict=True):
        pieces = re.split(r",\s*(?![^()]*\))", body.strip())
        steps += [_step(clause, piece.strip(), known) for piece in pieces]
    return tuple(steps)


def _step(clause: str, text: str, names: Mapping[str, str]) -> Step:
    if clause == "REMOVE":
        name = names[text]
        return lambda row, _: row.pop(name, None)
    if clause == "ADD":
        field, _, value = text.partition(" ")
        return _adding(names[field], value)
    if clause == "SET" and (match := _SET.fullmatch(text)):
        return _setting(names[f"#{match[1]}"], match[2])
    if clause == "SET" and (match := _SET_SUM.fullmatch(text)):
        source = names[f"#{match[2] or match[4]}"]
        return _summing(names[f"#{match[1]}"], source, (match[3], match[5], match[6]))
    if clause == "SET" and (match := _SET_DEFAULT.fullmatch(text)):
        return _defaulting(names[f"#{match[1]}"], names[f"#{match[2]}"], match[3])
    raise NotImplementedError(f"The model of DynamoDB does not know {clause} {text!r}.")


def _setting(name: str, value: str) -> Step:
    def step(row: Wire, values: Mapping[str, Any]) -> None:
        row[name] = values[value]

    return step


def _defaulting(name: str, source: str, value: str) -> Step:
    def step(row: Wire, values: Mapping[str, Any]) -> None:
        row[name] = row.get(source, values[value])

    return step


def _adding(name: str, value: str) -> Step:
    def step(row: Wire, values: Mapping[str, Any]) -> None:
        ((kind, amount),) = values[value].items()
        if kind == "SS":
            before = row.get(name, {}).get("SS", [])
            row[name] = {"SS": sorted({*before, *amount})}
        else:
            row[name] = _number(row.get(name), "+", amount)

    return step


def _summing(name: str, source: str, how: tuple[str | None, str, str]) -> Step:
    default, sign, amount = how

    def step(row: Wire, values: Mapping[str, Any]) -> None:
        before = row.get(source, None if default is None else values[default])
        row[name] = _number(before, sign, values[amount]["N"])

    return step


def _number(before: Mapping[str, str] | None, sign: str, amount: str) -> dict[str, str]:
    start = Decimal(0 if before is None else before["N"])
    return {"N": str(start + Decimal(amount) if sign == "+" else start - Decimal(amount))}
