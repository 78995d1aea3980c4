"""Writes the client's classes of answers from the description: `make openapi`.

The client's classes are plain frozen values, so no general generator's models would do; what a post
of the client can besides stands in `goldenhour/models/posts.py`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_HEAD = '''"""What the service answers, as values.

Written by `make openapi` of the service from its description, not by hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime'''

_OTHERWISE = (
    "Detail", "ErrorBody", "ListedPost", "MediaList", "Nothing", "Posts", "Problem", "Refusal",
)  # fmt: skip
"""Errors, and what the client's own `Post` reads."""
_SENT = ("In", "Options")
_NAMES = {
    "Accounts": "AccountList",
    "Post": "PostFields",
    "ServiceHealth": "Health",
    "TiktokCreator": "CreatorOptions",
}
_NOTHING = {"$ref": "#/components/schemas/Nothing"}
_PLAIN = {
    "date-time": "datetime",
    "date": "date",
    "string": "str",
    "integer": "int",
    "int32": "int",
    "int64": "int",
    "uri": "str",
    "number": "float",
    "boolean": "bool",
}

Schema = Mapping[str, Any]


def client_models(description: Schema) -> str:
    """Return the module."""
    schemas = description["components"]["schemas"]
    wanted = [name for name in schemas if _is_answer(schemas, name) and name not in _OTHERWISE]
    written: dict[str, list[str]] = {}
    for name in wanted:
        _write(name, schemas, written)
    return "\n".join([_HEAD, *(line for lines in written.values() for line in lines)]) + "\n"


def _write(name: str, schemas: Mapping[str, Schema], written: dict[str, list[str]]) -> None:
    """Write the class of a schema, after those that its fields are made of."""
    if name in written or name == "Nothing":
        return
    schema, properties = schemas[name], schemas[name]["properties"]
    for part in _parts(properties):
        if _is_answer(schemas, part):
            _write(part, schemas, written)
    required, name_here = set(schema["required"]), _class_name(name)
    lines = [
        f"{field}: {_type(schemas, kind)}" + ("" if field in required else _default(kind))
        for field, kind in properties.items()
    ]
    if name.endswith("s") and properties.get("data", {}).get("type") == "array":
        lines += _list_methods(_type(schemas, properties["data"]["items"]))
    written[name] = [*_class(name_here, schema["description"], lines)]
    if _NOTHING in _alternatives(schemas, name):
        lines = [
            f"{field}: {_type(schemas, kind)} | None = None" for field, kind in properties.items()
        ]
        about = f"{schema['description'][:-1]}; every field is None until a platform reported."
        written[f"Platform{name}"] = [*_class(f"Platform{name_here}", about, lines)]


def _class(name: str, about: str, lines: list[str]) -> Iterator[str]:
    yield from ("", "", "@dataclass(frozen=True, slots=True, kw_only=True)", f"class {name}:")
    yield f'    """{about}"""'
    yield ""
    yield from (f"    {line}" if line else "" for line in lines)


def _list_methods(item: str) -> list[str]:
    return [
        "",
        f"def __iter__(self) -> Iterator[{item}]:",
        "    return iter(self.data)",
        "",
        "def __len__(self) -> int:",
        "    return len(self.data)",
    ]


def _is_answer(schemas: Mapping[str, Schema], name: str) -> bool:
    """Tell whether a schema is an answer or a part of one, and no word of a closed set."""
    return schemas[name].get("type") == "object" and not name.endswith(_SENT)


def _type(schemas: Mapping[str, Schema], schema: Schema) -> str:
    """Return the annotation of a field."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _class_name(name) if _is_answer(schemas, name) else "str"
    if "anyOf" in schema:
        first, other = schema["anyOf"]
        of_first = _type(schemas, first)
        return f"Platform{of_first}" if other == _NOTHING else f"{of_first} | None"
    if schema["type"] == "array":
        return f"tuple[{_type(schemas, schema['items'])}, ...]"
    if schema["type"] == "object":
        each = schema["additionalProperties"]
        return f"Mapping[str, {'object' if each is True else _type(schemas, each)}]"
    return _PLAIN[schema.get("format", schema["type"])]


def _default(schema: Schema) -> str:
    return " = ()" if schema.get("type") == "array" else " = None"


def _class_name(name: str) -> str:
    return _NAMES.get(name, name)


def _parts(schema: object) -> Iterator[str]:
    """Yield the names of the schemas that one is made of."""
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            yield str(schema["$ref"]).rpartition("/")[2]
        for inner in schema.values():
            yield from _parts(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _parts(inner)


def _alternatives(schemas: Mapping[str, Schema], name: str) -> list[Schema]:
    """Return what stands beside a schema wherever a field is either."""
    wanted = {"$ref": f"#/components/schemas/{name}"}
    found: list[Schema] = []

    def look(schema: object) -> None:
        if isinstance(schema, Mapping):
            if wanted in schema.get("anyOf", ()):
                found.extend(schema["anyOf"])
            for inner in schema.values():
                look(inner)

    look(schemas)
    return found
