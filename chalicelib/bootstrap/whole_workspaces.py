"""The parts that export, move or delete a whole workspace."""

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.services.app.ownership import Ownership
from chalicelib.services.operator.deletion import WorkspaceDeletion
from chalicelib.services.operator.export import WorkspaceExport
from chalicelib.services.operator.export_requests import ASKED_PART_BYTES, ExportRequests
from chalicelib.services.operator.moving.side import Side
from chalicelib.storage.deletion.files import FileRemains
from chalicelib.storage.deletion.people import DirectoryRemains
from chalicelib.storage.deletion.posts import PostRemains
from chalicelib.storage.deletion.progress import DeletionRows
from chalicelib.storage.deletion.search import Search
from chalicelib.storage.export.links import ExportLinks, ExportsAtDoor, ExportsAtS3
from chalicelib.storage.export.rows import ExportRows
from chalicelib.storage.moving.copies import RowsSide
from chalicelib.storage.moving.doors import Doors
from chalicelib.storage.moving.holds import Holds
from chalicelib.storage.moving.rows import WorkspaceRows

if TYPE_CHECKING:
    from chalicelib.bootstrap.core import Core
    from chalicelib.bootstrap.people import PeopleParts


class WholeWorkspaceParts:
    """Export, move and deletion, for operators and for owners in the app."""

    def __init__(self, core: "Core", people: "PeopleParts", *, answers: bool) -> None:
        settings, clock, stores, media = core.settings, core.clock, core.stores, core.media
        activity = core.workspace.activity
        place = stores.place
        posts, files = PostRemains(*place), FileRemains(*place, media.store)
        directory = DirectoryRemains(stores.directory_table, people.persons)
        self.deletion = WorkspaceDeletion(
            workspaces=stores.workspaces,
            rows=DeletionRows(stores.directory_table.table),
            posts=posts,
            files=files,
            directory=directory,
            search=Search(*place, posts=posts, files=files, directory=directory),
            # Opened only when something is deleted: an export needs no sandbox.
            forget_at_sandbox=lambda ids: core.sandbox_store.forget(ids),  # noqa: PLW0108
            switch=stores.engine_switch,
            activity=activity,
            clock=clock,
        )
        self.export = WorkspaceExport(
            workspaces=stores.workspaces,
            rows=ExportRows(*place),
            store=media.store,
            activity=activity,
            clock=clock,
        )
        self.export_requests = ExportRequests(
            rows=people.export_rows,
            export=replace(self.export, part_bytes=ASKED_PART_BYTES),
            store=media.store,
            clock=clock,
        )
        links: ExportLinks = ExportsAtS3(media.store)
        if (door := settings.own_door) is not None:
            links = ExportsAtDoor(links=media.pull_links, url=door, clock=clock)
        self.ownership = Ownership(
            exports=self.export_requests,
            deletion=self.deletion,
            links=links,
            activity=activity,
            clock=clock,
        )
        rows = WorkspaceRows(*place)
        self.moving_side = Side(
            identity=settings.identity,
            address=settings.outer_url,
            answers=answers,
            rows=RowsSide(stores.marks, rows, stores.token_store.vault),
            doors=Doors(stores.marks),
            holds=Holds(stores.marks, rows),
            store=media.store,
            copies=media.prepared_copies,
            sandbox=lambda: core.sandbox_store,
            persons=people.persons,
            queue=stores.lanes.fire,
        )
