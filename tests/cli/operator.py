"""An operator at a terminal: commands over a deployment in the test emulator."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner, Result

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.command_line import goldenhour


@dataclass(frozen=True, slots=True)
class Operator:
    """Runs commands; `stages` are the deployments that `--stage` can name."""

    local: Deployment
    stages: Mapping[str, Deployment] = field(default_factory=dict)

    def run(self, *arguments: str) -> Result:
        """Carry out one command."""
        return CliRunner().invoke(goldenhour, list(arguments), obj=self._open)

    def ask(self, *arguments: str) -> dict[str, object]:
        """Carry out a command that succeeds, with `--json`; return its document."""
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        document = json.loads(result.stdout)
        assert isinstance(document, dict)
        return document

    def text(self, *arguments: str, field: str) -> str:
        """Carry out a command with `--json`; return one text of its document."""
        value = self.ask(*arguments)[field]
        assert isinstance(value, str)
        return value

    @contextmanager
    def _open(self, stage: str | Path | None) -> Iterator[Deployment]:
        yield self.local if stage is None else self.stages[str(stage)]


CREATE_WORKSPACE = (
    *("workspace", "create", "--name", "Lighthouse Bakery", "--plan", "studio"),
    *("--timezone", "Europe/Paris", "--owner-name", "Ada"),
)
