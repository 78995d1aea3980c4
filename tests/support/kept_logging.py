"""What a test makes of logging ends with it, whatever program it starts in this process."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept_logging() -> Iterator[None]:
    """Give the root logger the level and handlers again that it had before the block."""
    root = logging.getLogger()
    level, handlers, raises = root.level, list(root.handlers), logging.raiseExceptions
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
        logging.raiseExceptions = raises
