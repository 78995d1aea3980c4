"""Removes old objects by the bucket's rules, and files that nothing names, in small steps.

A step checks a fixed number of parts, objects or files, however many there are, and the next step
continues: first through everything with a name, whose files are noted, then through the folder.
Before a file is removed it is checked once more, as it may have got a name meanwhile.
"""

import json
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import FILES, Engine
from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3

_LEFT_BEHIND_S = 3_600
_DAY_S = 86_400
_LOOKED_AT = 100
_PARTS = (
    "SELECT upload, number, file FROM part WHERE (upload, number) > (?, ?)"
    " ORDER BY upload, number LIMIT ?"
)
_OBJECTS = (
    "SELECT bucket, key, modified, files FROM object WHERE (bucket, key) > (?, ?)"
    " ORDER BY bucket, key LIMIT ?"
)
_NAMED = (
    "SELECT EXISTS (SELECT 1 FROM part WHERE file = :name)"
    " OR EXISTS (SELECT 1 FROM object WHERE instr(files, :name))"
)


class Removal:
    """Goes through the files of an engine again and again, a step at each call."""

    def __init__(self, engine: Engine, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._clock = clock
        self._files = EmbeddedS3(engine)
        self._looks: Iterator[None] | None = None

    def step(self) -> None:
        """Check some more; the end of a round ends the step."""
        if self._looks is None:
            self._looks = self._round(self._clock())
        if sum(1 for _ in islice(self._looks, _LOOKED_AT)) < _LOOKED_AT:
            self._looks = None

    def _round(self, now: float) -> Iterator[None]:
        """Go through everything once; each iteration checks one item."""
        named: set[str] = set()
        for _, _, file in self._pages(_PARTS, ("", -1)):
            named.add(file)
            yield
        buckets = self._buckets()
        for number, key, modified, files in self._pages(_OBJECTS, (-1, "")):
            bucket, rules = buckets.get(number, ("", []))
            if any(_is_over(rule, key, now - modified) for rule in rules):
                self._files.delete_object(Bucket=bucket, Key=key)
            else:
                named.update(name for name, _ in json.loads(files))
            yield
        with os.scandir(self._engine.folder / FILES) as entries:
            for entry in entries:
                if entry.name not in named:
                    self._remove(entry, now - _LEFT_BEHIND_S)
                yield

    def _pages(self, text: str, after: tuple[Any, Any]) -> Iterator[tuple[Any, ...]]:
        """Yield rows in the order of their keys, the first two columns."""
        while True:
            with self._engine.reading() as connection:
                rows = connection.execute(text, (*after, _LOOKED_AT)).fetchall()
            yield from rows
            if len(rows) < _LOOKED_AT:
                return
            after = rows[-1][:2]

    def _buckets(self) -> dict[int, tuple[str, list[Any]]]:
        with self._engine.reading() as connection:
            text = "SELECT id, name, about FROM made WHERE kind = 'bucket'"
            rows = connection.execute(text).fetchall()
        return {
            number: (name, json.loads(about).get("Lifecycle", [])) for number, name, about in rows
        }

    def _remove(self, entry: "os.DirEntry[str]", before: float) -> None:
        try:
            if entry.stat().st_ctime >= before:
                return
            with self._engine.reading() as connection:
                (is_named,) = connection.execute(_NAMED, {"name": entry.name}).fetchone()
            if not is_named:
                Path(entry.path).unlink()
        except FileNotFoundError:
            return


def _is_over(rule: Any, key: str, age_s: float) -> bool:  # noqa: ANN401 - JSON
    days = rule.get("ExpirationInDays")
    return days is not None and key.startswith(rule.get("Prefix", "")) and age_s > days * _DAY_S
