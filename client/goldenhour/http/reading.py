"""From JSON to the dataclasses of `models`, by their type hints.

Fields that this version does not know are skipped, so a newer service can be read; a field that is
missing or has another type is an `UnexpectedAnswer` that names it.
"""

import functools
import types
from collections.abc import Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from goldenhour.errors import UnexpectedAnswer

T = TypeVar("T")


def read(kind: type[T], value: object, at: str = "") -> T:
    """Return `value` as a `kind`. Raises UnexpectedAnswer with the path of what does not fit."""
    return cast("T", _read(kind, value, at))


def _read(kind: Any, value: object, at: str) -> object:  # noqa: ANN401 - a type hint is no class
    origin = get_origin(kind)
    if kind in (object, Any):
        return value
    if origin in (Union, types.UnionType):
        return _read_optional(kind, value, at)
    if origin is tuple:
        item = get_args(kind)[0]
        return tuple(_read(item, each, f"{at}[{i}]") for i, each in enumerate(_as(list, value, at)))
    if origin is not None and issubclass(origin, Mapping):
        item = get_args(kind)[1]
        entries = _as(dict, value, at).items()
        return {key: _read(item, each, f"{at}.{key}") for key, each in entries}
    if is_dataclass(kind):
        return _read_dataclass(cast("type[Any]", kind), value, at)
    return _read_plain(kind, value, at)


def _read_optional(kind: Any, value: object, at: str) -> object:  # noqa: ANN401 - as _read
    inner = [each for each in get_args(kind) if each is not type(None)]
    return None if value is None else _read(inner[0], value, at)


def _read_dataclass(kind: type[Any], value: object, at: str) -> object:
    given = _as(dict, value, at)
    known = {}
    for name, (hint, is_required) in _hints(cast("Hashable", kind)).items():
        if name in given:
            known[name] = _read(hint, given[name], f"{at}.{name}")
        elif is_required:
            raise UnexpectedAnswer(f"The answer lacks {f'{at}.{name}'.lstrip('.')}.")
    return kind(**known)


@functools.cache
def _hints(kind: Any) -> Mapping[str, tuple[object, bool]]:  # noqa: ANN401 - as _read
    hints = get_type_hints(kind)
    return {
        each.name: (hints[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(kind)
        if not each.name.startswith("_")
    }


def _read_plain(kind: type[Any], value: object, at: str) -> object:
    if kind in (datetime, date):
        try:
            return kind.fromisoformat(_as(str, value, at).replace("Z", "+00:00"))
        except ValueError as wrong:
            raise UnexpectedAnswer(f"{at.lstrip('.')} is not a time: {value!r}") from wrong
    if kind is float:
        return float(_as((int, float), value, at))
    return _as(kind, value, at)


def _as(kind: Any, value: object, at: str) -> Any:  # noqa: ANN401 - checked right here
    if (isinstance(value, bool) and kind is not bool) or not isinstance(value, kind):
        raise UnexpectedAnswer(
            f"{at.lstrip('.') or 'The answer'} is not what was expected: {value!r:.80}"
        )
    return value
