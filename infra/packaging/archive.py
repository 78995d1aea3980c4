"""Zips whose bytes depend on what is in them only, not on when or where they were made."""

import hashlib
import zipfile
from pathlib import Path

_DATE = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16


def write_archive(folder: Path, archive: Path) -> None:
    """Zip everything in a folder."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, _READABLE
            packed.writestr(entry, file.read_bytes())


def digest(archive: Path) -> str:
    """Return a name for an archive's contents.

    Bytecode follows from sources, if not to the bit, so that only whether there is any counts: a
    zip that was made without a compiler is replaced by one that was made with it.
    """
    total = hashlib.sha256()
    with zipfile.ZipFile(archive) as packed:
        sources = sorted(one for one in packed.namelist() if not one.endswith(".pyc"))
        if len(sources) < len(packed.namelist()):
            total.update(b"compiled")
        for name in sources:
            total.update(f"{name}\0".encode() + hashlib.sha256(packed.read(name)).digest())
    return total.hexdigest()[:32]


def unzipped_bytes(archive: Path) -> int:
    """Return how much room an archive takes once it is unpacked."""
    with zipfile.ZipFile(archive) as packed:
        return sum(entry.file_size for entry in packed.infolist())
