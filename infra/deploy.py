"""`make deploy STAGE=…`: packages, shows what would change, and changes it.

    python -m infra.deploy --stage prod [--set PublicUrl=https://post.example] [--yes]

Idempotent: the same code and parameters change nothing. A parameter that is not given stays as it
was. The plain template is kept in `build/<stage>/template.json` for whoever wants to read it. What
was deployed is a release, to which `infra.releases` can go back.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from infra.artifacts import Artifacts
from infra.first_tenth import FirstTenth
from infra.front.image import NoImageError, next_image, require_pushed
from infra.packaging.archive import digest
from infra.packaging.bytecode import find_python
from infra.packaging.libraries import PROJECT, bring_libraries
from infra.packaging.package import Package, PackagingError, package
from infra.packaging.runtime import ARCHITECTURE, MACHINES, NAME, PYTHON, RuntimeUnfitError
from infra.packaging.wheels import LibrariesError
from infra.parameters import (
    FORMAT,
    FRONT_IMAGE,
    PROTECTED,
    ParameterError,
    Place,
    advice_on_places,
    choose,
    release_name,
)
from infra.releases import Releases
from infra.session import aws_session
from infra.stack import Change, ChangeSet, Stack, StackError
from infra.stage_names import require_stage
from infra.template.stage import Code, UntranslatableError, plain_template, stage_template, written

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_ecr import ECRClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client

_STAGE = click.option(
    "--stage", required=True, metavar="NAME", help="A stage of .chalice/config.json."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aws:
    """Where a stage is deployed to."""

    formation: "CloudFormationClient"
    s3: "S3Client"
    functions: "LambdaClient"
    registry: "ECRClient"
    account: str
    region: str

    @classmethod
    def of(cls, session: boto3.Session) -> "Aws":
        """Return the account and region of a session's credentials."""
        if session.region_name is None:
            raise click.ClickException("No region: set AWS_REGION or AWS_PROFILE.")
        return cls(
            formation=session.client("cloudformation"),
            s3=session.client("s3"),
            functions=session.client("lambda"),
            registry=session.client("ecr"),
            account=session.client("sts").get_caller_identity()["Account"],
            region=session.region_name,
        )

    def place(self, stage: str) -> Place:
        """Return where a stage goes, and what its account may run at once."""
        limit = self.functions.get_account_settings()["AccountLimit"]
        return Place(
            stage=stage,
            account=self.account,
            places=limit["ConcurrentExecutions"],
            unreserved=limit["UnreservedConcurrentExecutions"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A change that is ready to be made."""

    stack: Stack
    releases: Releases
    change_set: ChangeSet
    template: str
    template_url: str
    values: dict[str, str]
    advice: str
    first: FirstTenth
    at_once: str | None
    """Why all calls go to the new versions at once; None if a tenth does for ten minutes."""

    def execute(self, tell: Callable[[str], None] = click.echo) -> None:
        """Make it; protect the tables of a new stack once it stands. Raises StackError.

        If it fails, what ran before runs on: CloudFormation by itself goes back to the versions
        that it knows, also past a rollback.
        """
        running = {} if self.change_set.creates else self.releases.live()
        try:
            if self.at_once is None:
                self.stack.discard(self.change_set.name)
                self.first.run(self.values, tell)
                self.stack.apply(self.template_url, self.values)
            else:
                tell(self.at_once)
                self.stack.execute(self.change_set)
        except StackError:
            self.releases.keep(running)
            raise
        if self.change_set.creates:
            self.stack.apply(self.template_url, self.values | {PROTECTED: "yes"})


def prepare(
    aws: Aws,
    stage: str,
    made: Package,
    *,
    given: dict[str, str],
    at_once: bool = False,
    poll_s: float = 3.0,
) -> Plan:
    """Upload what was packaged and ask CloudFormation what would change. Raises ParameterError."""
    stack = Stack(aws.formation, f"goldenhour-{stage}", poll_s=poll_s)
    artifacts = Artifacts(aws.s3, account=aws.account, region=aws.region)
    artifacts.make()
    code = Code(
        bucket=artifacts.bucket,
        zip_key=artifacts.keep_code(made.archive, digest(made.archive)),
        layer_key=artifacts.keep_code(made.layer, digest(made.layer)) if made.layer else None,
        architecture=made.architecture,
    )
    whole = stage_template(made.template, stage)
    before = stack.values()
    if image := next_image(given.get(FRONT_IMAGE), before.get(FRONT_IMAGE, "")):
        require_pushed(aws.registry, image)
        given = given | {FRONT_IMAGE: image}
    place = aws.place(stage)
    values = choose(whole, given, before, place)
    named = release_name(f"{written(whole)}{code}", values)
    plain = plain_template(whole, code=replace(code, release=named), region=aws.region)
    text = written(plain)
    url = artifacts.keep_template(text)
    releases = Releases(functions=aws.functions, stack=stack)
    change_set = stack.propose(url, values)
    return Plan(
        stack=stack,
        releases=releases,
        change_set=change_set,
        template=text,
        template_url=url,
        values=values,
        advice=advice_on_places(values, place),
        first=FirstTenth(
            stack=stack,
            releases=releases,
            keep=artifacts.keep_template,
            whole=whole,
            plain=plain,
            release=named,
        ),
        at_once=why_at_once(
            before,
            values,
            runs=not change_set.creates and bool(releases.live_by_name()),
            is_asked=at_once,
        ),
    )


def why_at_once(
    before: Mapping[str, str], values: Mapping[str, str], *, runs: bool, is_asked: bool
) -> str | None:
    """Return why all calls go to the new versions at once, or None if a tenth goes there first.

    `runs` says whether a release runs whose calls could be shared.
    """
    if not runs:
        return "No release runs here yet: all calls go to this one at once."
    if int(before.get(FORMAT, 1)) < int(values[FORMAT]):
        return (
            f"All calls go to this release at once: it writes rows of format {values[FORMAT]}, "
            "which the release before would misread."
        )
    return "All calls go to this release at once, as asked." if is_asked else None


def show(change_set: ChangeSet) -> list[str]:
    """Return the lines that tell a person what would change."""
    return [_line(change) for change in change_set.changes] or ["Nothing to change."]


def _line(change: Change) -> str:
    mark = {"Add": "+", "Import": "+", "Modify": "~", "Remove": "-"}.get(change.action, "?")
    replaced = "" if change.replaced == "False" else f"  (replacement: {change.replaced})"
    warning = "  HOLDS DATA" if change.endangers_data else ""
    return f"  {mark} {change.name:<40} {change.kind}{replaced}{warning}"


@click.command()
@_STAGE
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A parameter's value.")
@click.option(
    "--architecture",
    type=click.Choice([*MACHINES]),
    default=ARCHITECTURE,
    show_default=True,
    help="What the functions run on.",
)
@click.option("--at-once", is_flag=True, help="Without the ten minutes at a tenth of the calls.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def main(stage: str, given: Sequence[str], architecture: str, *, at_once: bool, yes: bool) -> None:
    """Deploy a stage to the AWS account of the credentials in use."""
    try:
        values = dict(_pair(one) for one in given)
        _deploy(stage, values, architecture, at_once=at_once, yes=yes)
    except (
        PackagingError,
        LibrariesError,
        NoImageError,
        ParameterError,
        RuntimeUnfitError,
        UntranslatableError,
        StackError,
    ) as problem:
        raise click.ClickException(str(problem)) from problem
    except (ClientError, BotoCoreError) as problem:
        raise click.ClickException(f"AWS: {problem}") from problem


def _deploy(
    stage: str, given: dict[str, str], architecture: str, *, at_once: bool, yes: bool
) -> None:
    require_stage(stage)
    aws = Aws.of(aws_session())
    click.echo(f"Packaging stage {stage} for account {aws.account} in {aws.region} …")
    if find_python(PYTHON) is None:
        click.echo(f"There is no {NAME} here to compile with: cold starts will take twice the CPU.")
    folder = PROJECT / "build" / stage
    libraries = bring_libraries(folder / "libraries", architecture=architecture)
    made = package(stage, folder, libraries=libraries, region=aws.region)
    plan = prepare(aws, stage, made, given=given, at_once=at_once)
    (folder / "template.json").write_text(plan.template, encoding="utf-8")
    click.echo(plan.advice)
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
    plan.execute()
    click.echo("Deployed.")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE")
    return name, value


if __name__ == "__main__":
    main()
