"""Every command of the operator that a page shows is one that the command line understands.

Its name exists, its options exist, and no value is left over; values themselves are not looked at.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from chalicelib.cli.command_line import goldenhour
from chalicelib.local.server.commands import backup, restore, serve
from tests.repository.docs.test_pages import BOOKS, ROOT

LOCAL = {str(command.name): command for command in (backup, restore, serve)}
"""What `chalicelib/__main__.py` adds for the local stack."""

_SHOWN = re.compile(r"(?:-m chalicelib|(?<![\w/.-])gh) ([a-z][^`\n]*)")
_INLINE = re.compile(r"`([a-z-]+ [^`\n]+)`")


def shown(page: str) -> Iterator[list[str]]:
    """Yield the words of each command of a page, in blocks and within sentences."""
    for line in _SHOWN.findall(page.replace("\\\n", " ")):
        yield _words(re.split(r"[|;&#]|\)\"?$|\$\(", line)[0])
    context = click.Context(goldenhour)
    for line in _INLINE.findall(page):
        words = line.split()
        group = goldenhour.get_command(context, words[0])
        if isinstance(group, click.Group) and words[1] in group.commands:
            yield _words(line)


def _words(line: str) -> list[str]:
    return shlex.split(line.strip().rstrip("."))


def misunderstood(words: list[str]) -> str | None:
    """Return what is wrong with a command, None if it is understood."""
    command: click.Command = goldenhour
    context = click.Context(goldenhour)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        known = command.get_command(context, words[0])
        known = known or (LOCAL.get(words[0]) if command is goldenhour else None)
        if known is None:
            return f"no command {words[0]}"
        command, words = known, words[1:]
        context = click.Context(command, parent=context)
    try:
        _, left, _ = command.make_parser(context).parse_args(list(words))
    except click.UsageError as error:
        return error.format_message()
    surplus = [word for word in left if word != "…"]
    return f"left over: {surplus}" if surplus and not isinstance(command, click.Group) else None


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: str(book.relative_to(ROOT)))
def test_every_command_that_a_page_shows_is_understood(book: Path) -> None:
    found = [(words, misunderstood(words)) for words in shown(book.read_text())]

    assert [(" ".join(words), wrong) for words, wrong in found if wrong is not None] == []


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    page = "Run `.venv/bin/python -m chalicelib engine resume --confirm T`, then `gh engine start`."

    found = [misunderstood(words) for words in shown(page)]

    assert [str(wrong).split(".")[0] for wrong in found] == [
        "No such option '--confirm'",
        "no command start",
    ]
