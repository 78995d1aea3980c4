"""A process without a free file handle answers what it can, and goes on once there is one."""

import os
import subprocess
import sys

from tests.local.running_stack import PROJECT

_WITHOUT_HANDLES = """
import os, resource, tempfile
from pathlib import Path
from botocore.exceptions import EndpointConnectionError
from chalicelib.kit.aws_on_sqlite.engine import FILE, Engine

engine = Engine(Path(tempfile.mkdtemp()) / "engine")
engine.make("kind", "first", {})
engine.find_made("kind", "first")  # over the one connection that reads
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
taken = []
try:
    while True:
        taken.append(os.open("/dev/null", os.O_RDONLY))
except OSError as error:
    print(error.strerror)

with engine.reading():
    try:
        with engine.reading():
            raise SystemExit("a second connection was to be had")
    except EndpointConnectionError as error:
        print("unable to open database file" in str(error))
for number in range(600):
    engine.make("kind", str(number), {"x": "y" * 200})

for handle in taken:
    os.close(handle)
for number in range(600, 1_200):
    engine.make("kind", str(number), {"x": "y" * 200})
while (engine.folder / FILE).stat().st_size < 100_000:
    pass
with engine.reading(), engine.reading() as connection:
    print(connection.execute("SELECT count(*) FROM made").fetchone()[0])
engine.close()
"""


def test_nothing_is_lost_while_no_file_can_be_opened() -> None:
    """A second reader is told that the tables do not answer; the log is worked in later."""
    found = subprocess.run(
        [sys.executable, "-c", _WITHOUT_HANDLES],
        check=False,
        cwd=PROJECT,
        env={**os.environ},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == ["Too many open files", "True", "1201"]
    assert "Exception in thread" not in found.stderr
