"""A workspace as a whole: exporting it in the background, and its owners' page for that."""

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.services.app.ownership import Ownership
from chalicelib.services.operator.export_requests import ASKED_PART_BYTES, ExportRequests
from chalicelib.storage.export.links import ExportLinks, ExportsAtDoor, ExportsAtS3

if TYPE_CHECKING:
    from chalicelib.bootstrap.core import Core
    from chalicelib.services.operator.deletion import WorkspaceDeletion
    from chalicelib.services.operator.export import WorkspaceExport
    from chalicelib.storage.export.requests import ExportRequestRows


def make_export_requests(
    core: "Core", rows: "ExportRequestRows", export: "WorkspaceExport"
) -> ExportRequests:
    """Return what makes the exports that owners ask for."""
    return ExportRequests(
        rows=rows,
        export=replace(export, part_bytes=ASKED_PART_BYTES),
        store=core.media.store,
        clock=core.clock,
    )


def make_ownership(
    core: "Core", exports: ExportRequests, deletion: "WorkspaceDeletion"
) -> Ownership:
    """Return what owners alone do in the app."""
    return Ownership(
        exports=exports,
        deletion=deletion,
        links=_links(core),
        activity=core.workspace.activity,
        clock=core.clock,
    )


def _links(core: "Core") -> ExportLinks:
    door = core.settings.own_door
    if door is None:
        return ExportsAtS3(core.media.store)
    return ExportsAtDoor(links=core.media.pull_links, url=door, clock=core.clock)
