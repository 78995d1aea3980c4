"""Every tutorial is worked through as it stands, against the real service."""

import re

from command_line import CommandLine
from stack import REPOSITORY, Stack
from test_docs import run, shell
from tests.support.sample_media import samples

from goldenhour import Client

__all__ = ["shell"]

PAGES = sorted((REPOSITORY / "docs" / "tutorials").glob("*.md"))
NEEDS = re.compile(r"^<!-- needs: .+ -->\n(?=```)", re.MULTILINE)
MARKED = 2
"""Blocks that need what no test has; each says what."""

_BLOCK = re.compile(r"^(<!-- needs: .+ -->\n)?```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def worked(shell: CommandLine, name: str) -> str:
    """Run a page's commands in one shell, in order, without those that need more."""
    page = (REPOSITORY / "docs" / "tutorials" / name).read_text("utf-8")
    commands = [block for marked, block in _BLOCK.findall(page) if not marked]
    return run(shell, "bash", "-euo", "pipefail", "-c", "\n".join(commands))


def test_a_video_goes_to_three_accounts_with_their_own_words(
    shell: CommandLine, stack: Stack
) -> None:
    (shell.folder / "spring.mp4").write_bytes(samples()["index_last.mp4"].data)

    out = worked(shell, "several-accounts.md")

    for platform in ("youtube", "tiktok", "x"):
        assert f"{stack.base_url}/sandbox/{platform}/" in out
    texts = {str(sent["platform"]): str(sent["caption"]) for sent in stack.sent()[:3]}
    assert {"x"} == {name for name, text in texts.items() if text.startswith("Spring bread: rye")}
    assert 3 == len(texts)


def test_what_failed_is_changed_and_sent_and_nothing_twice(
    shell: CommandLine, client: Client
) -> None:
    out = worked(shell, "when-a-post-fails.md")

    assert "Something of it failed." in out
    assert "content_rejected" in out
    post = next(client.posts.list(q="Bread at eight"))
    assert "published" == post.status
    tries = [attempt.target_id for attempt in client.posts.history(post.id).attempts]
    assert 1 == tries.count(next(t.id for t in post.targets if t.platform == "bluesky"))


def test_the_second_night_makes_nothing(shell: CommandLine, client: Client) -> None:
    worked(shell, "nightly-import.md")

    assert 1 == len(list(client.posts.list(q="Rye bread at half price")))
    assert 1 == len(list(client.posts.list(q="Walnut rolls are back")))


def test_what_an_assistant_drafted_is_listed(shell: CommandLine, client: Client) -> None:
    draft = client.posts.create(
        targets=[client.accounts.list().data[0].id], caption="By an assistant"
    )

    assert draft.id in worked(shell, "assistant.md")


def test_blocks_that_need_more_say_so_and_are_counted() -> None:
    pages = [page.read_text("utf-8") for page in PAGES]

    assert MARKED == sum(len(NEEDS.findall(page)) for page in pages)
    languages = {each for page in pages for each in re.findall(r"^```(\w+)$", page, re.MULTILINE)}
    assert {"sh", "json"} == languages
