"""A process that writes to an engine as fast as it can, and notes what was answered.

    python -m tests.kit.aws_on_sqlite.load ADDRESS LOG SECONDS WRITERS

Run by tests that kill it, or cut the power under it. Each line of the log is JSON: a kind, a name
and a value; it is written after the answer.
"""

import hashlib
import json
import os
import sys
import threading
import time
from pathlib import Path

from chalicelib.local.embedded_resources import make_embedded
from tests.kit.aws_on_sqlite.settings_of import settings_of
from tests.local.power_cuts.recording import mark_in
from tests.support.clients import a_client


class Load:
    """Writers of rows, and one of files."""

    def __init__(self, address: str, log: Path, seconds: float) -> None:
        self._address = address
        self._settings = settings_of(address)
        self._log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        make_embedded(self._settings)
        self._ends_at = time.monotonic() + seconds

    def run(self, writers: int) -> None:
        """Write until the time is over."""
        threads = [
            threading.Thread(target=self._put_rows, args=(f"{os.getpid()}.{number}",))
            for number in range(writers)
        ]
        threads.append(threading.Thread(target=self._put_files))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _note(self, *words: str) -> None:
        mark_in(self._log, json.dumps(words).encode())

    def _put_rows(self, writer: str) -> None:
        tables, number = a_client("dynamodb", self._address), 0
        while time.monotonic() < self._ends_at:
            number += 1
            tables.transact_write_items(
                TransactItems=[
                    {
                        "Put": {
                            "TableName": self._settings.posts_table,
                            "Item": {"pk": {"S": f"W{writer}"}, "sk": {"S": place}},
                        }
                    }
                    for place in ("LAST", f"ROW#{number}")
                ],
                ClientRequestToken=os.urandom(16).hex(),
            )
            self._note("row", writer, str(number))

    def _put_files(self) -> None:
        files, number = a_client("s3", self._address), 0
        while time.monotonic() < self._ends_at:
            number += 1
            body = os.urandom(2_000_000 if number % 3 == 0 else 2_000)
            key = f"media/{os.getpid()}/{number}"
            files.put_object(Bucket=self._settings.media_bucket, Key=key, Body=body)
            self._note("file", key, hashlib.sha256(body).hexdigest())


if __name__ == "__main__":
    Load(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])).run(int(sys.argv[4]))
