"""Every tutorial is worked through as it stands, against the real service."""

import pytest
from command_line import CommandLine
from stack import Stack
from test_docs import run, shell
from tests.support.books import run_of
from tests.support.sample_media import samples

from goldenhour import Client

__all__ = ["shell"]


def worked(shell: CommandLine, name: str) -> str:
    """Run a page's commands in one shell, in order, without those that need more."""
    commands = run_of(f"docs/tutorials/{name}")
    return run(shell, "bash", "-euo", "pipefail", "-c", "\n".join(commands))


@pytest.mark.costly
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
