"""What schemas are called in the description: as callers would say it.

A model of an answer is a class named after what it shows and `Out`, which tells it from the thing
itself in the code; callers know one Post only.
"""

from chalicelib.http.messages import JsonObject
from chalicelib.kit.json_value import Json

_SUFFIX = "Out"
_WHERE = "#/components/schemas/"


def public_name(model: str) -> str:
    """Return what callers call a model."""
    return model.removesuffix(_SUFFIX)


def without_suffix(document: JsonObject) -> JsonObject:
    """Return the description with every schema by its public name."""
    components = document["components"]
    schemas = components["schemas"] if isinstance(components, dict) else None
    if not isinstance(components, dict) or not isinstance(schemas, dict):
        raise TypeError(components)
    named: JsonObject = {
        public_name(name): _give_public_title(schema) for name, schema in schemas.items()
    }
    if len(named) < len(schemas):
        raise ValueError("two schemas have one public name")
    renamed = _rename_references({**document, "components": {**components, "schemas": named}})
    return renamed if isinstance(renamed, dict) else document


def _give_public_title(schema: Json) -> Json:
    if not isinstance(schema, dict) or not isinstance(schema.get("title"), str):
        return schema
    return {**schema, "title": public_name(str(schema["title"]))}


def _rename_references(part: Json) -> Json:
    """Return a part of the description whose references lead to public names."""
    match part:
        case dict():
            return {
                name: _reference(name, _rename_references(value)) for name, value in part.items()
            }
        case list():
            return [_rename_references(one) for one in part]
        case _:
            return part


def _reference(name: str, value: Json) -> Json:
    if name == "$ref" and isinstance(value, str) and value.startswith(_WHERE):
        return public_name(value)
    return value
