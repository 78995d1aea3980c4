"""What the operator's commands print, which never decides how a command ended.

Into files and pipes goes UTF-8, unless PYTHONIOENCODING names another encoding; on a terminal goes
what the terminal can show. A character that cannot be written is spelled out (\U0001f35e).
"""

import contextlib
import io
import os
import sys

import click


def prepare_output() -> None:
    """Make every character writable, to stdout and to stderr."""
    is_named = bool(os.environ.get("PYTHONIOENCODING", "").partition(":")[0])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if is_named or stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def write_answer(text: str, exit_status: int, *, is_the_point: bool) -> int:
    """Print what a command that was carried out has to say; return its exit status.

    Output that takes nothing more (a full disk, a reader that left) is a failure only where the
    answer is what the command is for: what was changed is changed, and is not to be repeated.
    """
    try:
        click.echo(text)
        sys.stdout.flush()
    except OSError as failure:
        sys.stdout = io.StringIO()  # nothing more is written, at the process's end neither
        with contextlib.suppress(OSError):
            click.echo(
                "It was carried out, but its answer could not be written"
                f" ({failure.strerror}). Do not repeat it before you have looked.",
                err=True,
            )
        return 1 if is_the_point else exit_status
    return exit_status
