"""Converting dataclasses to rows and back, by the fields that the class declares.

`Record(Letter, apart=("id", "copies"))` writes and reads every other field of the class, under its
own name or the one in `stored`. The type of a field decides how it is stored: instants as text in
UTC, floats in thousandths, sets and tuples as lists, mappings and dataclasses as packed JSON. None
is left out of a row; a field that old rows lack needs a default. Attributes, fields of packed
values and members of sets that only a later release knows are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType, UnionType
from typing import Any, Final, Generic, NamedTuple, TypeVar, Union, get_args, get_origin

from chalicelib.kit.dynamodb.items import Item, epoch, instant, pack, stamp, unpack

ValueT = TypeVar("ValueT")


class Kind(NamedTuple):
    """How values of a type are written to a row, and read again."""

    spell: Callable[[Any], Any]
    read: Callable[[Any], Any]


class Column(NamedTuple):
    """A field and its attribute in a row; `must` tells that every row has it."""

    field: str
    stored: str
    kind: Kind
    must: bool
    has_default: bool


class Record(Generic[ValueT]):
    """Writes values of a class as rows and reads them.

    Fields in `apart` are not stored: whoever reads passes them to `value`. Fields in `spread` have
    a record of their own, whose attributes are in the same row. `kinds` overrides how a field is
    stored, and `prefix` begins every attribute's name.
    """

    def __init__(
        self,
        cls: type[ValueT],
        *,
        apart: tuple[str, ...] = (),
        stored: Mapping[str, str] = MappingProxyType({}),
        spread: Mapping[str, Record[Any]] = MappingProxyType({}),
        kinds: Mapping[str, Kind] = MappingProxyType({}),
        prefix: str = "",
    ) -> None:
        self._cls = cls
        self._apart = {*apart, *spread}
        self._stored = stored
        self._spread = spread
        self._kinds = kinds
        self._prefix = prefix

    @cached_property
    def _columns(self) -> tuple[Column, ...]:
        return tuple(
            Column(
                field=each.name,
                stored=self._prefix + self._stored.get(each.name, each.name),
                kind=self._kinds.get(each.name) or _kind(_type_of(each), in_row=True),
                must=not _is_optional(each.type),
                has_default=_has_default(each),
            )
            for each in fields(self._cls)  # type: ignore[arg-type]  # a dataclass
            if each.name not in self._apart
        )

    def item(self, value: ValueT) -> Item:
        """Return the attributes of a value, None for absent ones."""
        row: Item = {}
        for field, stored, kind, _, _ in self._columns:
            got = getattr(value, field)
            row[stored] = None if got is None else kind.spell(got)
        for name, record in self._spread.items():
            part = getattr(value, name)
            row |= dict.fromkeys(record.names) if part is None else record.item(part)
        return row

    def value(self, row: Mapping[str, Any], **apart: Any) -> ValueT:  # noqa: ANN401 - any field
        """Read a value from a row. Raises KeyError if a required attribute is missing."""
        given = apart
        for field, stored, kind, must, has_default in self._columns:
            kept = row.get(stored)
            if kept is not None:
                given[field] = kind.read(kept)
            elif not has_default:
                given[field] = row[stored] if must else None
        for name, record in self._spread.items():
            given[name] = record.value(row) if record.is_in(row) else None
        return self._cls(**given)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all attributes."""
        return tuple(each.stored for each in self._columns)

    def is_in(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row has any attribute of such a value."""
        return any(each.stored in row for each in self._columns)


def _spell_field(kind: Kind, value: object, field: str) -> Any:  # noqa: ANN401 - any value
    got = getattr(value, field)
    return None if got is None else kind.spell(got)


def _same(value: Any) -> Any:  # noqa: ANN401 - any value
    return value


def thousandths(number: float) -> int:
    """Return a number in whole thousandths, since rows have no floats."""
    return round(number * 1000)


def of_thousandths(kept: int) -> float:
    """Return the number that `thousandths` was given, to three decimals."""
    return kept / 1000


def _at_second(kept: int) -> datetime:
    return datetime.fromtimestamp(kept, UTC)


WHOLE_SECOND: Final = Kind(epoch, _at_second)
"""An instant in whole seconds since 1970, as DynamoDB's TTL needs it."""
_SAME: Final = Kind(_same, _same)
_INSTANT: Final = Kind(stamp, instant)
_DAY: Final = Kind(date.isoformat, date.fromisoformat)
_THOUSANDTHS: Final = Kind(thousandths, of_thousandths)
_JSON_OBJECT: Final = Kind(dict, _same)
_PACKED_OBJECT: Final = Kind(lambda value: pack(dict(value)), lambda kept: unpack(kept) or {})


@cache
def _kind(kind: Any, *, in_row: bool) -> Kind:  # noqa: ANN401, PLR0911 - one line for each type
    origin = get_origin(kind)
    if origin in (tuple, frozenset):
        return _list_kind(origin, get_args(kind)[0], in_row=in_row)
    if origin is not None and issubclass(origin, Mapping):
        return _PACKED_OBJECT if in_row else _JSON_OBJECT
    if is_dataclass(kind):
        return _nested_kind(kind, in_row=in_row)
    if not isinstance(kind, type):
        return _SAME
    if issubclass(kind, StrEnum):
        return Kind(_same, kind)
    if issubclass(kind, datetime):
        return _INSTANT
    if issubclass(kind, date):
        return _DAY
    return _THOUSANDTHS if kind is float and in_row else _SAME


def _list_kind(container: type, of: Any, *, in_row: bool) -> Kind:  # noqa: ANN401 - a type
    part = _kind(of, in_row=in_row)
    ordered = sorted if container is frozenset else list
    is_choice = container is frozenset and isinstance(of, type) and issubclass(of, StrEnum)
    known = frozenset(of) if is_choice else None

    def spell(value: Any) -> Any:  # noqa: ANN401 - of whatever parts
        return ordered(map(part.spell, value))

    def read(kept: Any) -> Any:  # noqa: ANN401 - of whatever parts
        return container(part.read(one) for one in kept if known is None or one in known)

    return Kind(spell, read)


def _nested_kind(cls: Any, *, in_row: bool) -> Kind:  # noqa: ANN401 - a dataclass
    kinds = {each.name: _kind(_type_of(each), in_row=False) for each in fields(cls)}
    may_lack = {each.name for each in fields(cls) if each.default is None}

    def spell(value: Any) -> Any:  # noqa: ANN401 - of that class
        spelled = {name: _spell_field(kind, value, name) for name, kind in kinds.items()}
        told = {k: v for k, v in spelled.items() if v is not None or k not in may_lack}
        return pack(told) if in_row else told

    def read(kept: Any) -> Any:  # noqa: ANN401 - as it was spelled
        values = (unpack(kept) or {}) if in_row else kept
        return cls(
            **{
                name: None if value is None else kinds[name].read(value)
                for name, value in values.items()
                if name in kinds
            }
        )

    return Kind(spell, read)


def _type_of(field: Field[Any]) -> Any:  # noqa: ANN401 - a type, of whatever form
    """Return a field's type without its `| None`."""
    if get_origin(field.type) in (Union, UnionType):
        return next(one for one in get_args(field.type) if one is not type(None))
    return field.type


def _is_optional(kind: object) -> bool:
    return type(None) in get_args(kind)


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING
