"""`make deploy STAGE=…`: packages, shows what would change, and changes it.

    python -m infra.deploy --stage prod [--set PublicUrl=https://post.example] [--yes]

Idempotent: the same code and parameters change nothing. A parameter that is not given stays as it
was. The plain template is kept in `build/<stage>/template.json` for whoever wants to read it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from infra.archive import digest
from infra.artifacts import Artifacts
from infra.media_layer import LayerError, layer_parts
from infra.merging import Template, merge
from infra.packaging import PROJECT, PackagingError, lambda_requirements, package
from infra.runtime import RuntimeUnfitError, require_runtime
from infra.stack import Change, ChangeSet, Stack, StackError
from infra.template import UntranslatableError, plain_template, stage_template, written

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_s3 import S3Client

_STAGE = click.option(
    "--stage", required=True, metavar="NAME", help="A stage of .chalice/config.json."
)
_FIXED = ("ResourcePrefix",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aws:
    """Where a stage is deployed to."""

    formation: "CloudFormationClient"
    s3: "S3Client"
    account: str
    region: str

    @classmethod
    def of(cls, session: boto3.Session) -> "Aws":
        """Return the account and region of a session's credentials."""
        if session.region_name is None:
            raise click.ClickException("No region: set AWS_DEFAULT_REGION or AWS_PROFILE.")
        return cls(
            formation=session.client("cloudformation"),
            s3=session.client("s3"),
            account=session.client("sts").get_caller_identity()["Account"],
            region=session.region_name,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A change that is ready to be made."""

    stack: Stack
    change_set: ChangeSet


def prepare(
    aws: Aws,
    stage: str,
    *,
    requirements: str,
    given: dict[str, str],
    folder: Path,
    poll_s: float = 3.0,
) -> Plan:
    """Package, upload and ask CloudFormation what would change."""
    folder.mkdir(parents=True, exist_ok=True)
    made = package(stage, folder, requirements=requirements, region=aws.region)
    artifacts = Artifacts(aws.s3, account=aws.account, region=aws.region)
    artifacts.make()
    code = artifacts.keep_code(made.archive, digest(made.archive))
    template = plain_template(
        stage_template(made.template, stage), code=(artifacts.bucket, code), region=aws.region
    )
    if made.layer is not None:
        layer = artifacts.keep_code(made.layer, digest(made.layer))
        template = merge(template, layer_parts((artifacts.bucket, layer)))
    text = written(template)
    (folder / "template.json").write_text(text, encoding="utf-8")
    stack = Stack(aws.formation, f"goldenhour-{stage}", poll_s=poll_s)
    parameters = _parameters(template, given, stage=stage, account=aws.account)
    return Plan(stack=stack, change_set=stack.propose(artifacts.keep_template(text), parameters))


def _parameters(
    template: Template, given: dict[str, str], *, stage: str, account: str
) -> dict[str, str | None]:
    known = template["Parameters"]
    assert isinstance(known, dict)  # noqa: S101 - a template's parameters are an object
    unknown = sorted(set(given) - set(known) - set(_FIXED))
    if unknown:
        raise click.ClickException(
            f"There is no parameter {unknown[0]}; there are {sorted(known)}."
        )
    # Names of buckets belong to the whole world, so the account is part of ours.
    fixed = {
        "ResourcePrefix": f"goldenhour-{stage}",
        "MediaBucketName": f"goldenhour-{stage}-media-{account}",
    }
    return {name: fixed.get(name, given.get(name)) for name in known}


def show(change_set: ChangeSet) -> list[str]:
    """Return the lines that tell a person what would change."""
    return [_line(change) for change in change_set.changes] or ["Nothing to change."]


def _line(change: Change) -> str:
    mark = {"Add": "+", "Modify": "~", "Remove": "-"}.get(change.action, "?")
    replaced = "" if change.replaced == "False" else f"  (replacement: {change.replaced})"
    warning = "  HOLDS DATA" if change.endangers_data else ""
    return f"  {mark} {change.name:<40} {change.kind}{replaced}{warning}"


@click.command()
@_STAGE
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A parameter's value.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def main(stage: str, given: Sequence[str], *, yes: bool) -> None:
    """Deploy a stage to the AWS account of the credentials in use."""
    try:
        _deploy(stage, dict(_pair(one) for one in given), yes=yes)
    except (
        PackagingError,
        LayerError,
        RuntimeUnfitError,
        UntranslatableError,
        StackError,
    ) as problem:
        raise click.ClickException(str(problem)) from problem
    except (ClientError, BotoCoreError) as problem:
        raise click.ClickException(f"AWS: {problem}") from problem


def _deploy(stage: str, given: dict[str, str], *, yes: bool) -> None:
    known = json.loads((PROJECT / ".chalice" / "config.json").read_text(encoding="utf-8"))["stages"]
    if stage not in known:
        stages = ", ".join(sorted(known))
        raise click.ClickException(
            f"There is no stage {stage!r} in .chalice/config.json: {stages}."
        )
    require_runtime()
    aws = Aws.of(boto3.Session())
    click.echo(f"Packaging stage {stage} for account {aws.account} in {aws.region} …")
    plan = prepare(
        aws,
        stage,
        requirements=lambda_requirements(),
        given=given,
        folder=PROJECT / "build" / stage,
    )
    click.echo("\n".join(show(plan.change_set)))
    if plan.change_set.changes:
        _execute(plan, yes=yes)
    for name, value in sorted(plan.stack.outputs().items()):
        click.echo(f"{name}: {value}")


def _execute(plan: Plan, *, yes: bool) -> None:
    change_set = plan.change_set
    endangered = [change.name for change in change_set.changes if change.endangers_data]
    if endangered and not change_set.creates:
        plan.stack.discard(change_set.name)
        raise click.ClickException(
            f"{', '.join(endangered)} would be replaced or left behind with its data. "
            "docs/operations.md says how to move data."
        )
    if not yes and not click.confirm("Make these changes?"):
        plan.stack.discard(change_set.name)
        raise click.Abort
    plan.stack.execute(change_set)
    click.echo("Deployed.")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE")
    return name, value


if __name__ == "__main__":
    main()
