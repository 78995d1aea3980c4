"""What the sandbox platform received on one machine: the table of a stage, and the files' bytes.

The table is in an engine of its own, `sandbox/` in the data directory, apart from the service's:
it stands for a platform outside, is in no backup, and each post is on the disk before `take`
returns. Several processes and threads use it at once.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB
from chalicelib.kit.aws_on_sqlite.tables.standing import make_table
from chalicelib.storage.sandbox import SandboxTable
from chalicelib.storage.sandbox_bytes import SandboxFiles
from chalicelib.storage.sandbox_former import FORMER, take_over

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

FOLDER: Final = "sandbox"
_TABLE: Final = "sandbox"
_KEYS: Final = (("pk", "HASH"), ("sk", "RANGE"))
_ABOUT: Final[dict[str, Any]] = {
    "TableName": _TABLE,
    "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in _KEYS],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name, _ in _KEYS],
}


class SandboxHere(SandboxTable):
    """The sandbox's store in a data directory; it also keeps the bytes, which a stage does not."""

    def __init__(self, data_dir: Path) -> None:
        self.files = SandboxFiles(data_dir / "sandbox-files")
        self._engine = Engine(data_dir / FOLDER, synced=True)
        try:
            make_table(self._engine, _TABLE, _ABOUT)
            # It has the methods of boto3's client that the table calls.
            client = cast("DynamoDBClient", EmbeddedDynamoDB(self._engine))
            super().__init__(client, _TABLE)
            take_over(data_dir / FORMER, self)
        except BaseException:
            self._engine.close()
            raise

    def close(self) -> None:
        """Close it after writes under way; nothing may be written afterwards."""
        self._engine.close()

    def close_at_exit(self) -> None:
        """Close it at the end of the process, if no thread uses it."""
        self._engine.close_at_exit()

    def keep_file(self, name: str, pieces: Iterator[bytes]) -> bool:
        """Keep a file's bytes under a name, once; tell that they are kept here."""
        self.files.keep(name, pieces)
        return True

    def read_file(self, name: str) -> Iterator[bytes] | None:
        """Return the bytes that are kept under a name, None if there are none."""
        return self.files.read(name)

    def forget(self, account_ids: Collection[str]) -> None:
        """Delete accounts' posts for good, and the files that no post names any more."""
        super().forget(account_ids)
        self._engine.empty_log()  # it has the deleted texts, too
        self.files.sweep({name for entry in self.entries() for name in entry.files.values()})

    def newest(self, account_id: str | None = None) -> list[SandboxEntry]:
        """Return the posts of one account or of all, newest first."""
        found = (one for one in self.entries() if account_id in (None, one.account_id))
        return sorted(found, key=lambda one: one.created_at, reverse=True)
