"""The assistant's server, driven by the mcp package's own client over stdio."""

from pathlib import Path

import anyio
import pytest
from assistants import an_assistant, call, refused
from command_line import CommandLine
from mcp.client.client import Client as Assistant

from goldenhour import Client

pytestmark = pytest.mark.anyio


@pytest.mark.costly
async def test_an_assistant_takes_a_photo_from_draft_to_schedule_to_cancel(
    command: CommandLine, photo: Path
) -> None:
    async with an_assistant(command, "--files", str(photo.parent)) as assistant:
        media = await call(assistant, "upload_file", path=photo.name)
        draft = await call(
            assistant,
            "create_draft",
            accounts=["linkedin", "bluesky:demo"],
            caption="Fresh bread",
            media_id=media["media_id"],
        )
        edited = await call(assistant, "edit_draft", post_id=draft["post_id"], caption="Warm bread")
        planned = await call(
            assistant,
            "schedule_post",
            post_id=draft["post_id"],
            at="2031-03-04 09:00",
            zone="Europe/Paris",
        )
        moved = await call(
            assistant, "reschedule_post", post_id=draft["post_id"], at="2031-03-05T07:00:00Z"
        )
        stopped = await call(assistant, "cancel_post", post_id=draft["post_id"])
        history = await call(assistant, "post_history", post_id=draft["post_id"])

    assert "draft" == draft["status"]
    assert "Warm bread" == edited["caption"]
    assert (
        "linkedin:demo goes out on Tue 4 Mar 2031, 09:00 Europe/Paris (UTC+01:00)"
        in planned["in_words"][0]
    )
    assert "Wed 5 Mar 2031, 08:00 Europe/Paris" in moved["in_words"][1]
    assert "cancelled" == stopped["status"]
    actions = [event["action"] for event in history["history"]["events"]]
    assert [
        "post.created",
        "post.edited",
        "post.scheduled",
        "post.edited",
        "post.cancelled",
    ] == actions


@pytest.mark.costly
async def test_choices_and_a_check_lead_to_a_post_that_is_ready(
    command: CommandLine, photo: Path
) -> None:
    async with an_assistant(command, "--files", str(photo.parent)) as assistant:
        media = await call(assistant, "upload_file", path=photo.name)
        told = await call(assistant, "account_choices", account="pinterest")
        options = {"pinterest": {"board": told["choices"]["board"][0]["id"]}}
        arguments = {"accounts": ["pinterest"], "media_id": media["media_id"], "caption": "Pin"}
        bare = await call(assistant, "create_draft", **arguments)
        ready = await call(assistant, "create_draft", **arguments, options=options)
        checks = [
            await call(assistant, "check_post", post_id=each["post_id"]) for each in (bare, ready)
        ]

    assert [False, True] == [each["check"]["ready"] for each in checks]
    assert "option_required" in [each["code"] for each in checks[0]["check"]["data"]]


async def test_refusals_of_the_api_come_word_for_word_with_their_code(assistant: Assistant) -> None:
    unknown = await refused(assistant, "show_post", post_id="0" * 32)
    account = await refused(assistant, "create_draft", accounts=["linkdin"], caption="x")
    unclear = await refused(assistant, "schedule_post", post_id="0" * 32, at="soonish")

    assert "There is no such post in this workspace. (post_not_found" in unknown
    assert "Did you mean 'linkedin'?" in account
    assert "Write it like" in unclear


@pytest.mark.costly
async def test_with_publishing_allowed_a_post_goes_out_and_is_taken_down(
    command: CommandLine, client: Client
) -> None:
    async with an_assistant(command, "--allow-publishing") as assistant:
        draft = await call(assistant, "create_draft", accounts=["x"], caption="Out at once")
        sent = await call(assistant, "publish_now", post_id=draft["post_id"])
        published = await anyio.to_thread.run_sync(client.posts.get(draft["post_id"]).wait)
        shown = await call(assistant, "show_post", post_id=draft["post_id"])
        removed = await call(
            assistant,
            "unpublish",
            post_id=draft["post_id"],
            target_id=published.targets[0].id,
        )
        deleted = await call(assistant, "delete_post", post_id=draft["post_id"])

    assert "is due" in sent["in_words"][0]
    assert "went out on" in shown["in_words"][0]
    assert "removed" == removed["targets"][0]["status"]
    assert {"deleted": draft["post_id"]} == deleted
