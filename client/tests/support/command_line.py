"""The command `goldenhour`, and what it printed.

Most tests run it within this process: a process of its own takes 0.4 s of processor to begin, five
hundred times. How it begins, is killed, and writes in other encodings is tested by processes.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from unittest import mock

from goldenhour.command.main import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """How a run of the command ended."""

    status: int
    out: str
    err: str

    def json(self) -> Any:  # noqa: ANN401 - tests look into it
        """Return what `--json` printed."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """Runs the command in a folder, with an environment."""

    folder: Path
    environment: Mapping[str, str] = field(repr=False)

    def __call__(self, *arguments: str, typed: str = "") -> Printed:
        """Run it to its end, within this process; not from two threads at once."""
        with _file(typed) as stdin, _file() as out, _file() as err:
            with (
                contextlib.chdir(self.folder),
                mock.patch.dict(os.environ, self.whole_environment(), clear=True),
                mock.patch.multiple(sys, stdin=stdin, stdout=out, stderr=err),
            ):
                status = _status_of(arguments)
            return Printed(status=status, out=_written(out), err=_written(err))

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """Start it and return at once."""
        return subprocess.Popen(
            self.words(*arguments),
            cwd=self.folder,
            env=self.whole_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def words(self, *arguments: str) -> Sequence[str]:
        """Return the command line."""
        return [sys.executable, "-m", "goldenhour", *arguments]

    def whole_environment(self) -> Mapping[str, str]:
        """Return the environment, without anything of goldenhour's that is not given."""
        ours = {name: value for name, value in os.environ.items() if "GOLDENHOUR" not in name}
        package = str(Path(__file__).parents[2])
        return {
            **ours,
            "PYTHONPATH": package,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            **self.environment,
        }


@contextlib.contextmanager
def _file(text: str = "") -> Iterator[IO[str]]:
    """Open a file with a descriptor, as a process has it on stdin, stdout and stderr."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as opened:
        opened.write(text)
        opened.seek(0)
        yield opened


def _written(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def _status_of(arguments: Sequence[str]) -> int:
    try:
        main(arguments)
    except SystemExit as ended:
        return int(ended.code or 0)
    raise AssertionError("The command does not say how it ended.")
