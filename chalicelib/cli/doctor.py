"""`doctor`: checks whether a deployment has all that it needs, and says what to do if not."""

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, answers
from chalicelib.doctor.examination import Finding, Verdict, grave
from chalicelib.doctor.wiring import doctor_of
from chalicelib.settings import starting_command


@click.command("doctor")
@click.option(
    "--strict", is_flag=True, help="Also fail if nothing is sent or no recent backup exists."
)
@answers
def doctor(services: Deployment, *, strict: bool) -> Answer:
    """Check every resource, permission and sign-in; exit with 1 if something is wrong."""
    found = [*_stack(services), *doctor_of(services).examine()]
    is_wrong = any(
        finding.verdict is Verdict.WRONG or (strict and finding.stops_posts) for finding in found
    )
    return Answer(
        document={"ok": not is_wrong, "findings": [_document(finding) for finding in found]},
        lines=[line for finding in found for line in _lines(finding)],
        exit_status=1 if is_wrong else 0,
    )


def _stack(services: Deployment) -> list[Finding]:
    """Return a finding if the local stack is stopped: the other checks do not notice that."""
    if services.stack_runs is not False:
        return []
    message = "The local stack is stopped: nothing is sent, and the API does not answer."
    advice = f"Start it with `{starting_command()}`, or with `serve` on a server."
    return [grave("stack", message, advice)]


def _document(finding: Finding) -> dict[str, object]:
    return {
        "subject": finding.subject,
        "verdict": finding.verdict,
        "message": finding.message,
        "advice": finding.advice,
    }


def _lines(finding: Finding) -> list[str]:
    line = f"{finding.verdict:<8} {finding.subject}: {finding.message}"
    return [line] if finding.advice is None else [line, f"{'':<8} -> {finding.advice}"]
