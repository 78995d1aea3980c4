"""The template of a stage: chalice's functions and API, and the files of `infra/` laid over them.

The SAM transform is made here, on the deploying machine, so that what is reviewed, linted and
tested is exactly what CloudFormation gets.
"""

import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from boto3 import Session

from chalicelib.storage.tables import ROW_FORMAT
from infra.packaging.runtime import ARCHITECTURE
from infra.packaging.runtime import NAME as RUNTIME
from infra.template.first_tenth import unshared
from infra.template.functions import common_parts, events_of, queue_alarms, release_parts
from infra.template.log_metrics import log_metrics
from infra.template.merging import Json, Template, merge
from infra.template.table_watch import table_watch

_FOLDER: Final = Path(__file__).parent
LAYERS: Final = (
    _FOLDER.parent / "resources.json",
    *(_FOLDER / "parts" / f"{name}.json" for name in ("api", "functions", "watching", "front")),
)
"""The files that are laid over chalice's template, in this order."""

LAYER_CARRIERS: Final = ("Convert", "Prepare", "Retry")
"""The functions that decode files, and so carry FFmpeg and Pillow: copies for platforms are made in
the first, pictures of link cards in a confined process of the others."""

MOST_BYTES = 1_000_000
"""Of a template in a bucket (CloudFormation guide, "Understand CloudFormation quotas")."""


class UntranslatableError(Exception):
    """The merged template is not one that SAM understands; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Where CloudFormation finds what was packaged, and the name of the release it makes."""

    bucket: str
    zip_key: str
    layer_key: str | None = None
    release: str = "none"
    architecture: str = ARCHITECTURE


def stage_template(packaged: Template, stage: str) -> Template:
    """Return the whole stack in SAM's language; `packaged` is what chalice made."""
    layers = [json.loads(path.read_text(encoding="utf-8")) for path in LAYERS]
    names: Template = {
        "Description": f"goldenhour, stage {stage}: schedules and publishes social posts",
        "Parameters": {
            "ResourcePrefix": {"Default": f"goldenhour-{stage}"},
            "MediaBucketName": {"Default": f"goldenhour-{stage}-media"},
            "RowFormat": {
                "Type": "Number",
                "Default": ROW_FORMAT,
                "Description": "The form of the rows: older code than wrote them is not deployed",
            },
        },
    }
    functions = resources_of(packaged, "AWS::Serverless::Function")
    whole = merge(packaged, *layers, common_parts(functions), log_metrics(functions), names)
    _warm(whole)
    queues = queue_alarms(resources_of(whole, "AWS::SQS::Queue"), _readers(whole))
    tables = table_watch(resources_of(whole, "AWS::DynamoDB::Table"))
    return merge(_calling_aliases(whole), _protected(whole), _regional(whole), queues, tables)


def plain_template(template: Template, *, code: Code, region: str) -> Template:
    """Translate to plain CloudFormation whose functions run what was packaged.

    Raises UntranslatableError.
    """
    # It takes half a second to import, and each process of the tests reads this file.
    from samtranslator.model.exceptions import InvalidDocumentException  # noqa: PLC0415
    from samtranslator.parser.parser import Parser  # noqa: PLC0415
    from samtranslator.translator.translator import Translator  # noqa: PLC0415

    functions = resources_of(template, "AWS::Serverless::Function")
    places: Json = {
        name: {
            "Properties": {
                "CodeUri": f"s3://{code.bucket}/{code.zip_key}",
                "Architectures": [code.architecture],
            }
        }
        for name in functions
    }
    bare = _without_architectures(template)
    placed = merge(bare, {"Resources": places}, release_parts(functions, code.release))
    if code.layer_key is not None:
        placed = merge(placed, layer_parts(code.bucket, code.layer_key, code.architecture))
    try:
        translator = Translator({}, Parser(), boto_session=Session(region_name=region))
        plain = cast("Template", translator.translate(placed, {}))
    except InvalidDocumentException as error:
        raise UntranslatableError(error.message) from error
    return merge(plain, {"Resources": _binary_types(plain)}, unshared(plain))


def _without_architectures(template: Template) -> Template:
    """Return it without those that chalice names: lists are joined, and a function has one."""
    bare = deepcopy(template)
    for function in resources_of(bare, "AWS::Serverless::Function").values():
        cast("dict[str, Json]", function["Properties"]).pop("Architectures", None)
    return bare


def layer_parts(bucket: str, key: str, architecture: str = ARCHITECTURE) -> Template:
    """Return what is laid over the template for a layer whose zip is at bucket and key."""
    return {
        "Resources": {
            "MediaTools": {
                "Type": "AWS::Lambda::LayerVersion",
                # A rollback needs the version before.
                "DeletionPolicy": "Delete",
                "UpdateReplacePolicy": "Retain",
                "Properties": {
                    "LayerName": {"Fn::Sub": "${ResourcePrefix}-media-tools"},
                    "Description": "What converts files for platforms",
                    "Content": {"S3Bucket": bucket, "S3Key": key},
                    "CompatibleRuntimes": [RUNTIME],
                    "CompatibleArchitectures": [architecture],
                },
            },
            **{
                name: {"Properties": {"Layers": [{"Ref": "MediaTools"}]}} for name in LAYER_CARRIERS
            },
        }
    }


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


def _protected(template: Template) -> Template:
    """Protect tables once their stack stands: protected ones outlive a failed creation."""
    protected: Json = {"Fn::If": ["DataIsProtected", True, False]}
    tables = resources_of(template, "AWS::DynamoDB::Table")
    return {
        "Resources": {
            name: {"Properties": {"DeletionProtectionEnabled": protected}} for name in tables
        }
    }


def _regional(template: Template) -> Template:
    """Let a new stage's key have copies in other regions: a key of before cannot become such."""
    many: Json = {"Fn::If": ["KeyIsForManyRegions", True, {"Ref": "AWS::NoValue"}]}
    keys = resources_of(template, "AWS::KMS::Key")
    return {"Resources": {name: {"Properties": {"MultiRegion": many}} for name in keys}}


def _warm(template: Template) -> None:
    """Let the table of the posts and each of its indexes serve a burst from the first."""
    writes: Json = {
        "Fn::If": [
            "HasWarmWrites",
            {"WriteUnitsPerSecond": {"Ref": "WarmWrites"}},
            {"Ref": "AWS::NoValue"},
        ]
    }
    table = cast("dict[str, Any]", resources_of(template)["PostsTable"]["Properties"])
    for one in (table, *table["GlobalSecondaryIndexes"]):
        one["WarmThroughput"] = writes


def _readers(template: Template) -> dict[str, str]:
    """Return which function reads each queue."""
    readers: dict[str, str] = {}
    for name, function in resources_of(template, "AWS::Serverless::Function").items():
        for event in events_of(function, "SQS"):
            source = cast("dict[str, Any]", function["Properties"])["Events"][event]
            readers[source["Properties"]["Queue"]["Fn::GetAtt"][0]] = name
    return readers


def _calling_aliases(template: Template) -> Template:
    """Let the API call its function's alias: SAM turns rules and queues to it, but not this."""
    text = json.dumps(template)
    called = text.replace("functions/${APIHandler.Arn}/", "functions/${APIHandler.Alias}/")
    permission: Json = {"Properties": {"FunctionName": {"Ref": "APIHandler.Alias"}}}
    return merge(json.loads(called), {"Resources": {"APIHandlerInvokePermission": permission}})
