"""Logs as JSON, one line per record, for CloudWatch Logs Insights and for people with `jq`.

Deployed functions call `log_as_json` once, the local stack's processes `start_logging`; every room
just uses `logging` with `extra={...}`, whose fields stand beside time, level, logger and message.
`serve` sets GOLDENHOUR_LOGS=stdout and leaves keeping and rotation to what runs it.
"""

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

# What every record has; anything else on one came from `extra`.
_ORDINARY: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


_MOST_BYTES = 10_000_000
_KEPT_FILES = 3


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON; an error names the release that it is of."""

    def __init__(self, release: str | None = None) -> None:
        super().__init__()
        self._release = release

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback is one of its fields."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _ORDINARY},
        }
        if self._release and record.levelno >= logging.ERROR:
            line["release"] = self._release
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_as_json(stream: TextIO | None = None) -> None:
    """Send everything that is logged to a stream (stderr) as JSON, and to no other."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(os.environ.get("GOLDENHOUR_RELEASE")))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def log_to_file(path: Path) -> None:
    """Keep everything that is logged in a file as JSON; warnings stand on the terminal too."""
    logging.basicConfig(level=logging.INFO, handlers=[_file(path), _terminal()], force=True)
    logging.raiseExceptions = False  # a full disk is told once, not with each line that it loses
    logging.getLogger("botocore").setLevel(logging.WARNING)


@contextmanager
def keep_log(path: Path) -> Iterator[None]:
    """Keep what our code logs within the block in a file as JSON, too.

    What an operator's command does is told by no server's log. What cannot be kept, as on a full
    disk, fails no command.
    """
    logger = logging.getLogger("chalicelib")
    level, handlers, raises = logger.level, [_file(path)], logging.raiseExceptions
    if not logger.hasHandlers():
        handlers.append(_terminal())
    for handler in handlers:
        logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logging.raiseExceptions = False
    try:
        yield
    finally:
        logging.raiseExceptions = raises
        logger.setLevel(level)
        for handler in handlers:
            logger.removeHandler(handler)
            with suppress(OSError):
                handler.close()


def _file(path: Path) -> logging.Handler:
    from logging.handlers import RotatingFileHandler  # noqa: PLC0415 - deployed functions keep none

    kept = RotatingFileHandler(path, maxBytes=_MOST_BYTES, backupCount=_KEPT_FILES, delay=True)
    kept.setFormatter(JsonLines())
    return kept


def _terminal() -> logging.Handler:
    """Return what tells warnings on the terminal, in plain words."""
    told = logging.StreamHandler(sys.stderr)
    told.setLevel(logging.WARNING)
    return told


def logs_to_stdout() -> bool:
    """Tell whether standard output is the log."""
    return os.environ.get("GOLDENHOUR_LOGS") == "stdout"


def start_logging(name: str) -> None:
    """Log as JSON from now on, to `<data directory>/<name>.log` or to standard output."""
    if logs_to_stdout():
        log_as_json(sys.stdout)
    else:
        log_to_file(Path(os.environ.get("GOLDENHOUR_DATA_DIR", ".")) / f"{name}.log")
