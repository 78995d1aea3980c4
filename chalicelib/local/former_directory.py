"""Converts a data directory of the first format: rows, files, messages and the key.

    python -m chalicelib.local.former_directory DIRECTORY

`data_directory.take` runs it in a process of its own, while it has locked the directory. The new
state is made beside the old one and then renamed, so that after an interrupted start the next one
begins again; the old state is kept until the next clean stop. Unfinished uploads are not converted:
their connections ended with the stack.
"""

import argparse
import base64
import json
import os
import shutil
import sqlite3
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from chalicelib.kit.aws_on_sqlite import queues
from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import FILES, Engine, open_engine
from chalicelib.kit.aws_on_sqlite.keys import Keys, keep_keys
from chalicelib.kit.aws_on_sqlite.shared_sync import sync_path
from chalicelib.kit.aws_on_sqlite.tables.rows import row_of, size_of
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shapes
from chalicelib.kit.aws_on_sqlite.tables.writes import list_row
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.settings import Settings

ENGINE, FORMER = "engine", "emulator"
_STATE = "state.db"
_MEDIA = "objects/000000000000"


def take_over(data_dir: Path) -> str:
    """Make the new state from the old one; return a line that says what was converted."""
    fresh = data_dir / f"{ENGINE}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    engine = open_engine(address_of(fresh, synced=True))
    with closing(sqlite3.connect(data_dir / FORMER / _STATE)) as state:
        documents = dict(
            state.execute("SELECT name, body FROM document WHERE name LIKE 'service:%'")
        )
        rows = state.execute("SELECT table_arn, partition, sort, body FROM item").fetchall()
    for prefix in {_table_name(row[0]).rpartition("-")[0] for row in rows}:
        make_embedded(_settings(prefix, engine.address))
    _take_keys(fresh, _values(documents, "kms", "keys"))
    _take_rows(engine, rows)
    files = _take_files(engine, data_dir / FORMER / _MEDIA)
    messages = _take_messages(engine, _values(documents, "sqs", "queues"))
    engine.close()
    sync_path(fresh / FILES)
    fresh.replace(data_dir / ENGINE)
    sync_path(data_dir)
    return f"{len(rows)} rows, {files} files and {messages} messages"


def _settings(prefix: str, address: str) -> Settings:
    environment = {**os.environ, "AWS_ENDPOINT_URL": address, "GOLDENHOUR_RESOURCE_PREFIX": prefix}
    return Settings.from_environment(environment)


def _table_name(arn: str) -> str:
    return arn.rpartition("/")[2]


def _values(documents: Mapping[str, str], service: str, kind: str) -> dict[str, Any]:
    """Return a service's values by name; in a key, account and region precede a zero byte."""
    found = json.loads(documents.get(f"service:{service}", "{}")).get(kind, {}).get("data", {})
    return {name.rpartition("\0")[2].strip("'"): value for name, value in found.items()}


def _take_keys(folder: Path, keys: Mapping[str, Any]) -> None:
    """Keep the former keys for decryption only; a new key wraps from now on."""
    former = {
        name: base64.b64decode(key["_symmetric_key_b64"])
        for name, key in keys.items()
        if "_symmetric_key_b64" in key
    }
    made = Keys.read(folder)
    keep_keys(folder, Keys(wrapping=made.wrapping, former=former))


def _take_rows(engine: Engine, rows: list[tuple[str, str, str, str]]) -> None:
    shapes = Shapes(engine)
    with engine.writing() as connection:
        for arn, pk, sk, body in rows:
            shape, row = shapes[_table_name(arn)], row_of(body)
            kept = (shape.id, pk, sk, body, size_of(row), shape.expires_at(row))
            connection.execute("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)", kept)
            list_row(connection, shape, (pk, sk), row)


def _take_files(engine: Engine, folder: Path) -> int:
    found = list(_files(folder))
    with engine.writing() as connection:
        for bucket, key, file, about in found:
            made = engine.find_made("bucket", bucket)
            if made is None:
                raise LookupError(f"There is no bucket {bucket}.")
            name, size = uuid.uuid4().hex, file.stat().st_size
            _link(file, engine.folder / FILES / name)
            modified = datetime.fromisoformat(about["last_modified"]).timestamp()
            row = (made[0], key, about["content_type"], size, about["etag"], modified)
            connection.execute(
                "INSERT INTO object VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, json.dumps([(name, size)])),
            )
    return len(found)


def _files(folder: Path) -> Iterator[tuple[str, str, Path, Mapping[str, Any]]]:
    for note in sorted(folder.rglob("*.meta.json")):
        file = note.with_name(note.name.removesuffix(".meta.json"))
        if file.is_file():
            about = json.loads(note.read_text(encoding="utf-8"))
            yield file.relative_to(folder).parts[0], about["key"], file, about


def _link(file: Path, name: Path) -> None:
    try:
        name.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, name)


def _take_messages(engine: Engine, kept: Mapping[str, Any]) -> int:
    count = 0
    with engine.writing() as connection:
        for queue in kept.values():
            made = engine.find_made("queue", queue["name"])
            if made is None:
                continue
            for message in queue["messages"]:
                entry = {"MessageBody": message["body"], "MessageGroupId": message.get("group_id")}
                queues.put(connection, [queues.message(made[0], entry, message["visible_at"])])
                count += 1
    return count


def main() -> None:
    """Convert the named directory."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data_dir", type=Path)
    os.umask(0o077)
    try:
        sys.stdout.write(take_over(parser.parse_args().data_dir))
    except Exception as failure:  # noqa: BLE001 - whatever fails, the old state is unchanged
        sys.exit(f"{type(failure).__name__}: {failure}")


if __name__ == "__main__":
    main()
