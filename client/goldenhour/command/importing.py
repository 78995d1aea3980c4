"""`import`: makes the posts of a plan, one a line, and says what became of each line."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from goldenhour.command.session import Session, json_option, zone_option
from goldenhour.plan.carrying_out import Importer, Outcome
from goldenhour.plan.checking import Trial
from goldenhour.plan.files import PlanFiles, PlanRow, find_file
from goldenhour.plan.journal import Journal
from goldenhour.spoken.choosing import describe
from goldenhour.spoken.rows import Mistake, Setting, plan_lines, read_lines
from goldenhour.spoken.targets import is_text
from goldenhour.spoken.unclear import UnclearError

PAST = "This time has passed; give the line a later one."


@click.command(name="import")
@click.argument("plan", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--check",
    "is_go",
    flag_value=False,
    type=bool,
    default=None,
    help="Read the plan and let the service check each line; create nothing.",
)
@click.option("--go", "is_go", flag_value=True, type=bool, help="Create the posts.")
@click.option(
    "--name", help="The plan's name (default: the file's); a different name creates new posts."
)
@zone_option
@json_option
@click.pass_obj
def import_plan(session: Session, plan: Path, *, is_go: bool | None, name: str | None) -> None:
    """Make one post for each line of PLAN, a CSV or XLSX sheet: to, caption, file, at.

    It may be stopped or killed and started again: a line makes one post, however often it is read.
    With a mistake anywhere, nothing is made.
    """
    if is_go is None:
        raise click.UsageError("Give --check to read the plan, or --go to create its posts.")
    session.acts = is_go
    rows, mistakes = _read(session, plan, name or plan.stem)
    journal = Journal.beside(plan)
    mistakes += _past(session, rows, journal)
    if is_go:
        _require_none(session, mistakes)
    with journal:
        if is_go:
            _carry_out(session, rows, journal)
        else:
            wrong = {mistake.line for mistake in mistakes}
            others = [row for row in rows if row.line not in wrong]
            told = [*mistakes, *_try_out(session, others, journal)]
            _require_none(session, told)
            _tell_rows(session, rows, journal, told)


def _read(session: Session, plan: Path, name: str) -> tuple[list[PlanRow], list[Mistake]]:
    setting = Setting(
        name=name,
        accounts=session.client.accounts.list().data,
        zone=session.zone,
        now=session.now(),
        find_file=partial(find_file, plan.parent),
        is_text=is_text,
    )
    try:
        return read_lines(plan_lines(plan.read_bytes()), setting)
    except UnclearError as wrong:
        raise UnclearError(f"{plan}: {wrong}") from wrong


def _past(session: Session, rows: Sequence[PlanRow], journal: Journal) -> list[Mistake]:
    """Return the rows whose time is past and that were not made in time."""
    return [
        Mistake(line=row.line, column="at", message=PAST)
        for row in rows
        if row.at is not None and row.at <= session.now() and row.key not in journal.rows
    ]


def _try_out(session: Session, rows: Sequence[PlanRow], journal: Journal) -> list[Mistake]:
    """Ask the service about every line that was not made before."""
    files = PlanFiles(client=session.client, journal=journal)
    trial = Trial(client=session.client, files=files)
    fresh = [row for row in rows if row.key not in journal.rows]
    with _progress(session, "Checking") as bar:
        tried = bar.track(trial.mistakes(fresh), total=len(fresh))
        return [mistake for mistakes in tried for mistake in mistakes]


def _carry_out(session: Session, rows: Sequence[PlanRow], journal: Journal) -> None:
    """Make the posts, all or none, and tell of each; leave with 1 if a line failed."""
    importer = Importer(client=session.client, journal=journal)
    with _progress(session, "Preparing") as bar:
        prepared = [*bar.track(importer.prepare(rows), total=len(rows))]
    mistakes = [mistake for each in prepared for mistake in each.mistakes]
    if any(mistake.level == "error" for mistake in mistakes):
        importer.take_back(prepared)
    _require_none(session, mistakes)
    outcomes = []
    try:
        with _progress(session, "Importing") as bar:
            for outcome in bar.track(importer.send(prepared), total=len(rows)):
                outcomes.append(outcome)  # noqa: PERF402 - kept when a later row raises
    finally:
        _tell_outcomes(session, outcomes, len(rows))
    if any(outcome.state == "failed" for outcome in outcomes):
        raise click.exceptions.Exit(1)


def _progress(session: Session, title: str) -> Progress:
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=session.notes, disable=not session.notes.is_terminal)


def _require_none(session: Session, mistakes: Sequence[Mistake]) -> None:
    """Tell what is wrong and leave with 1; warnings alone let a plan pass."""
    if all(mistake.level == "warning" for mistake in mistakes):
        return
    ordered = sorted(mistakes, key=lambda each: each.line)
    if not session.result({"mistakes": ordered}):
        _tell_mistakes(session, ordered)
        session.say("Nothing was created.")
    raise click.exceptions.Exit(1)


def _tell_mistakes(session: Session, mistakes: Sequence[Mistake]) -> None:
    rows = [(str(each.line), each.level, each.column, each.message) for each in mistakes]
    session.table(("line", "", "column", "what is wrong"), rows)


def _tell_rows(
    session: Session, rows: Sequence[PlanRow], journal: Journal, warnings: Sequence[Mistake]
) -> None:
    told = [
        {
            "line": row.line,
            "to": [describe(account) for account in row.accounts],
            "way": row.way,
            "at": row.at,
            "file": None if row.file is None else row.file.name,
            "caption": row.caption,
            "done": row.key in journal.rows,
        }
        for row in rows
    ]
    if session.result({"rows": told, "warnings": [*warnings]}):
        return
    session.table(
        ("line", "to", "when", "file", "caption", ""),
        [
            (
                str(row.line),
                ", ".join(describe(account) for account in row.accounts),
                session.tell(row.at) or row.way,
                "" if row.file is None else row.file.name,
                " ".join(row.caption.split())[:50],
                "done before" if row.key in journal.rows else "",
            )
            for row in rows
        ],
    )
    if warnings:
        _tell_mistakes(session, warnings)
    session.say(f"{len(rows)} lines are correct. Nothing was created; --go creates the posts.")


def _tell_outcomes(session: Session, outcomes: Sequence[Outcome], total: int) -> None:
    if session.result({"rows": outcomes, "total": total}):
        return
    rows = [
        (
            str(each.line),
            each.state,
            each.post_id or "",
            session.tell(each.post.next_time) if each.post else "",
            each.message or "",
        )
        for each in outcomes
    ]
    session.table(("line", "", "post", "goes out", "why"), rows)
    failed = sum(each.state == "failed" for each in outcomes)
    session.say(f"{len(outcomes) - failed} of {total} lines are posts, {failed} failed.")
    if len(outcomes) < total:
        session.say("It stopped early. Run it again to continue; no line creates a second post.")
