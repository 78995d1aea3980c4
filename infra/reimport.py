"""`make import STAGE=…`: makes a stack around the data that a deleted one left behind.

Tables, bucket and key outlive their stack, and a new one of that name cannot be made while they
exist. CloudFormation imports them into a stack that holds nothing else; `make deploy` then adds the
rest. The deleted stack tells its key and its parameters for 90 days, later the key has to be named:
tokens can be read with that key alone.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click
from botocore.exceptions import BotoCoreError, ClientError

from infra.artifacts import Artifacts
from infra.deploy import Aws, show
from infra.destroy import Remains
from infra.packaging.libraries import PROJECT
from infra.packaging.package import PackagingError, package
from infra.parameters import KEY_REGIONS, ParameterError, choose
from infra.session import aws_session
from infra.stack import ChangeSet, Import, Stack, StackError
from infra.stage_names import require_stage
from infra.template.merging import Template
from infra.template.stage import resources_of, stage_template, written

if TYPE_CHECKING:
    from infra.template.merging import Json

_KEY: Final = "AWS::KMS::Key"
IDENTIFIERS: Final = {
    "AWS::DynamoDB::Table": "TableName",
    "AWS::S3::Bucket": "BucketName",
    _KEY: "KeyId",
}
"""By which property CloudFormation knows a resource that it imports."""

NO_KEY: Final = "none"
_GONE: Final = ("ResourceNotFoundException", "NotFoundException", "NoSuchBucket", "404")


class NotImportableError(Exception):
    """There is nothing to import, or not yet; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An import that is ready to be made, and the resources that no longer exist."""

    stack: Stack
    change_set: ChangeSet
    missing: tuple[str, ...]


def prepare(aws: Aws, remains: Remains, stage: str, packaged: Template, *, key: str | None) -> Plan:
    """Find what was left behind and ask CloudFormation to import it.

    Raises NotImportableError, ParameterError, StackError.
    """
    if remains.stack.values():
        raise NotImportableError(
            f"Stack {remains.stack.name} exists: make deploy STAGE={stage} changes it."
        )
    key, before = _key_and_values(remains, key)
    whole = stage_template(packaged, stage)
    values = choose(whole, _key_as_it_is(remains, key, before), before, aws.place(stage))
    imports = [
        Import(kind=str(one["Type"]), name=name, identifier={IDENTIFIERS[str(one["Type"])]: known})
        for name, one in retained(whole).items()
        if (known := _identifier(one, values, key)) and _exists(remains, str(one["Type"]), known)
    ]
    if not imports:
        raise NotImportableError(f"Stack {remains.stack.name} left nothing behind: make deploy.")
    names = [one.name for one in imports]
    artifacts = Artifacts(aws.s3, account=aws.account, region=aws.region)
    artifacts.make()
    url = artifacts.keep_template(written(import_template(whole, names)))
    return Plan(
        stack=remains.stack,
        change_set=remains.stack.propose(url, values, imports),
        missing=tuple(sorted(set(retained(whole)) - set(names))),
    )


def retained(whole: Template) -> dict[str, dict[str, "Json"]]:
    """Return the resources of a stage that its stack leaves behind."""
    return {
        name: one
        for name, one in resources_of(whole).items()
        if str(one.get("DeletionPolicy", "")).startswith("Retain")
    }


def import_template(whole: Template, names: list[str]) -> Template:
    """Return the part of a stage's template that an import takes: these resources, no outputs.

    A property that refers to a resource beside them is left to the deployment that follows.
    """
    others = set(resources_of(whole)) - set(names)
    resources: dict[str, Json] = {}
    for name in names:
        one = dict(resources_of(whole)[name])
        one.pop("DependsOn", None)
        properties: Any = one["Properties"]
        one["Properties"] = {
            key: value for key, value in properties.items() if not _refers(value, others)
        }
        resources[name] = one
    return {**{part: whole[part] for part in ("Parameters", "Conditions")}, "Resources": resources}


def _refers(value: "Json", names: set[str]) -> bool:
    text = json.dumps(value)
    return any(f'"{name}"' in text or f"${{{name}" in text for name in names)


def _key_and_values(remains: Remains, named: str | None) -> tuple[str | None, dict[str, str]]:
    """Return the key of the tokens, and the values that the stack with that key had."""
    formers = remains.stack.formers()
    for former in formers:
        for key in former.left_behind(_KEY):
            if named in (None, key) and _exists(remains, _KEY, key):
                return key, former.values()
    if named == NO_KEY:
        return None, formers[0].values() if formers else {}
    if named is not None and _exists(remains, _KEY, named):
        return named, {}
    raise NotImportableError(
        f"The key of {remains.stack.name} is not known, or is being deleted. Name it with KEY=…; "
        "`aws kms cancel-key-deletion` takes its deletion back. With KEY=none a new one is made, "
        "and every account has to be connected again."
    )


def _key_as_it_is(remains: Remains, key: str | None, before: Mapping[str, str]) -> dict[str, str]:
    """Return what must be told of a key whose stack is not known any more."""
    if key is None or before:
        return {}
    known = remains.kms.describe_key(KeyId=key)["KeyMetadata"]
    return {KEY_REGIONS: "many" if known.get("MultiRegion") else "one"}


def _identifier(
    resource: Mapping[str, Any], values: Mapping[str, str], key: str | None
) -> str | None:
    if resource["Type"] == _KEY:
        return key
    named = resource["Properties"][IDENTIFIERS[resource["Type"]]]
    text = named["Fn::Sub"] if "Fn::Sub" in named else f"${{{named['Ref']}}}"
    return re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], text)


def _exists(remains: Remains, kind: str, identifier: str) -> bool:
    try:
        match kind:
            case "AWS::DynamoDB::Table":
                remains.dynamodb.describe_table(TableName=identifier)
            case "AWS::S3::Bucket":
                remains.s3.head_bucket(Bucket=identifier)
            case _:
                found = remains.kms.describe_key(KeyId=identifier)["KeyMetadata"]
                return found["KeyState"] != "PendingDeletion"
    except ClientError as error:
        if error.response["Error"]["Code"] in _GONE:
            return False
        raise
    return True


@click.command()
@click.option("--stage", required=True, metavar="NAME")
@click.option("--key", metavar="ID", help="The key of the tokens; `none` for a new one.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def main(stage: str, key: str | None, *, yes: bool) -> None:
    """Make a stack around the tables, bucket and key that a deleted one left behind."""
    try:
        _import(stage, key, yes=yes)
    except (PackagingError, ParameterError, NotImportableError, StackError) as problem:
        raise click.ClickException(str(problem)) from problem
    except (ClientError, BotoCoreError) as problem:
        raise click.ClickException(f"AWS: {problem}") from problem


def _import(stage: str, key: str | None, *, yes: bool) -> None:
    require_stage(stage)
    session = aws_session()
    aws = Aws.of(session)
    remains = Remains.of(session, stage)
    made = package(stage, PROJECT / "build" / stage / "import", region=aws.region)
    plan = prepare(aws, remains, stage, made.template, key=key)
    click.echo("\n".join(show(plan.change_set)))
    for name in plan.missing:
        click.echo(f"  {name} does not exist any more: the deployment makes it anew, empty.")
    if not yes and not click.confirm(f"Import these into stack {plan.stack.name}?"):
        plan.stack.discard(plan.change_set.name)
        raise click.Abort
    plan.stack.execute(plan.change_set)
    click.echo(f"Imported. Now the rest: make deploy STAGE={stage}")


if __name__ == "__main__":
    main()
