"""What the description says of a target's options: a schema for each platform.

`openapi/document.py` puts them among its schemas, the bodies name them. Which one
holds follows from the account of the target; none takes keys that it does not know.
"""

from typing import Final

from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.option_catalogue import EVERYWHERE, KNOWN
from chalicelib.domain.platforms.platform import NAMES, Platform


def options_schemas() -> dict[str, JsonObject]:
    """Return the schema of each platform's options, by its name among the schemas."""
    return {_name(platform): _schema(platform) for platform in Platform}


def _name(platform: Platform) -> str:
    return f"{NAMES[platform].replace(' ', '')}Options"


def _schema(platform: Platform) -> JsonObject:
    known = {**EVERYWHERE, **KNOWN[platform]}
    properties: dict[str, Json] = {
        name: {**option.rule.schema, "description": option.about} for name, option in known.items()
    }
    return {
        "title": _name(platform),
        "description": f"Options on {NAMES[platform]}; other keys are refused.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


OPTIONS_SCHEMA: Final[JsonObject] = {
    "description": "What the platform of the target's account offers besides caption and file.",
    "anyOf": [{"$ref": f"#/components/schemas/{_name(platform)}"} for platform in Platform],
    "examples": [{"privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": True}],
}
"""What a body says of options."""
