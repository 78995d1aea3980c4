"""A service whose standard streams are closed writes into none of its own files."""

import subprocess
import sys
from pathlib import Path

import pytest

WRITES = """
import os, subprocess, sys
from chalicelib.local.standard_streams import open_closed_streams
open_closed_streams()
with open(sys.argv[1], "w") as file:
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        stream.write("said")
        stream.flush()
        os.write(number, b"said")
    said = "import sys; sys.stdout.write('said'); sys.stdout.flush()"
    subprocess.run([sys.executable, "-c", said], check=True)
    file.write("whole")
"""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_what_is_written_to_a_closed_stream_gets_into_no_file(closed: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    command = ["sh", "-c", f'exec "$0" -c "$1" "$2" {closed}', sys.executable, WRITES, str(file)]

    ended = subprocess.run(command, capture_output=True, check=False)

    assert (ended.returncode, file.read_text()) == (0, "whole")
    assert b"Traceback" not in ended.stderr
