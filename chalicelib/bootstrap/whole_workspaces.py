"""What is done to a workspace as a whole: it is exported, moved to another place, or deleted."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.bootstrap.core import Core
    from chalicelib.bootstrap.people import PeopleParts
    from chalicelib.services.app.ownership import Ownership
    from chalicelib.services.operator.deletion import WorkspaceDeletion
    from chalicelib.services.operator.export import WorkspaceExport
    from chalicelib.services.operator.export_requests import ExportRequests
    from chalicelib.services.operator.moving.side import Side
    from chalicelib.storage.export.links import ExportLinks


class WholeWorkspaceParts:
    """Export, move and deletion, for operators and for owners in the app."""

    def __init__(self, core: Core, people: PeopleParts, answers: Callable[[], bool]) -> None:
        self._core, self._people, self._answers = core, people, answers

    @cached_property
    def deletion(self) -> WorkspaceDeletion:
        """What deletes a workspace for good."""
        from chalicelib.services.operator.deletion import WorkspaceDeletion
        from chalicelib.storage.deletion.files import FileRemains
        from chalicelib.storage.deletion.people import DirectoryRemains
        from chalicelib.storage.deletion.posts import PostRemains
        from chalicelib.storage.deletion.progress import DeletionRows
        from chalicelib.storage.deletion.search import Search

        core, stores = self._core, self._core.stores
        dynamodb, tables = core.clients.dynamodb, core.tables
        posts, files = (
            PostRemains(dynamodb, tables),
            FileRemains(dynamodb, tables, core.media.store),
        )
        directory = DirectoryRemains(stores.directory_table, self._people.persons)
        return WorkspaceDeletion(
            workspaces=stores.workspaces,
            rows=DeletionRows(stores.directory_table.table),
            posts=posts,
            files=files,
            directory=directory,
            search=Search(dynamodb, tables, posts=posts, files=files, directory=directory),
            forget_at_sandbox=core.sandbox_store.forget,
            switch=stores.engine_switch,
            activity=core.workspace.activity,
            clock=core.clock,
        )

    @cached_property
    def export(self) -> WorkspaceExport:
        """What writes all of a workspace to a folder."""
        from chalicelib.services.operator.export import WorkspaceExport
        from chalicelib.storage.export.rows import ExportRows

        core = self._core
        return WorkspaceExport(
            workspaces=core.stores.workspaces,
            rows=ExportRows(core.clients.dynamodb, core.tables),
            store=core.media.store,
            activity=core.workspace.activity,
            clock=core.clock,
        )

    @cached_property
    def export_requests(self) -> ExportRequests:
        """What makes the exports that owners asked for."""
        from chalicelib.services.operator.export_requests import ASKED_PART_BYTES, ExportRequests

        return ExportRequests(
            rows=self._people.export_rows,
            export=replace(self.export, part_bytes=ASKED_PART_BYTES),
            store=self._core.media.store,
            clock=self._core.clock,
        )

    @cached_property
    def ownership(self) -> Ownership:
        """What owners alone do with a workspace as a whole."""
        from chalicelib.services.app.ownership import Ownership
        from chalicelib.storage.export.links import ExportsAtDoor, ExportsAtS3

        media, clock = self._core.media, self._core.clock
        links: ExportLinks = ExportsAtS3(media.store)
        if (door := self._core.settings.own_door) is not None:
            links = ExportsAtDoor(links=media.pull_links, url=door, clock=clock)
        return Ownership(
            exports=self.export_requests,
            deletion=self.deletion,
            links=links,
            activity=self._core.workspace.activity,
            clock=clock,
        )

    @cached_property
    def moving_side(self) -> Side:
        """All of this deployment that moving a workspace reads and writes."""
        from chalicelib.services.operator.moving.side import Side
        from chalicelib.storage.moving.copies import RowsSide
        from chalicelib.storage.moving.doors import Doors
        from chalicelib.storage.moving.holds import Holds
        from chalicelib.storage.moving.rows import WorkspaceRows

        core, stores = self._core, self._core.stores
        marks, rows = stores.marks, WorkspaceRows(core.clients.dynamodb, core.tables)
        return Side(
            identity=core.settings.identity,
            address=core.settings.outer_url,
            answers=self._answers(),
            rows=RowsSide(marks, rows, stores.token_store.vault),
            doors=Doors(marks),
            holds=Holds(marks, rows),
            store=core.media.store,
            copies=core.media.prepared_copies,
            sandbox=lambda: core.sandbox_store,
            persons=self._people.persons,
            queue=stores.lanes.fire,
        )
