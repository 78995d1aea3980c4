"""`make rollback STAGE=…`: what runs becomes the release before, in seconds.

Every deployment publishes a version of each function under the release's name, and everything
calls the alias `live`. Rolling back turns the aliases; nothing is built or uploaded. Tables, queues
and the upload front stay as they are: rows are written so that the release before reads them.

    python -m infra.releases --stage prod                  # to the release before
    python -m infra.releases --stage prod --to 3f9c2a7d41be
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.settings import ORIGIN_SECRETS
from infra.session import aws_session
from infra.stack import Stack
from infra.template.functions import ALIAS

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

_FUNCTION = "AWS::Lambda::Function"
_ALIAS = "AWS::Lambda::Alias"


class NoReleaseError(Exception):
    """There is no such release to go back to; the message says which there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One published version of a function."""

    number: int
    release: str
    row_format: int = 1
    secrets: tuple[str | None, ...] = field(default=(), repr=False)

    def answers_as(self, running: "Version") -> bool:
        """Tell whether it takes what the entrance sends now, of which one secret is enough."""
        pairs = zip(self.secrets, running.secrets, strict=True)
        return self.secrets == running.secrets or any(mine and mine == now for mine, now in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A function whose alias is turned, or that the other release does not know."""

    function: str
    to: Version | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases:
    """The releases of a stage."""

    functions: "LambdaClient"
    stack: Stack

    def current(self) -> str:
        """Return the release that most recently answered for the first function of the stack."""
        first = self._names()[0]
        number = self._live(first)
        (found,) = (one.release for one in self._versions(first) if one.number == number)
        return found

    def live(self) -> dict[str, int]:
        """Return the version that runs, of each function."""
        return {name: self._live(name) for name in self._names()}

    def live_by_name(self) -> dict[str, int]:
        """Return the version that runs, of each function that has one, by the template's names."""
        aliases = self.stack.named(_ALIAS)
        functions = self.stack.named(_FUNCTION)
        return {
            name: self._live(physical)
            for name, physical in functions.items()
            if f"{name}Alias{ALIAS}" in aliases
        }

    def is_shared(self, live: Mapping[str, int]) -> bool:
        """Tell whether each of these versions runs, and gives a part of its calls to another."""
        functions = self.stack.named(_FUNCTION)
        return all(
            self._live(functions[name]) == version and self._shares(functions[name])
            for name, version in live.items()
        )

    def keep(self, versions: Mapping[str, int]) -> None:
        """Let these versions run again: a deployment that failed after a rollback undid it."""
        for name, number in versions.items():
            self._turn(name, number)

    def roll_back(self, to: str | None = None) -> list[Turn]:
        """Turn every alias to a release, the one before if none is named.

        While a new release has a part of the calls, the one before it is what has the others.
        Raises NoReleaseError; also for a release that would misread the rows of what runs, or
        refuse what comes through the entrance, both of whose secrets were renewed after it.
        """
        names = self._names()
        versions = {name: list(self._versions(name)) for name in names}
        target = to or self._sharing(versions) or self._before(versions)
        turns = [Turn(function=name, to=_of(versions[name], target)) for name in names]
        if all(turn.to is None for turn in turns):
            known = ", ".join(dict.fromkeys(one.release for one in versions[names[0]]))
            raise NoReleaseError(f"There is no release {target} in this stage; there are {known}.")
        for turn in turns:
            (running,) = (
                one for one in versions[turn.function] if one.number == self._live(turn.function)
            )
            if turn.to is not None and turn.to.row_format < running.row_format:
                raise NoReleaseError(
                    f"Release {target} reads rows of format {turn.to.row_format}, and what runs "
                    f"writes format {running.row_format}: deploy a release that mends it."
                )
            if turn.to is not None and not turn.to.answers_as(running):
                raise NoReleaseError(
                    f"Release {target} knows neither secret that the entrance sends now. "
                    "Check that code out and deploy it anew: make deploy."
                )
        for turn in turns:
            if turn.to is not None:
                self._turn(turn.function, turn.to.number)
        return turns

    def _turn(self, function: str, number: int) -> None:
        self.functions.update_alias(
            FunctionName=function,
            Name=ALIAS,
            FunctionVersion=str(number),
            RoutingConfig={"AdditionalVersionWeights": {}},
        )

    def _sharing(self, versions: dict[str, list[Version]]) -> str | None:
        """Return the release that gives a part of its calls to a newer one, if one does."""
        for name, published in versions.items():
            if self._shares(name):
                live = self._live(name)
                return next(one.release for one in published if one.number == live)
        return None

    def _before(self, versions: dict[str, list[Version]]) -> str:
        """Return the newest release that is older than what runs, of the function changed last."""
        for name, published in versions.items():
            live = self._live(name)
            (running,) = (one.release for one in published if one.number == live)
            older = [v for v in published if v.number < live and v.release != running]
            if older:
                return max(older, key=lambda one: one.number).release
        raise NoReleaseError("This stage has had one release only: there is none to go back to.")

    def _names(self) -> list[str]:
        return self.stack.physical_ids(_FUNCTION)

    def _live(self, name: str) -> int:
        alias = self.functions.get_alias(FunctionName=name, Name=ALIAS)
        return int(alias["FunctionVersion"])

    def _shares(self, name: str) -> bool:
        alias = self.functions.get_alias(FunctionName=name, Name=ALIAS)
        return bool(alias.get("RoutingConfig", {}).get("AdditionalVersionWeights"))

    def _versions(self, name: str) -> Iterator[Version]:
        pages = self.functions.get_paginator("list_versions_by_function").paginate(
            FunctionName=name
        )
        for page in pages:
            for one in page["Versions"]:
                if one["Version"] != "$LATEST":
                    settings = one.get("Environment", {}).get("Variables", {})
                    yield Version(
                        number=int(one["Version"]),
                        release=one["Description"],
                        row_format=int(settings.get("GOLDENHOUR_ROW_FORMAT", 1)),
                        secrets=tuple(settings.get(name) or None for name in ORIGIN_SECRETS),
                    )


def _of(versions: list[Version], release: str) -> Version | None:
    """Return the newest version of a release: one that was deployed twice has two."""
    fitting = [one for one in versions if one.release == release]
    return max(fitting, key=lambda one: one.number, default=None)


def told(turns: list[Turn]) -> Iterator[str]:
    """Yield the lines that tell a person what was turned."""
    for turn in turns:
        if turn.to is None:
            yield f"  {turn.function}: not in that release, left as it is"
        else:
            yield f"  {turn.function}: version {turn.to.number}"


@click.command()
@click.option("--stage", required=True, metavar="NAME")
@click.option("--to", metavar="RELEASE", help="A release; the one before if not given.")
def main(stage: str, to: str | None) -> None:
    """Turn a stage back to an earlier release."""
    try:
        session = aws_session()
        stack = Stack(session.client("cloudformation"), f"goldenhour-{stage}")
        if stack.status() is None:
            raise click.ClickException(f"There is no stage {stage} in this account and region.")
        turns = Releases(functions=session.client("lambda"), stack=stack).roll_back(to)
    except NoReleaseError as missing:
        raise click.ClickException(str(missing)) from missing
    except (ClientError, BotoCoreError) as problem:
        raise click.ClickException(f"AWS: {problem}") from problem
    released = {turn.to.release for turn in turns if turn.to is not None}
    click.echo(f"Stage {stage} runs release {', '.join(released)}:")
    click.echo("\n".join(told(turns)))
    click.echo("The upload front is not turned back: set FrontImage to the image before.")


if __name__ == "__main__":
    main()
