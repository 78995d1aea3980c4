"""The layer with the libraries that convert files, for the one function that does.

FFmpeg and Pillow weigh twice as much as everything else, so only `Convert` carries them, and only
uploads to its layer when their versions change.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from infra.archive import write_archive
from infra.merging import Template
from infra.runtime import require_loadable, wheel_choice

LIBRARIES = ("av", "pillow")
FUNCTION = "Convert"


class LayerError(Exception):
    """pip could not bring the libraries; the message is what it said."""


def layer_archive(folder: Path, requirements: str, constraints: str) -> Path | None:
    """Make the layer's zip below a folder that is ours; None when nothing belongs in it.

    Raises LayerError, RuntimeUnfitError.
    """
    wanted = [line for line in requirements.splitlines() if _belongs(line)]
    if not wanted:
        return None
    source, archive = folder / "layer", folder / "layer.zip"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    pinned = folder / "constraints.txt"
    pinned.write_text(constraints, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    chosen = [*wheel_choice(), "--no-compile", "-c", str(pinned)]
    made = subprocess.run(  # noqa: S603 - our own arguments
        [*pip, *chosen, "--target", str(source / "python"), *wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise LayerError(made.stdout + made.stderr)
    write_archive(source, archive)
    require_loadable(archive)
    return archive


def without_layer(requirements: str) -> str:
    """Return the libraries that go into the zip of every function."""
    return "".join(f"{line}\n" for line in requirements.splitlines() if not _belongs(line))


def unzipped_bytes(archive: Path) -> int:
    """Return how much room an archive takes once it is unpacked."""
    with zipfile.ZipFile(archive) as packed:
        return sum(entry.file_size for entry in packed.infolist())


def layer_parts(code: tuple[str, str]) -> Template:
    """Return what is laid over the plain template for a layer whose zip is at bucket and key."""
    bucket, key = code
    return {
        "Resources": {
            "MediaTools": {
                "Type": "AWS::Lambda::LayerVersion",
                # A rollback needs the version before.
                "DeletionPolicy": "Delete",
                "UpdateReplacePolicy": "Retain",
                "Properties": {
                    "LayerName": {"Fn::Sub": "${ResourcePrefix}-media-tools"},
                    "Description": "What converts files for platforms",
                    "Content": {"S3Bucket": bucket, "S3Key": key},
                    "CompatibleRuntimes": ["python3.12", "python3.13"],
                    "CompatibleArchitectures": ["x86_64"],
                },
            },
            FUNCTION: {"Properties": {"Layers": [{"Ref": "MediaTools"}]}},
        }
    }


def _belongs(line: str) -> bool:
    return line.partition("==")[0].strip().lower() in LIBRARIES
