"""The command `goldenhour` as a process of its own, and what it printed."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


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
        """Run it to its end."""
        done = subprocess.run(
            self.words(*arguments),
            cwd=self.folder,
            env=self.whole_environment(),
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        return Printed(status=done.returncode, out=done.stdout, err=done.stderr)

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
