"""Answers that write themselves: a model's fields are the attributes of what it shows.

    class QueueSlotOut(Out, Of[QueueSlot]):
        id: str
        weekdays: list[int]

`Of` says which value an endpoint must return for it. A field that the value calls otherwise says
so by `Annotated[..., From("name")]`; what depends on who asks is added by a `serialize` of its own.
Models drive the description; no answer is checked against them at run time.
"""

from collections.abc import Callable
from datetime import date
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict

from chalicelib.api.http.endpoint import AnyCall
from chalicelib.http.messages import JsonObject

ValueT_contra = TypeVar("ValueT_contra", contravariant=True)
Write = Callable[[Any, AnyCall | None], Any]


class From:
    """Where a field comes from: another attribute, or what a function makes of the value."""

    def __init__(self, source: str | Callable[[Any], Any]) -> None:
        self.read = attrgetter(source) if isinstance(source, str) else source


class Out(BaseModel):
    """The shape of an answer, or of a part of one."""

    model_config = ConfigDict(defer_build=True)

    @classmethod
    def serialize(cls, value: Any, call: AnyCall | None) -> JsonObject:  # noqa: ANN401 - any value
        """Return a value as JSON; `call` is None where no request asks."""
        return {
            name: None if (got := read(value)) is None else write(got, call)
            for name, read, write in _fields(cls)
        }


class Of(Generic[ValueT_contra]):
    """Says which value a model shows."""

    @classmethod
    def of(cls, result: ValueT_contra, call: AnyCall) -> JsonObject:
        """Return a result as JSON."""
        return cast("type[Out]", cls).serialize(result, call)


@cache
def _fields(cls: type[Out]) -> list[tuple[str, Callable[[Any], Any], Write]]:
    return [
        (name, _reader(name, field.metadata), _write(field.annotation))
        for name, field in cls.model_fields.items()
    ]


def _reader(name: str, metadata: list[Any]) -> Callable[[Any], Any]:
    return next((one.read for one in metadata if isinstance(one, From)), attrgetter(name))


def _write(kind: Any) -> Write:  # noqa: ANN401, PLR0911 - one line for each type
    """Return what writes a value of a declared type that is there."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _write(parts[0])
    if origin in (Union, UnionType):
        return _write(next(one for one in parts if one is not type(None)))
    if origin is list:
        each = _write(parts[0])
        return lambda values, call: [each(one, call) for one in values]
    if origin is dict:
        part = _write(parts[1])
        return lambda values, call: {name: part(one, call) for name, one in values.items()}
    if isinstance(kind, type) and issubclass(kind, Out):
        return kind.serialize
    if isinstance(kind, type) and issubclass(kind, date):
        return lambda moment, _: moment.isoformat()
    return lambda value, _: value
