"""What an unknown field of a body or query was probably meant to be, by the model it was sent to.

`problems` puts the sentence in 422 `detail`. A field that belongs one level further down (a time
beside `targets` instead of in one of them) is named with its way, as `targets[].scheduled_at`.
"""

from collections.abc import Iterator, Sequence
from typing import get_args

from pydantic import BaseModel

from chalicelib.domain.nearest_name import nearest_name, unknown_message


def unknown_field_message(model: type[BaseModel], loc: Sequence[str | int]) -> str:
    """Say which field was probably meant by the one that `loc` ends with."""
    *way, last = loc
    owner = _at(model, way)
    unknown = str(last)
    if nearest_name(unknown, _names(owner)) is None:
        for name, inner in _nested(owner):
            meant = nearest_name(unknown, _names(inner))
            if meant is not None:
                return f"Unknown field; did you mean `{name}[].{meant}`?"
    return unknown_message(unknown, _names(owner))


def _at(model: type[BaseModel], way: Sequence[str | int]) -> type[BaseModel]:
    """Return the model in which the way ends."""
    for step in way:
        model = dict(_nested(model)).get(str(step), model)
    return model


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _nested(model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    for name, field in model.model_fields.items():
        inner = next(_models_in(field.annotation), None)
        if inner is not None:
            yield field.alias or name, inner


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
