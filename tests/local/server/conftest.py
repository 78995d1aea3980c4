"""A data directory as a stack leaves it, for the tests of backups."""

from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.engine import FILES, Engine
from chalicelib.kit.aws_on_sqlite.keys import make_key


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return a directory as a stack leaves it: state, one file, a key, the demo's note."""
    engine = Engine(tmp_path / "live" / "engine")
    with engine.writing() as connection:
        connection.executemany(
            "INSERT INTO item VALUES (0, ?, 's', '{}', 2, NULL)",
            [(f"p{number}" * 10,) for number in range(2_000)],
        )
    make_key(engine, "alias/tokens")
    (engine.folder / FILES / "film").write_bytes(b"x" * 2_000_000)
    engine.close()
    (tmp_path / "live" / "demo.json").write_text("{}")
    return tmp_path / "live"
