"""How the emulator's process is started: its environment and its command line.

Apart from the process itself, because whoever starts it must not load ministack.
"""

import socket
import sys
from collections.abc import Mapping
from pathlib import Path

# With what Python is found, and what a machine loads into each process, such as an allocator.
_KEPT = ("PATH", "PYTHONPATH", "HOME", "LD_PRELOAD")


def environment(
    outer: Mapping[str, str], *, temporary_folder: str, data_dir: Path | None = None
) -> dict[str, str]:
    """Return the environment the emulator needs: quiet, alone, no listeners of its own."""
    kept = {name: text for name, text in outer.items() if name in _KEPT}
    quiet = {
        "TMPDIR": temporary_folder,
        "LOG_LEVEL": "ERROR",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "MINISTACK_TEST_NO_AUTOSTART": "1",
        "DOCKER_HOST": f"unix://{temporary_folder}/no-docker",
    }
    objects = (data_dir or Path(temporary_folder)) / "objects"
    return kept | quiet | {"S3_PERSIST": "1", "S3_DATA_DIR": str(objects)}


def command(
    listener: socket.socket, data_dir: Path | None = None, *, synced: bool = False
) -> list[str]:
    """Return the command line of an emulator that serves this inherited socket.

    With `synced` it answers only once what it was asked to keep is on the disk.
    """
    line = [
        sys.executable,
        "-m",
        "chalicelib.local.emulator.program",
        "--fd",
        str(listener.fileno()),
    ]
    if data_dir is None:
        return line
    return [*line, "--data-dir", str(data_dir), *(["--synced"] if synced else [])]
