"""What triggers need is imported while the front starts: after a crash, posts are due already."""

import os
import subprocess
import sys
from pathlib import Path

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.local.stack_modules import STACK_MODULES

_PROGRAM = f"""
import sys
from {STACK_MODULES} import deployment, load_ahead
from chalicelib.bootstrap.readiness import NEEDS, get_ready

load_ahead()
loaded = set(sys.modules)
for handler in ("tick", "publish", "prepare", "retry", "collect", "review"):
    for part in NEEDS[handler]:
        if not part.startswith("clients."):
            getattr(deployment(), part.partition(".")[0])
deployment().takeover
print(*sorted(name for name in set(sys.modules) - loaded if name.startswith("chalicelib")))
"""


def test_building_what_sends_and_wakes_imports_nothing_more(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "GOLDENHOUR_DATA_DIR": str(tmp_path),
        "AWS_ENDPOINT_URL": address_of(tmp_path / "engine", synced=False),
    }

    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.split() == []
