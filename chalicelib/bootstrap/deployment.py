"""One deployment: everything that requests, pages, triggers and commands use.

`app.py`, the local stack, the operator's commands and the tests' journeys make one. `core` has the
groups of parts that the groups here are made of.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from chalicelib.bootstrap.core import Core

if TYPE_CHECKING:
    from chalicelib.bootstrap.checks import CheckParts
    from chalicelib.bootstrap.engine import EngineParts
    from chalicelib.bootstrap.people import PeopleParts
    from chalicelib.bootstrap.sign_in import SignInParts
    from chalicelib.bootstrap.upkeep import UpkeepParts
    from chalicelib.bootstrap.whole_workspaces import WholeWorkspaceParts
    from chalicelib.kit.aws_on_sqlite.tables.standing import Progress
    from chalicelib.workers.dispatcher import Dispatcher
    from chalicelib.workers.media.preparing import Preparation
    from chalicelib.workers.publishing.preflight import Preflight
    from chalicelib.workers.takeover import Takeover


class Indexes(Protocol):
    """The indexes of one machine's tables, which a newer version may have to rebuild."""

    def progress(self) -> Progress | None:
        """Return the progress of their rebuild; None when they are complete."""
        ...

    def require_whole(self) -> None:
        """Rebuild them if needed. Raises OperatorError while a running stack does it."""
        ...


class Deployment(Core):
    """The parts for people, for sending posts and for scheduled work, over the core.

    `stack_runs` tells a command whether the local stack is running. It and `indexes` are None for
    a stage in AWS.
    """

    stack_runs: bool | None = None
    indexes: Indexes | None = None

    @cached_property
    def checking(self) -> CheckParts:
        from chalicelib.bootstrap.checks import CheckParts

        return CheckParts(self)

    @cached_property
    def people(self) -> PeopleParts:
        from chalicelib.bootstrap.people import PeopleParts

        return PeopleParts(self, lambda: self.checking.told_risks)

    @cached_property
    def whole_workspace(self) -> WholeWorkspaceParts:
        from chalicelib.bootstrap.whole_workspaces import WholeWorkspaceParts

        return WholeWorkspaceParts(self, self.people, answers=self.stack_runs is not False)

    @cached_property
    def sign_in(self) -> SignInParts:
        from chalicelib.bootstrap.sign_in import SignInParts

        return SignInParts(self, self.people)

    @cached_property
    def engine(self) -> EngineParts:
        from chalicelib.bootstrap.engine import EngineParts

        return EngineParts(self, self.preflight, lambda: self.checking.risks)

    @cached_property
    def preparation(self) -> Preparation:
        from chalicelib.bootstrap.engine import make_preparation

        return make_preparation(self)

    @cached_property
    def preflight(self) -> Preflight:
        from chalicelib.bootstrap.engine import make_preflight

        return make_preflight(self, self.preparation)

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """Carries out the tick."""
        from chalicelib.workers.dispatcher import Dispatcher

        stores, lanes = self.engine_stores, self.engine_stores.lanes
        return Dispatcher(
            stores.targets,
            lanes.fire,
            self.wall,
            mark=stores.tick_mark,
            slower_queues=(lanes.prepare, lanes.retry),
            places=self.settings.publish_places,
        )

    @cached_property
    def takeover(self) -> Takeover:
        """Ends the leases of dead workers when a local stack starts."""
        from chalicelib.workers.takeover import Takeover

        return Takeover(self.engine_stores.targets, self.engine_stores.tick_mark, self.clock)

    @cached_property
    def upkeep(self) -> UpkeepParts:
        from chalicelib.bootstrap.upkeep import UpkeepParts

        return UpkeepParts(self, self.checking, self.preparation)
