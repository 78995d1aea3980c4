"""What a request says twice: lists take it, anything else is refused.

Whichever of two values counted, the other would be dropped without a word, and a slip must never
change what goes out.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from pydantic import BaseModel

from chalicelib.api.http.fields import COMMA_SEPARATED
from chalicelib.api.http.problems import MOST_PROBLEMS, Malformed, Problem, repeated
from chalicelib.kit.json_value import Json

Way: TypeAlias = tuple[str | int, ...]

_MOST_DIGITS = 40


def join_repeats(
    model: type[BaseModel], sent: Mapping[str, Sequence[str]]
) -> tuple[dict[str, str], list[Problem]]:
    """Return each parameter's one text, and what is wrong about those that have several.

    A list takes commas and repeats alike, even mixed.
    """
    lists = {
        field.alias or name
        for name, field in model.model_fields.items()
        if COMMA_SEPARATED in field.metadata
    }
    known = {field.alias or name for name, field in model.model_fields.items()}
    joined = {
        name: ",".join(values) if name in lists else values[-1]
        for name, values in sent.items()
        if values
    }
    twice = [name for name, values in sent.items() if len(values) > 1]
    wrong = [name for name in twice if name in known - lists]
    return joined, [repeated(("query", name), sent[name][1]) for name in wrong]


def refuse_repeated_keys(sent: bytes) -> None:
    """Refuse JSON in which an object, at any depth, names a key twice. Raises Malformed.

    It is JSON already by pydantic's parser, which is the strict one and bounds its depth.
    """
    doubles: list[_Object] = []

    def noticing(pairs: list[tuple[str, Json]]) -> _Object:
        made = _Object(pairs)
        if len(made) < len(pairs):
            doubles.append(made)
        return made

    whole: Json = json.loads(sent.decode(), object_pairs_hook=noticing, parse_int=_whole)
    if not doubles:
        return
    found = sorted(_repeats(whole, ()), key=lambda one: len(one[0]))[:MOST_PROBLEMS]
    raise Malformed([repeated(("body", *way), value) for way, value in found])


class _Object(dict[str, Json]):
    """A JSON object that still knows every pair."""

    def __init__(self, pairs: Iterable[tuple[str, Json]]) -> None:
        self.pairs = list(pairs)
        super().__init__(self.pairs)

    def repeats(self) -> Iterator[tuple[str, Json]]:
        """Yield each key that comes again, with the value that came with it the second time."""
        times: dict[str, int] = {}
        for name, value in self.pairs:
            times[name] = times.get(name, 0) + 1
            if times[name] == 2:  # noqa: PLR2004 - the second time
                yield name, value


def _repeats(value: Json, way: Way) -> Iterator[tuple[Way, Json]]:
    """Yield the way to each key that comes again, and its second value."""
    match value:
        case _Object():
            for name, second in value.repeats():
                yield (*way, name), second
            for name, inner in value.pairs:
                yield from _repeats(inner, (*way, name))
        case list():
            for place, inner in enumerate(value):
                yield from _repeats(inner, (*way, place))
        case _:
            return


def _whole(digits: str) -> int | str:
    """Read a number of as many digits as anything here may have; longer ones stay a text."""
    return int(digits) if len(digits) <= _MOST_DIGITS else digits
