"""Logs as JSON, one line per record, for CloudWatch Logs Insights and for people with `jq`.

`app.py` and the local stack call `log_as_json` once per process; every room just uses `logging`
with `extra={...}`, whose fields stand beside time, level, logger and message.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

# What every record has; anything else on one came from `extra`.
_ORDINARY: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback is one of its fields."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _ORDINARY},
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_as_json(level: int = logging.INFO) -> None:
    """Send everything that is logged to stderr as JSON, in the place of other handlers."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
