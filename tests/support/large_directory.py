"""An engine's directory with many targets, written row by row as the service writes them.

Its newest index is missing, and nothing says so: that is what an upgrade left behind which was cut
off between the two transactions of an earlier version.
"""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chalicelib.domain.ids import new_id
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.tables.rows import size_of, to_text
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shapes
from chalicelib.kit.dynamodb.items import attributes, stamp
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.settings import Settings
from chalicelib.storage.tables import wake_shard

_WORKSPACES = 200
_WAKING = (
    "SELECT body ->> '$.wake_shard.S', body ->> '$.wake_at.S', pk, sk,"
    " json_object('workspace_id', body -> '$.workspace_id') FROM item"
    " WHERE body ->> '$.wake_shard.S' IS NOT NULL ORDER BY 1, 2, 3, 4"
)
_Item = tuple[int, str, str, str, int, int | None]


def fill(settings: Settings, targets: int) -> Path:
    """Write the rows, and places in all indexes but one; return the folder."""
    make_embedded(settings)
    engine = open_engine(settings.endpoint_url or "")
    folder = engine.folder
    table = Shapes(engine)[settings.posts_table].id
    engine.close()
    with closing(sqlite3.connect(folder / "tables.db", isolation_level=None)) as file:
        file.execute("PRAGMA synchronous = OFF")
        file.execute("BEGIN")
        file.execute("DELETE FROM made WHERE kind = 'whole'")
        file.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)", _items(table, targets))
        for name, hashed, ranged in (
            ("by_workspace", "list_workspace", "pk"),
            ("by_status", "list_status", "pk"),
            ("by_time", "time_workspace", "time_key"),
        ):
            file.execute(
                "INSERT INTO entry SELECT tbl, :name, body ->> :hash, body ->> :range, pk, sk, '{}'"
                " FROM item WHERE body ->> :hash IS NOT NULL ORDER BY 3, 4",
                {"name": name, "hash": f"$.{hashed}.S", "range": f"$.{ranged}.S"},
            )
        file.execute("COMMIT")
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def waking(folder: Path) -> list[tuple[str, ...]]:
    """Return what the index of what wakes must hold, by SQLite's own reading of the rows."""
    with closing(sqlite3.connect(folder / "tables.db")) as file:
        return file.execute(_WAKING).fetchall()


def waking_by_index(folder: Path) -> list[tuple[str, ...]]:
    """Return what that index holds."""
    with closing(sqlite3.connect(folder / "tables.db")) as file:
        text = "SELECT hash, range, pk, sk, more FROM entry WHERE idx = 'wake' ORDER BY 1, 2, 3, 4"
        return file.execute(text).fetchall()


def _items(table: int, targets: int) -> Iterator[_Item]:
    chance = random.Random(20261125)
    begin = datetime.now(UTC) - timedelta(days=300)
    workspaces = [new_id(begin) for _ in range(_WORKSPACES)]
    for number in range(targets):
        at = begin + timedelta(seconds=25 * number)
        for row in _rows(at, chance.choice(workspaces), is_out=number % 2 == 0):
            item = attributes(row)
            yield table, str(row["pk"]), str(row["sk"]), to_text(item), size_of(item), None


def _rows(at: datetime, workspace: str, *, is_out: bool) -> Iterator[dict[str, object]]:
    """Yield the rows of a post as the service writes them."""
    post, target = new_id(at), new_id(at)
    due = stamp(at + timedelta(days=14))
    status = "published" if is_out else "scheduled"
    wakes = {} if is_out else {"wake_shard": wake_shard(target), "wake_at": due}
    yield {
        "pk": post,
        "sk": "POST",
        "caption": f"The harbour in the morning light, {target}. " * 6,
        "workspace_id": workspace,
        "created_at": stamp(at),
        "created_by": "Ines Halvorsen",
        "version": 2,
        "target_ids": [target],
        "list_workspace": workspace,
        "list_status": f"{workspace}#{status}#{post[-1]}",
    }
    yield {
        "pk": post,
        "sk": f"TARGET#{target}",
        "workspace_id": workspace,
        "account_id": workspace[::-1],
        "platform": "linkedin",
        "handle": "harbour",
        "status": status,
        "options": "{}",
        "scheduled_at": due,
        "due_at": due,
        "version": 3,
        "post_version": 2,
        "time_workspace": workspace,
        "time_key": f"{due}#{post}#{target}",
        **wakes,
    }
    detail = json.dumps({"targets": 1, "at": due, "key": "Harbour"})
    event = {"action": "post.scheduled", "by": "Ines Halvorsen", "at": stamp(at), "detail": detail}
    yield {"pk": post, "sk": f"EVENT#{new_id(at)}", **event}
