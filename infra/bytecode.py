"""Compiles what is in a Lambda zip beforehand: a cold start then spends half the CPU time.

Lambda's folder is read-only, so without this every new process compiles every module that it
imports. The runtime of the template is the packaging interpreter's own version, so its bytecode
fits; unchecked hashes keep it valid whatever the files' dates become.
"""

import compileall
import shutil
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

from infra.archive import write_archive

_AT_RUN_TIME = "/var/task"


def compile_archive(archive: Path, folder: Path) -> None:
    """Rewrite a zip with the bytecode beside its sources; `folder` is used and left behind."""
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    compileall.compile_dir(
        folder,
        quiet=2,
        stripdir=str(folder),
        prependdir=_AT_RUN_TIME,
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    write_archive(folder, archive)
