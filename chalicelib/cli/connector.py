"""`connector try`: tries a connector on its live platform and reports every call.

The post is a real one, made with the account's own sign-in and deleted seconds later. The report
has all requests and answers without secrets, for comparison with docs/connectors.md and for whoever
repairs a connector.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.account import PLATFORM
from chalicelib.cli.console import Answer, answers
from chalicelib.connectors.shared.calls.exchanges import Redactor
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.version import VERSION
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.workers.trial.connector_trial import Stage
from chalicelib.workers.trial.publications import TrialWish, read_option

_FILE = click.Path(path_type=Path)


@click.group()
def connector() -> None:
    """Try a connector on its live platform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOptions:
    """How a trial is made."""

    wish: TrialWish
    keep: bool
    report: Path | None
    yes: bool


def _takes_trial(command: Callable[..., Answer]) -> Callable[..., Answer]:
    """Give a command the options of a trial, as one argument `how`."""

    @click.option("--media", metavar="ID", multiple=True, help="A file of the workspace.")
    @click.option("--option", metavar="NAME=VALUE", multiple=True, help="A post's option.")
    @click.option("--keep", is_flag=True, help="Leave the posts on the platform.")
    @click.option("--report", metavar="FILE", type=_FILE, help="Where the report is saved.")
    @click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
    @functools.wraps(command)
    def run(*arguments: object, **options: Any) -> Answer:  # noqa: ANN401 - click's own values
        media, named = options.pop("media"), options.pop("option")
        wish = TrialWish(media_ids=media, options=dict(read_option(one) for one in named))
        rest = {name: options.pop(name) for name in ("keep", "report", "yes")}
        return command(*arguments, how=TrialOptions(wish=wish, **rest), **options)

    return run


@connector.command("try")
@click.argument("platform", type=PLATFORM)
@click.option("--account", "account_id", metavar="ID", required=True, help="A connected account.")
@answers
@_takes_trial
def try_connector(
    services: Deployment, *, platform: Platform, account_id: str, how: TrialOptions
) -> Answer:
    """Publish, find, measure and delete a real post, and save all requests and answers."""
    account = services.people.connections.find(account_id)
    if account.platform != platform:
        raise OperatorError(f"The account is on {FACTS[account.platform].name}, not on {platform}.")
    trials = services.upkeep.trials.begin(account, how.wish)
    _confirm(account, len(trials), how)
    began = datetime.now(UTC)
    file = how.report or Path(f"trial-{platform.replace(' ', '-')}-{began:%Y%m%dT%H%M%S}.md")
    stages: list[tuple[int, Stage]] = []
    try:
        for number, trial in enumerate(trials, start=1):
            for stage in trial.run(keep=how.keep):
                stages.append((number, stage))
                click.echo(f"{number}  {_mark(stage)}  {stage.name}: {stage.outcome}", err=True)
    finally:
        lines = _report(account, began, stages, services.upkeep.trials.redactor(account))
        file.write_text("\n".join(lines), encoding="utf-8")
    return _answer(stages, file)


def _confirm(account: Account, posts: int, how: TrialOptions) -> None:
    what = "1 real post" if posts == 1 else f"{posts} real posts"
    end = "leaves them there" if how.keep else "deletes them"
    place = FACTS[account.platform].name
    click.echo(f"This makes {what} as {account.handle} on {place} and {end}.", err=True)
    if not how.yes:
        click.confirm("Continue?", abort=True, err=True)


def _mark(stage: Stage) -> str:
    return "ok" if stage.is_good else "--"


def _answer(stages: Sequence[tuple[int, Stage]], file: Path) -> Answer:
    told = [
        {"post": number, "step": stage.name, "good": stage.is_good, "outcome": stage.outcome}
        for number, stage in stages
    ]
    wrong = sum(not stage.is_good for _, stage in stages)
    end = "Every step succeeded." if not wrong else f"{wrong} of {len(stages)} steps failed."
    return Answer(
        document={"good": not wrong, "report": str(file), "steps": told},
        lines=[f"{end} The report is in {file}."],
        exit_status=1 if wrong else 0,
    )


def _report(
    account: Account, began: datetime, stages: Sequence[tuple[int, Stage]], redactor: Redactor
) -> Iterator[str]:
    """Yield the report's lines: each step with its requests and answers."""
    yield f"# Trial of the connector to {FACTS[account.platform].name}"
    yield ""
    yield f"goldenhour {VERSION}, {began:%Y-%m-%d %H:%M} UTC, as {redactor.text(account.handle)}."
    yield "Secrets were removed; read it through before you share it."
    for number, stage in stages:
        yield ""
        yield f"## Post {number}, {stage.name}: {_mark(stage)}"
        yield ""
        yield redactor.text(stage.outcome)
        for exchange in stage.exchanges:
            yield from ("", "```http", *redactor.call(exchange), "")
            yield from (*redactor.answer(exchange), "```")
    yield ""
