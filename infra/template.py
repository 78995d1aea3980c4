"""The template of a stage: chalice's functions and API, and the files of `infra/` laid over them.

The SAM transform is made here, on the deploying machine, so that what is reviewed, linted and
tested is exactly what CloudFormation gets.
"""

import json
from pathlib import Path
from typing import Any, Final, cast

from boto3 import Session
from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from infra.functions import common_parts
from infra.merging import Json, Template, merge

FOLDER = Path(__file__).parent
LAYERS: Final = ("resources", "api", "functions", "watching", "front")
"""The files that are laid over chalice's template, in this order."""

MOST_BYTES = 1_000_000
"""CloudFormation's limit for a template in a bucket."""


class UntranslatableError(Exception):
    """The merged template is not one that SAM understands; the message says why."""


def stage_template(packaged: Template, stage: str) -> Template:
    """Return the whole stack in SAM's language; `packaged` is what chalice made."""
    layers = [json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in LAYERS]
    names: Template = {
        "Description": f"goldenhour, stage {stage}: schedules and publishes social posts",
        "Parameters": {
            "ResourcePrefix": {"Default": f"goldenhour-{stage}"},
            "MediaBucketName": {"Default": f"goldenhour-{stage}-media"},
        },
    }
    functions = resources_of(packaged, "AWS::Serverless::Function")
    return merge(packaged, *layers, common_parts(functions), names)


def plain_template(template: Template, *, code: tuple[str, str], region: str) -> Template:
    """Translate to plain CloudFormation whose functions run the zip at `code`: bucket and key.

    Raises UntranslatableError.
    """
    bucket, key = code
    placed = _with_code(template, f"s3://{bucket}/{key}")
    try:
        translator = Translator({}, Parser(), boto_session=Session(region_name=region))
        plain = cast("Template", translator.translate(placed, {}))
    except InvalidDocumentException as error:
        raise UntranslatableError(error.message) from error
    return merge(plain, {"Resources": _binary_types(plain)})


def written(template: Template) -> str:
    """Return a template as the text that is uploaded."""
    return json.dumps(template, separators=(",", ":"))


def resources_of(template: Template, kind: str | None = None) -> dict[str, dict[str, Json]]:
    """Return a template's resources by name, all or those of one type."""
    found = cast("dict[str, dict[str, Json]]", template["Resources"])
    return {name: one for name, one in found.items() if kind in (None, one["Type"])}


def _binary_types(plain: Template) -> Template:
    """Say outside the API's body too which types are bytes; emulators look only there."""
    apis = cast("dict[str, Any]", resources_of(plain, "AWS::ApiGateway::RestApi"))
    said = "x-amazon-apigateway-binary-media-types"
    return {
        name: {"Properties": {"BinaryMediaTypes": api["Properties"]["Body"][said]}}
        for name, api in apis.items()
    }


def _with_code(template: Template, uri: str) -> Template:
    functions = resources_of(template, "AWS::Serverless::Function")
    places: Json = {name: {"Properties": {"CodeUri": uri}} for name in functions}
    return merge(template, {"Resources": places})
