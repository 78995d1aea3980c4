"""Reads a template as tests do: the properties of all resources of one type."""

from typing import Any

from infra.template.merging import Template
from infra.template.stage import resources_of

FUNCTIONS = "AWS::Lambda::Function"


def properties(template: Template, kind: str) -> dict[str, dict[str, Any]]:
    """Return the properties of the resources of one type, by their names."""
    return {name: dict(one["Properties"]) for name, one in resources_of(template, kind).items()}  # type: ignore[arg-type]


def reader(source: dict[str, Any]) -> str:
    """Return the function that an event source mapping calls, by its alias."""
    return str(source["FunctionName"]["Ref"]).removesuffix("Aliaslive")
