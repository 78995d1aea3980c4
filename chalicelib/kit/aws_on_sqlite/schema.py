"""The tables of the engine's file, and the settings of each connection.

A later version may add tables, indexes and columns; an earlier one works without them.
"""

from typing import Final

CONNECTION: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA wal_autocheckpoint = 0;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -4000;
PRAGMA secure_delete = ON;
"""
"""sqlite.org/pragma.html: with `synchronous = FULL` each commit would sync by itself while all
others wait, so the log is synced for many at once (`shared_sync`); and what is deleted would stay
readable in free pages without `secure_delete`."""
READER: Final = "PRAGMA cache_size = -1000"
"""Each connection's cache fills within an hour or days, and reading is as quick with a quarter."""
TABLES: Final = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS made (
    kind TEXT, name TEXT, id INTEGER PRIMARY KEY, about TEXT NOT NULL, UNIQUE (kind, name));
CREATE TABLE IF NOT EXISTS item (
    tbl INTEGER, pk TEXT, sk TEXT, body TEXT NOT NULL, size INTEGER NOT NULL, expires INTEGER,
    PRIMARY KEY (tbl, pk, sk)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS item_expires ON item (expires) WHERE expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS entry (
    tbl INTEGER, idx TEXT, hash TEXT, range TEXT, pk TEXT, sk TEXT, more TEXT NOT NULL,
    PRIMARY KEY (tbl, idx, hash, range, pk, sk)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, visible_at REAL NOT NULL, name TEXT NOT NULL,
    team TEXT NOT NULL, body TEXT NOT NULL, sent_at REAL NOT NULL, receipts INTEGER NOT NULL,
    first_at REAL, trace TEXT);
CREATE INDEX IF NOT EXISTS message_visible ON message (queue, visible_at);
CREATE INDEX IF NOT EXISTS message_team ON message (queue, team, visible_at);
CREATE INDEX IF NOT EXISTS message_held ON message (queue, team, visible_at) WHERE receipts > 0;
CREATE INDEX IF NOT EXISTS message_named ON message (name);
CREATE TABLE IF NOT EXISTS object (
    bucket INTEGER, key TEXT, type TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    modified REAL NOT NULL, files TEXT NOT NULL, PRIMARY KEY (bucket, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS upload (
    id TEXT PRIMARY KEY, bucket INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
    begun REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS part (
    upload TEXT, number INTEGER, file TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    PRIMARY KEY (upload, number)) WITHOUT ROWID;
COMMIT;
"""
ADDED: Final = {"message": ("trace", "TEXT")}
"""Columns that tables of an earlier version lack."""
