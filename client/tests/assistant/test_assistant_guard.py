"""What an assistant could be talked into, and what stops it: docs/clients.md has the table."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from assistants import an_assistant, call, refused
from command_line import CommandLine
from mcp.client.client import Client as Assistant
from stack import Stack

from goldenhour import Client

pytestmark = pytest.mark.anyio
READS = {
    "my_key",
    "list_accounts",
    "account_choices",
    "good_times",
    "find_posts",
    "show_post",
    "check_post",
}
READS |= {"post_history", "results"}
WRITES = {"upload_file", "upload_from_address", "create_draft", "edit_draft", "schedule_post"}
WRITES |= {"queue_post", "schedule_at_golden_hour", "reschedule_post", "cancel_post"}
PUBLISHES = {"publish_now", "retry_post", "unpublish", "delete_post"}


async def test_only_a_server_started_for_it_has_tools_that_publish(command: CommandLine) -> None:
    async with (
        an_assistant(command) as careful,
        an_assistant(command, "--allow-publishing") as bold,
    ):
        few = {tool.name for tool in (await careful.list_tools()).tools}
        many = {tool.name for tool in (await bold.list_tools()).tools}

    assert READS | WRITES == few
    assert READS | WRITES | PUBLISHES == many


async def test_nothing_goes_out_within_the_hour_unless_publishing_is_allowed(
    assistant: Assistant, client: Client, stack: Stack
) -> None:
    draft = client.posts.create(targets=[stack.accounts["linkedin"]], caption="Too soon")
    soon = (datetime.now(timezone.utc) + timedelta(minutes=59)).isoformat()

    told = [
        await refused(assistant, "schedule_post", post_id=draft.id, at=soon),
        await refused(assistant, "schedule_post", post_id=draft.id, at="in 5 minutes"),
        await refused(assistant, "publish_now", post_id=draft.id),
        await refused(assistant, "delete_post", post_id=draft.id),
        await refused(assistant, "cancel_post", post_id=f"{draft.id}/publish-now#"),
    ]
    left_alone = client.posts.get(draft.id)
    await call(assistant, "schedule_post", post_id=draft.id, at="in 2 days")
    told.append(await refused(assistant, "reschedule_post", post_id=draft.id, at=soon))

    assert "--allow-publishing" in told[0]
    assert "--allow-publishing" in told[1]
    assert "Unknown tool" in told[2]
    assert "Unknown tool" in told[3]
    assert "ids have letters and digits" in told[4], "an id chooses no other call"
    assert "--allow-publishing" in told[5]
    assert "draft" == left_alone.status
    assert client.posts.get(draft.id).next_time is not None


@pytest.fixture
def no_queue_times(client: Client) -> Iterator[None]:
    """Take all queue times away for as long as a test runs: one may be near at this hour."""
    kept = client.times.queue_slots().data
    for slot in kept:
        client.times.remove_queue_slot(slot.id)
    yield
    for slot in client.times.queue_slots():
        client.times.remove_queue_slot(slot.id)
    for slot in kept:
        client.times.add_queue_slot(weekdays=slot.weekdays, time=slot.time, label=slot.label)


@pytest.mark.usefixtures("no_queue_times")
async def test_a_queue_time_within_the_hour_is_refused(
    assistant: Assistant, client: Client, stack: Stack
) -> None:
    draft = client.posts.create(targets=[stack.accounts["linkedin"]], caption="Queued too near")
    near, later = (datetime.now(timezone.utc) + timedelta(minutes=m) for m in (20, 200))
    slot = client.times.add_queue_slot(weekdays=[near.weekday()], time=f"{near:%H:%M}")
    client.times.add_queue_slot(weekdays=[later.weekday()], time=f"{later:%H:%M}")

    told = await refused(assistant, "queue_post", post_id=draft.id)
    left_alone = client.posts.get(draft.id).status
    client.times.remove_queue_slot(slot.id)
    queued = await call(assistant, "queue_post", post_id=draft.id)

    assert "--allow-publishing" in told
    assert "draft" == left_alone
    assert "goes out on" in queued["in_words"][0]


async def test_what_is_scheduled_cannot_be_given_another_text(
    assistant: Assistant, client: Client, stack: Stack
) -> None:
    draft = client.posts.create(targets=[stack.accounts["linkedin"]], caption="As agreed")
    client.posts.schedule(draft.id, at=datetime.now(timezone.utc) + timedelta(days=2))

    told = await refused(assistant, "edit_draft", post_id=draft.id, caption="Something else")

    assert "only drafts are edited here" in told
    assert "As agreed" == client.posts.get(draft.id).caption


@pytest.fixture
def open_folder(tmp_path: Path, photo: Path) -> Path:
    """Return a folder with a link that leads out of it, a hidden file and a text that feigns."""
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "link.png").symlink_to(photo)
    (folder / ".hidden.png").write_bytes(photo.read_bytes())
    (folder / "notes.png").write_text("a password")
    return folder


async def test_files_outside_the_open_folder_are_never_read(
    command: CommandLine, photo: Path, open_folder: Path
) -> None:
    async with an_assistant(command, "--files", str(open_folder)) as assistant:
        told = {
            path: await refused(assistant, "upload_file", path=path)
            for path in (
                *(str(photo), "../photo.png", "link.png", ".hidden.png", "notes.png"),
                *("~nobody-here/a.png", "\0"),
            )
        }
    async with an_assistant(command) as assistant:
        nowhere = await refused(assistant, "upload_file", path=str(photo))

    assert "outside" in told[str(photo)]
    assert "outside" in told["../photo.png"]
    assert "outside" in told["link.png"]
    for path in (".hidden.png", "~nobody-here/a.png", "\0"):
        assert "no file" in told[path]
    assert "is not an MP4" in told["notes.png"]
    assert "--files" in nowhere


def test_a_folder_is_not_opened_to_every_key_over_http(
    command: CommandLine, open_folder: Path
) -> None:
    told = command("mcp", "--http", "--files", str(open_folder))

    assert 2 == told.status
    assert "begin_upload" in told.err


async def test_addresses_are_https_and_of_the_hosts_that_were_named(command: CommandLine) -> None:
    async with an_assistant(command, "--host-of-files", "cdn.example.com") as assistant:
        told = [
            await refused(assistant, "upload_from_address", url=url)
            for url in (
                "http://cdn.example.com/a.jpg",
                "file:///etc/passwd",
                "https://user:secret@cdn.example.com/a.jpg",
                "https://evil.example.net/?stolen=1",
            )
        ]

    assert ["https" in text for text in told[:3]] == [True, True, True]
    assert "Allowed: cdn.example.com" in told[3]


async def test_the_key_is_in_nothing_that_an_assistant_sees(
    assistant: Assistant, stack: Stack
) -> None:
    seen = [
        str(await assistant.list_tools()),
        str(await call(assistant, "list_accounts")),
        await refused(assistant, "show_post", post_id="nope"),
    ]

    assert not any(stack.api_key in text for text in seen)
