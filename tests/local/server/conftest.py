"""A data directory as a stack leaves it, for the tests of backups."""

import json
from pathlib import Path

import pytest

from chalicelib.local.emulator.state_file import Changes, StateFile


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return a directory as a stack leaves it: state, one file, the demo's note."""
    objects = tmp_path / "live" / "emulator" / "objects" / "media"
    objects.mkdir(parents=True)
    state = StateFile(tmp_path / "live" / "emulator" / "state.db")
    rows = {("arn", f"p{number}", "s"): json.dumps({"n": number}) for number in range(2_000)}
    state.write(Changes(items=dict(rows)))
    state.close()
    (objects / "film").write_bytes(b"x" * 2_000_000)
    (tmp_path / "live" / "demo.json").write_text("{}")
    return tmp_path / "live"
