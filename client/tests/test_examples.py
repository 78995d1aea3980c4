"""The scripts of examples/ run as they are, against the real service."""

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from command_line import CommandLine
from stack import Stack

from goldenhour import Client

EXAMPLES = Path(__file__).parents[1] / "examples"


def run_example(command: CommandLine, name: str, *arguments: str) -> str:
    """Run an example to its end and return what it printed."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=command.folder,
        env=command.whole_environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    return done.stdout


def test_a_photo_is_published_and_followed(command: CommandLine, stack: Stack, photo: Path) -> None:
    out = run_example(command, "publish_photo.py", photo.name, "Example bread", "linkedin", "x")

    assert "uploaded 100 %" in out
    assert f"linkedin published {stack.base_url}/sandbox/linkedin/" in out
    assert 2 == sum(each["caption"] == "Example bread" for each in stack.sent())


def test_only_what_failed_in_passing_is_sent_again(
    command: CommandLine, client: Client, stack: Stack
) -> None:
    wrong, passing = (
        client.posts.publish_now(
            client.posts.create(targets=[stack.accounts["x"]], caption=f"sandbox:fail:{code}").id
        ).wait()
        for code in ("caption_rejected", "processing_timeout")
    )

    out = run_example(command, "retry_failed.py")

    assert f"{passing.id} is sent again" in out
    assert wrong.id not in out


def test_the_report_tells_results_and_plans(
    command: CommandLine, client: Client, stack: Stack
) -> None:
    draft = client.posts.create(targets=[stack.accounts["x"]], caption="Reported bread")
    at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=2)
    client.posts.schedule(draft.id, at=at)

    out = run_example(command, "weekly_report.py", "UTC")

    assert "views in 7 days" in out
    assert f"{at:%a %d %b %H:%M}  'Reported bread'" in out


def test_every_example_is_run_here() -> None:
    text = Path(__file__).read_text("utf-8")

    assert [] == [each.name for each in EXAMPLES.glob("*.py") if f'"{each.name}"' not in text]


@pytest.mark.parametrize("name", [each.name for each in EXAMPLES.glob("*.py")])
def test_an_example_says_how_it_is_called(name: str) -> None:
    first = (EXAMPLES / name).read_text("utf-8").split('"""')[1]

    assert f"python {name}" in first
