"""Deletes old backups, and media that no other backup names.

Media are copied once, into a folder beside the backups: without this it would only grow, and keep
files that a customer deleted for good.
"""

import tarfile
from datetime import datetime, timedelta
from pathlib import Path

from chalicelib.kit.dataclass import dataclass
from chalicelib.local.server.backup import DIGESTS, HEAD, OBJECTS, files_in, json_in

_SETTLED_S = 3_600
"""A file that was written just now may belong to a backup that is being written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """How many backups and files were deleted."""

    backups: int
    files: int


def prune_backups(folder: Path, media: Path | None, *, keep: timedelta, now: datetime) -> Pruned:
    """Delete backups older than those kept, and media that no other backup names.

    If a file in the folder is no complete backup, all media stay: it may name any of them. The
    files of an interrupted backup are deleted.
    """
    named: set[str] = set()
    old, is_readable = [], True
    for tar in sorted(folder.glob("*.tar")):
        try:
            with tarfile.open(tar) as opened:
                taken_at = datetime.fromisoformat(json_in(opened, HEAD)["taken_at"])
                names = set(json_in(opened, DIGESTS))
        except (OSError, tarfile.TarError, ValueError, KeyError):
            is_readable = False
            continue
        if now - taken_at > keep:
            old.append(tar)
        else:
            named |= names
    cut_off = [part for part in folder.glob("*.tar.part") if _is_settled(part, now)]
    for tar in (*old, *cut_off):
        tar.unlink()
    if media is None or not is_readable or not named:
        return Pruned(backups=len(old), files=0)
    unnamed = [
        file
        for file in files_in(media)
        if f"{OBJECTS}/{file.relative_to(media).as_posix()}" not in named and _is_settled(file, now)
    ]
    for file in unnamed:
        file.unlink()
    return Pruned(backups=len(old), files=len(unnamed))


def _is_settled(file: Path, now: datetime) -> bool:
    return now.timestamp() - file.stat().st_mtime > _SETTLED_S
