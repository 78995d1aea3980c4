"""How a command ended is told by what became of the post, not by whether its answer was written.

A public complaint: `post --now --json` with an emoji, where the output was cp1252 as on Windows,
exited with 1 although the post was live; whoever repeated it posted twice.
"""

import json
import os
import subprocess
from dataclasses import replace

import pytest
from command_line import CommandLine, Printed

from goldenhour import Client

CAPTION = "Fresh rye 🍞 at seven — 5 €, 日本語"
ENCODINGS = [
    pytest.param({"PYTHONIOENCODING": "cp1252"}, "cp1252", id="cp1252"),
    pytest.param({"PYTHONIOENCODING": "ascii:strict"}, "ascii", id="ascii"),
    pytest.param(
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, "utf-8", id="C locale"
    ),
]


def _run(command: CommandLine, encoding: str, *arguments: str) -> Printed:
    done = subprocess.run(
        command.words(*arguments),
        cwd=command.folder,
        env=command.whole_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=240,
    )
    return Printed(
        status=done.returncode, out=done.stdout.decode(encoding), err=done.stderr.decode(encoding)
    )


def _within(command: CommandLine, settings: dict[str, str]) -> CommandLine:
    return replace(command, environment={**command.environment, **settings})


def _into(command: CommandLine, out: int, *arguments: str) -> tuple[int, str]:
    """Run it with this descriptor for its stdout; return its status and stderr."""
    done = subprocess.run(
        command.words(*arguments),
        cwd=command.folder,
        env=command.whole_environment(),
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        check=False,
        timeout=240,
    )
    return done.returncode, done.stderr.decode()


@pytest.fixture
def full() -> int:
    """Return a descriptor of a disk that is full."""
    return os.open("/dev/full", os.O_WRONLY)


@pytest.fixture
def left() -> int:
    """Return a pipe whose reader has left."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize(("settings", "encoding"), ENCODINGS)
def test_a_post_that_is_live_is_told_as_done_in_every_encoding(
    command: CommandLine, client: Client, settings: dict[str, str], encoding: str
) -> None:
    here = _within(command, settings)
    (command.folder / "caption.txt").write_text(CAPTION, "utf-8")
    arguments = ("post", "--caption-file", "caption.txt", "--to", "x", "--now", "--watch")

    posted = _run(here, encoding, *arguments, "--json")
    listed = _run(here, encoding, "list", "--csv")

    assert (posted.status, posted.json()["caption"]) == (0, CAPTION)
    assert client.posts.get(posted.json()["id"]).status == "published"
    assert listed.status == 0
    assert (CAPTION in listed.out) == (encoding == "utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("list",), ("list", "--csv"), ("list", "--json"), ("show",), ("show", "--json"),
        ("export",), ("export", "--format", "csv"), ("edit", "--caption", CAPTION),
        ("duplicate",), ("schedule", "--at", "tomorrow 09:00"), ("cancel",), ("results",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_command_breaks_off_at_a_character_that_cannot_be_written(
    command: CommandLine, client: Client, arguments: tuple[str, ...]
) -> None:
    account = {each.platform: each.id for each in client.accounts.list()}["x"]
    draft = client.posts.create(targets=[account], caption=CAPTION)
    if arguments[0] == "cancel":
        client.posts.queue(draft.id)
    windows = _within(command, {"PYTHONIOENCODING": "cp1252"})
    names_it = arguments[0] not in {"list", "export", "results"}
    name, options = arguments[0], arguments[1:]

    told = _run(windows, "cp1252", name, *((draft.id,) if names_it else ()), *options)

    assert (told.status, told.err.count("codec")) == (0, 0)
    assert arguments[0] == "results" or draft.id in told.out or "duplicate" in arguments
    if "--json" in arguments or arguments == ("export",):
        assert CAPTION in told.out or json.dumps(CAPTION) in told.out


@pytest.mark.costly
def test_a_post_that_is_sent_is_done_although_its_answer_is_lost(
    command: CommandLine, client: Client, full: int, left: int
) -> None:
    post = ("post", "--caption", f"{CAPTION}, unseen", "--to", "x", "--now")

    ended = [
        _into(command, out, *post, *options)
        for out in (full, left)
        for options in ((), ("--json",), ("--watch",))
    ]

    assert [0] * 6 == [status for status, _ in ended]
    assert all("It is done, but its answer could not be written" in told for _, told in ended)
    assert len(list(client.posts.list(q="unseen"))) == 6


@pytest.mark.costly
def test_what_only_looks_has_failed_if_its_answer_is_lost(
    command: CommandLine, full: int, left: int
) -> None:
    ended = [
        _into(command, out, *arguments)
        for out in (full, left)
        for arguments in (("list",), ("export",), ("accounts", "--json"), ("slots",))
    ]

    assert [1] * 8 == [status for status, _ in ended]
    assert "No space left on device" in ended[0][1]
    assert not any("Traceback" in told or "Exception ignored" in told for _, told in ended)
