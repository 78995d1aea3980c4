"""The state of a table: its definition, and whether all its indexes are complete.

`made` has the table's definition. A second note, `whole`, has the definition for which all its
indexes have all its rows. During a rebuild `made` has the progress, too: a definition that no
template has, so that an earlier version that opens the directory begins again.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.dataclass import dataclass

_MARK = "Rebuild"
_NOTE = (
    "INSERT INTO made (kind, name, about) VALUES (?, ?, ?)"
    " ON CONFLICT (kind, name) DO UPDATE SET about = excluded.about"
)
About = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of rebuilding a table's indexes: how many of its rows are done."""

    table: str
    rows: int
    of: int | None
    """None while they are being counted, and before."""

    def __str__(self) -> str:
        """Return it as text for a person."""
        rows = f"{self.rows:,} of {self.of:,} rows" if self.of is not None else "counting rows"
        return f"{self.table}: {rows}"


@dataclass(slots=True, kw_only=True)
class Stand:
    """Where a rebuild is, as its next step needs it."""

    rows: int = 0
    of: int | None = None
    after: tuple[str, str] | None = None
    """The last row that is done: the bytes of its keys, in hexadecimal."""
    listed: dict[str, int] = field(default_factory=dict)
    """How many entries the rows so far have in each index."""
    unreadable: int = 0
    drop: list[str] = field(default_factory=list)
    """The indexes that must be emptied first."""


def make_table(engine: Engine, name: str, about: About) -> bool:
    """Note a new table, complete as it has no rows; tell whether it was new."""
    text = json.dumps(about)
    with engine.writing() as connection:
        made = "INSERT OR IGNORE INTO made (kind, name, about) VALUES ('table', ?, ?)"
        if not connection.execute(made, (name, text)).rowcount:
            return False
        connection.execute(_NOTE, ("whole", name, text))
    return True


def is_whole(engine: Engine, name: str, about: About) -> bool:
    """Tell whether a table has a definition, and all its indexes have all its rows."""
    found = (engine.find_made("table", name), engine.find_made("whole", name))
    return all(one is not None and one[1] == about for one in found)


def note_whole(engine: Engine, name: str, about: About) -> None:
    """Note that a table has a definition, and all its indexes have all its rows."""
    with engine.writing() as connection:
        for kind in ("table", "whole"):
            connection.execute(_NOTE, (kind, name, json.dumps(about)))


def note_stand(connection: Any, name: str, about: About, stand: Stand) -> None:  # noqa: ANN401 - sqlite3's
    """Note within a transaction the progress of a table's rebuild."""
    connection.execute(_NOTE, ("table", name, json.dumps({**about, _MARK: asdict(stand)})))


def read_stand(made: About, about: About) -> Stand | None:
    """Return where the rebuild to a definition was interrupted, if it was."""
    rest = dict(made)
    told = rest.pop(_MARK, None)
    return Stand(**told) if told is not None and rest == about else None


def progress_of(engine: Engine, name: str, about: About) -> Progress | None:
    """Return the progress of a table's rebuild to a definition; None if it is complete."""
    if is_whole(engine, name, about):
        return None
    found = engine.find_made("table", name)
    stand = None if found is None else read_stand(found[1], about)
    return Progress(
        table=name, rows=0 if stand is None else stand.rows, of=None if stand is None else stand.of
    )
