"""Gives only the owner access to a data directory: 0700 and 0600, whatever the umask was.

This version creates files with these modes (`UMASK`). Files that an earlier version or a restore
left more open are changed once, the state file of each engine last, so that after an interrupted
start the next one begins again.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

UMASK = 0o077
"""The umask of every program that writes into the directory."""
_ENGINES = ("engine", "sandbox")
_STATE = "tables.db"


def keep_private(data_dir: Path) -> None:
    """Remove others' rights to a data directory; other users' files stay as they are."""
    for path in (data_dir, *_files_of(data_dir)):
        _close(path)
    for name in _ENGINES:
        _keep_engine_private(data_dir / name)


def not_ours(data_dir: Path) -> Path | None:
    """Return a file of a directory that this user cannot read and write; media are skipped."""
    folders = (data_dir, *(data_dir / name for name in _ENGINES))
    files = (file for folder in folders if folder.is_dir() for file in folder.iterdir())
    refused = (file for file in files if not os.access(file, os.R_OK | os.W_OK))
    return next((file for file in refused if file.exists()), None)  # or was removed meanwhile


@contextmanager
def keep_owner(data_dir: Path) -> Iterator[None]:
    """Give files that root makes in a directory to its owner, who could not open them."""
    try:
        yield
    finally:
        if os.geteuid() == 0 and data_dir.is_dir() and data_dir.stat().st_uid != 0:
            _give(data_dir, data_dir.stat())


def _give(data_dir: Path, owner: os.stat_result) -> None:
    """Change only files in the directory, whatever its owner puts there meanwhile.

    No link is followed, and a file that has a name elsewhere may be anybody's.
    """
    names = Counter(found.st_ino for _, _, found in _files_of_root(data_dir))
    for name, folder, found in _files_of_root(data_dir) if names else ():
        if stat.S_ISDIR(found.st_mode) or found.st_nlink <= names[found.st_ino]:
            with suppress(FileNotFoundError):  # removed meanwhile
                os.chown(name, owner.st_uid, owner.st_gid, dir_fd=folder, follow_symlinks=False)


def _files_of_root(data_dir: Path) -> Iterator[tuple[str, int, os.stat_result]]:
    """Yield the name of each file of root, with the open descriptor of its folder."""
    for _, folders, files, folder in os.fwalk(data_dir):
        for name in (*folders, *files):
            with suppress(FileNotFoundError):  # removed meanwhile
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if found.st_uid == 0:
                    yield name, folder, found


def _keep_engine_private(engine: Path) -> None:
    if any(_is_open(path) for path in (engine, engine / "files", engine / _STATE)):
        for folder, folders, files in os.walk(engine):
            for name in (*folders, *files):
                if name != _STATE:
                    _close(Path(folder) / name)
        _close(engine)
        _close(engine / _STATE)


def _files_of(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file())


def _is_open(path: Path) -> bool:
    return path.exists() and bool(path.stat().st_mode & UMASK)


def _close(path: Path) -> None:
    with suppress(OSError):  # another user's, or removed meanwhile
        if not path.is_symlink() and _is_open(path):
            path.chmod(path.stat().st_mode & ~UMASK & 0o777)
