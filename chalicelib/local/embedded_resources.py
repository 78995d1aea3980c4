"""Makes the resources of `infra/resources.json` in the embedded engine of some settings."""

import sys
from collections.abc import Callable

from chalicelib.bootstrap.template import template_of
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.aws_on_sqlite.engine import Engine, open_engine
from chalicelib.kit.aws_on_sqlite.resources import (
    Template,
    make_missing,
    make_resources,
    rebuild_under_way,
)
from chalicelib.kit.aws_on_sqlite.tables.standing import Progress
from chalicelib.kit.dataclass import dataclass
from chalicelib.local.own_tables import make_tables
from chalicelib.settings import Settings

_NOT_WHOLE = (
    "The indexes are not rebuilt yet ({}). The stack does that when it starts, and `engine status` "
    "tells how far it is; if nothing moves there, start the stack again."
)
_REBUILDING = (
    "Rebuilding the indexes for this version first; `engine status` tells how far it is.\n"
)


def make_embedded(
    settings: Settings, *, rows_expire: bool = True, begun: Callable[[], None] = lambda: None
) -> None:
    """Make missing resources, and change existing ones to what this version's template says.

    The tables are in a DynamoDB of the operator's own if one is named. `begun` is called before
    something that may take minutes.
    """
    engine, template = _engine_and_template(settings)
    make_resources(engine, template, rows_expire=rows_expire, begun=begun)
    if settings.dynamodb_url != settings.endpoint_url:
        _make_own_tables(settings)


def make_what_is_missing(settings: Settings) -> None:
    """Make missing resources while a stack may run, and leave existing ones as they are."""
    make_missing(*_engine_and_template(settings))
    if settings.dynamodb_url != settings.endpoint_url:
        _make_own_tables(settings)


def _engine_and_template(settings: Settings) -> tuple[Engine, Template]:
    return open_engine(settings.endpoint_url or ""), template_of(settings)


@dataclass(frozen=True, slots=True)
class EmbeddedIndexes:
    """The indexes of an engine's tables, which commands need completely built."""

    settings: Settings
    stack_runs: bool

    def progress(self) -> Progress | None:
        """Return the progress of their rebuild; None when they are complete."""
        return rebuild_under_way(*_engine_and_template(self.settings))

    def require_whole(self) -> None:
        """Rebuild them if need be. Raises OperatorError if a running stack does that."""
        progress = self.progress()
        if progress is None:
            return
        if self.stack_runs:
            raise OperatorError(_NOT_WHOLE.format(progress))
        sys.stderr.write(_REBUILDING)
        make_embedded(self.settings)


def _make_own_tables(settings: Settings) -> None:
    # boto3 alone takes longer to import than the whole stack takes to start.
    import boto3  # noqa: PLC0415

    session = boto3.Session(region_name=settings.region)
    tables = session.client("dynamodb", endpoint_url=settings.dynamodb_url)
    make_tables(tables, template_of(settings))
