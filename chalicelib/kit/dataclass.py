"""`dataclass` for frozen values with slots: the standard library's, at a third of the import cost.

The standard one writes the source of six methods for each class and compiles it, which was a fifth
of a cold start (docs/adr/0024). Here the constructor alone is compiled; the other methods are
shared by all classes. Fields, slots, `replace` and `asdict` are the standard library's own, and
mypy checks each class as the standard one.
"""

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type], type]:
        """Give a class what its fields ask for; methods that it has itself stay."""
        if not (frozen and eq):
            return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)
        of_its_own = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
        )

        def decorate(plain: type) -> type:
            for name, method in _SHARED.items():
                if name not in vars(plain):
                    setattr(plain, name, method)
            made = of_its_own(plain)
            made.__init__ = _constructor(made)
            return made

        return decorate


def _constructor(cls: Any) -> Callable[..., None]:  # noqa: ANN401 - of whatever class
    """Return the class's `__init__`, compiled from its fields."""
    fields = dataclasses.fields(cls)
    taken = [each for each in fields if each.init]
    by_place = [_parameter(each) for each in taken if not each.kw_only]
    by_name = [_parameter(each) for each in taken if each.kw_only]
    parameters = ["self", *by_place, *(["*", *by_name] if by_name else [])]
    ending = ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    lines = "\n ".join([*_assignments(fields), *ending, "pass"])
    known: dict[str, Any] = {"_set": object.__setattr__, "_UNSET": dataclasses.MISSING}
    for each in fields:
        known[f"_default_{each.name}"] = each.default
        known[f"_made_{each.name}"] = each.default_factory
    exec(f"def __init__({', '.join(parameters)}):\n {lines}", known)  # noqa: S102 - fields' names
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {**{each.name: each.type for each in taken}, "return": None}
    return made


def _parameter(field: "dataclasses.Field[Any]") -> str:
    """Return a field's place in the signature."""
    if field.default_factory is not dataclasses.MISSING:
        return f"{field.name}=_UNSET"
    if field.default is not dataclasses.MISSING:
        return f"{field.name}=_default_{field.name}"
    return field.name


def _assignments(fields: "tuple[dataclasses.Field[Any], ...]") -> Iterator[str]:
    """Yield what sets each field: what was given, else its default."""
    for field in fields:
        name = field.name
        if field.default_factory is not dataclasses.MISSING:
            given = f" if {name} is _UNSET else {name}" if field.init else ""
            yield f"_set(self, {name!r}, _made_{name}(){given})"
        elif field.init:
            yield f"_set(self, {name!r}, {name})"
        elif field.default is not dataclasses.MISSING:
            yield f"_set(self, {name!r}, _default_{name})"


@cache
def _compared_fields(cls: Any) -> Callable[[object], object]:  # noqa: ANN401 - of whatever class
    """Return what reads the fields that tell two values of a class apart."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else bool


@recursive_repr()
def _repr(value: Any) -> str:  # noqa: ANN401 - of whatever class
    shown = [field.name for field in dataclasses.fields(value) if field.repr]
    told = ", ".join(f"{name}={getattr(value, name)!r}" for name in shown)
    return f"{type(value).__qualname__}({told})"


def _equals(value: Any, other: Any) -> Any:  # noqa: ANN401 - of whatever class
    cls: Any = type(value)
    if other.__class__ is not cls:
        return NotImplemented
    read = _compared_fields(cls)
    return read(value) == read(other)


def _hash(value: Any) -> int:  # noqa: ANN401 - of whatever class
    cls: Any = type(value)
    return hash(_compared_fields(cls)(value))


def _refuse_change(value: object, name: str, new: object = None) -> None:
    del value, new
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _state(value: Any) -> list[object]:  # noqa: ANN401 - of whatever class
    return [getattr(value, field.name) for field in dataclasses.fields(value)]


def _restore(value: Any, state: list[object]) -> None:  # noqa: ANN401 - of whatever class
    for field, kept in zip(dataclasses.fields(value), state, strict=True):
        object.__setattr__(value, field.name, kept)


_SHARED = {
    "__repr__": _repr,
    "__eq__": _equals,
    "__hash__": _hash,
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_change,
    "__getstate__": _state,
    "__setstate__": _restore,
}
