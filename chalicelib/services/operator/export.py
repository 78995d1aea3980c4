"""Exporting a workspace: lines of JSON and its files, in zips; it can be interrupted.

`workspace export` writes it to a folder while everything runs. `export.json` lists the parts and
how far the export is; run again, it goes on after the last complete part. An export that an owner
asks for in the app (`export_requests`) is made by the same `next_part`.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.activity import OPERATOR, Deed
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, instant, stamp
from chalicelib.kit.folder_turn import FolderTakenError, alone_in
from chalicelib.services.operator.export_parts import PART_BYTES, FolderFile, Part, PartFile
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.export.documents import document
from chalicelib.storage.export.rows import ExportRows, Found, Source
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.workspace.owner_index import require_id
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

FORMAT: Final = 1
_PROGRESS: Final = "export.json"
_CUT_OFF: Final = f"{_PROGRESS}.unfinished"
_PIECE_BYTES: Final = 8_388_608
_ORDER: Final = tuple(Source)


class OtherExportError(OperatorError):
    """This folder has something else in it. Name an empty one, or that of the same export."""


class ExportRunsError(OperatorError):
    """Another command is writing an export into this folder. Wait until it has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """How far an export is; `source` and `after` say where it goes on.

    `whole_at` is when its parts were complete: its note in the activity is known by that.
    """

    workspace_id: str
    begun_at: str
    source: str = Source.DIRECTORY
    after: str = ""
    parts: int = 0
    counts: Mapping[str, int]
    whole_at: str | None = None
    ended_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceExport:
    """Exports workspaces."""

    workspaces: WorkspaceRepository
    rows: ExportRows
    store: S3MediaStore
    activity: ActivityLog
    clock: Clock
    part_bytes: int = PART_BYTES

    def go_on(self, workspace_id: str, folder: Path) -> Iterator[Exported]:
        """Begin an export or go on with it; yield how far it is after each part.

        Raises UnknownWorkspaceError, OtherExportError, ExportRunsError.
        """
        if not self.workspaces.exists(require_id(workspace_id, UnknownWorkspaceError)):
            raise UnknownWorkspaceError
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with alone_in(folder):
                yield from self._go_on(workspace_id, folder)
        except FolderTakenError as taken:
            raise ExportRunsError from taken

    def _go_on(self, workspace_id: str, folder: Path) -> Iterator[Exported]:
        done = self._begin(workspace_id, folder)
        while done.whole_at is None and done.ended_at is None:
            done = self.next_part(done, FolderFile(folder, done.parts + 1))
            _keep(done, folder)
            if done.whole_at is None:
                yield done
        if done.whole_at is not None and done.ended_at is None:
            detail = "1 part" if done.parts == 1 else f"{done.parts} parts"
            self.activity.note_once(
                workspace_id, Deed.EXPORTED, OPERATOR, at=instant(done.whole_at), detail=detail
            )
            done = replace(done, ended_at=done.whole_at)
            _keep(done, folder)
            yield done

    def _begin(self, workspace_id: str, folder: Path) -> Exported:
        place = folder / _PROGRESS
        if place.exists():
            kept: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
            if kept.pop("format", None) != FORMAT or kept["workspace_id"] != workspace_id:
                raise OtherExportError
            for cut_off in folder.glob("part-*.unfinished"):
                cut_off.unlink()
            return Exported(**kept)
        if any(one.name != _CUT_OFF for one in folder.iterdir()):
            raise OtherExportError
        begun = Exported(workspace_id=workspace_id, begun_at=stamp(self.clock()), counts={})
        _keep(begun, folder)
        return begun

    def next_part(self, done: Exported, file: PartFile) -> Exported:
        """Write the next part to a file; return how far it is then."""
        part = Part(file, self.part_bytes)
        try:
            source, after = self._fill(part, done)
        except BaseException:
            part.give_up()
            raise
        part.close()
        return replace(
            done,
            source=source or Source.FILES,
            after=after,
            parts=done.parts + 1,
            counts=dict(Counter(done.counts) + part.counts),
            whole_at=None if source else stamp(self.clock()),
        )

    def _fill(self, part: Part, done: Exported) -> tuple[Source | None, str]:
        """Fill a part; return where the next one goes on, no source at the end of all."""
        after = done.after
        for source in _ORDER[_ORDER.index(Source(done.source)) :]:
            for found in self.rows.after(done.workspace_id, source, after):
                if not part.has_room_for(_size_of(found)):
                    return source, after
                self._add(part, done.workspace_id, found)
                after = found.after
            after = ""
        return None, ""

    def _add(self, part: Part, workspace_id: str, found: Found) -> None:
        for row in found.rows:
            told = document(found.store, row)
            if told is not None:
                part.add_line(*told)
                if told[0] == "files":
                    self._add_file(part, workspace_id, row)

    def _add_file(self, part: Part, workspace_id: str, row: Item) -> None:
        """Add a file's bytes, piece by piece; of a removed file only the line is left."""
        key = file_key(workspace_id, str(row["pk"]))
        if self.store.size(key) is not None:
            part.add_file(str(row["pk"]), self._pieces(key))

    def _pieces(self, key: str) -> Iterator[bytes]:
        offset = 0
        while piece := self.store.read(key, offset, _PIECE_BYTES):
            offset += len(piece)
            yield piece


def _size_of(found: Found) -> int:
    size = found.rows[0].get("size_bytes", 0) if found.rows else 0
    return size if isinstance(size, int) else 0


def _keep(done: Exported, folder: Path) -> None:
    """Keep how far it is, whole or not at all."""
    told = {name: getattr(done, name) for name in Exported.__dataclass_fields__}
    unfinished = folder / _CUT_OFF
    unfinished.write_text(json.dumps({"format": FORMAT, **told}, indent=2), encoding="utf-8")
    unfinished.chmod(0o600)
    unfinished.replace(folder / _PROGRESS)
