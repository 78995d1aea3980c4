"""What an assistant may pass to the tools, what it is told of it, and what is refused."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
from assistants import an_assistant, call, refused
from command_line import CommandLine
from mcp.client.client import Client as Assistant

from goldenhour import Client, NewTarget
from goldenhour.http.transport import VERSION

pytestmark = pytest.mark.anyio


async def test_every_argument_is_described_and_every_answer_has_a_schema(
    command: CommandLine,
) -> None:
    async with an_assistant(command, "--allow-publishing") as assistant:
        tools = (await assistant.list_tools()).tools

    undescribed = [
        (tool.name, name)
        for tool in tools
        for name, schema in tool.input_schema["properties"].items()
        if not schema.get("description")
    ]
    assert [] == undescribed
    assert all(tool.output_schema and tool.output_schema["properties"] for tool in tools)


async def test_what_is_told_of_an_argument_is_what_every_model_is_told(
    command: CommandLine,
) -> None:
    """google-genai 2.34 ends at a flag, and drops what is beside `anyOf`.

    github.com/googleapis/python-genai/issues/2476. Gemini knows no exclusive bounds.
    """
    async with an_assistant(command, "--allow-publishing") as assistant:
        tools = (await assistant.list_tools()).tools

    told = json.dumps([tool.input_schema for tool in tools])
    assert [] == re.findall(r'"additionalProperties": (?:true|false)|anyOf|exclusive|": null', told)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("find_posts", {"limit": None, "by_time": None, "text": None, "accounts": None}),
        ("find_posts", {"limit": 5, "text": "", "status": "", "platforms": [], "zone": ""}),
        ("results", {"post_id": None, "days": None}),
        ("results", {"post_id": ""}),
        ("account_choices", {"account": "pinterest", "board": "", "subreddit": "", "place": ""}),
        ("create_draft", {"accounts": ["x"], "caption": "Rye", "media_id": "", "key": ""}),
        ("create_draft", {"accounts": ["x"], "caption": "Rye", "captions": None, "options": None}),
    ],
)
async def test_null_and_an_empty_text_are_left_out(
    assistant: Assistant, tool: str, given: dict[str, object]
) -> None:
    answer = await call(assistant, tool, **given)

    assert answer


@pytest.mark.parametrize(
    ("tool", "wrong", "meant"),
    [
        ("schedule_post", {"at": "2031-12-01 09:00", "timezone": "America/New_York"}, "'zone'"),
        ("reschedule_post", {"at": "2031-12-01 09:00", "tz": "America/New_York"}, "'zone'"),
        ("create_draft", {"accounts": ["x"], "caption": "c", "media_ids": ["1"]}, "'media_id'"),
        ("create_draft", {"accounts": ["x"], "text": "A text"}, "'caption'"),
        ("create_draft", {"accounts": ["x"], "caption_override": "A"}, "'captions'"),
        ("find_posts", {"query": "Launch"}, "'text'"),
        ("find_posts", {"from": "2031-12-01"}, "'since'"),
        ("find_posts", {"before": "2031-12-01"}, "'until'"),
    ],
)
async def test_an_unknown_argument_is_refused_with_the_one_that_is_meant(
    assistant: Assistant, client: Client, tool: str, wrong: dict[str, object], meant: str
) -> None:
    newest = next(client.posts.list(), None)
    named = {"post_id": "0" * 32} if "schedule" in tool else {}

    told = await refused(assistant, tool, **named, **wrong)

    assert f"nothing was done. Did you mean {meant}?" in told
    assert newest == next(client.posts.list(), None)


async def test_posts_are_found_by_platform_and_account_and_by_time(
    assistant: Assistant, client: Client
) -> None:
    accounts = {each.platform: each for each in client.accounts.list()}
    soon, far = (datetime.now(timezone.utc) + timedelta(days=days) for days in (200, 300))
    made = [
        client.posts.create(
            caption="Found loaf",
            targets=[NewTarget(account_id=accounts[platform].id, scheduled_at=at)],
        ).id
        for platform, at in (("x", soon), ("x", far), ("bluesky", None))
    ]

    found = [
        [post["post_id"] for post in (await call(assistant, "find_posts", **asked))["posts"]]
        for asked in (
            {"text": "Found loaf", "by_time": True},
            {"text": "Found loaf", "platforms": ["bluesky"]},
            {"text": "Found loaf", "accounts": [f"x:{accounts['x'].handle}"]},
            {"text": "Found loaf", "platforms": ["Twitter"], "status": "Draft, scheduled"},
        )
    ]

    assert [made, made[2:], made[1::-1], made[1::-1]] == found


async def test_the_posts_of_one_day_are_found_in_the_persons_zone(
    assistant: Assistant, client: Client
) -> None:
    """Friday the 4th in Auckland (UTC+13) begins on Thursday at 11:00 UTC."""
    account = next(each.id for each in client.accounts.list() if each.platform == "x")
    thursday, first, last, saturday = (
        client.posts.create(
            caption=f"Day loaf {number}",
            targets=[NewTarget(account_id=account, scheduled_at=datetime.fromisoformat(at))],
        ).id
        for number, at in enumerate(
            (
                "2043-12-03T10:59:00+00:00",
                "2043-12-03T11:00:00+00:00",
                "2043-12-04T10:59:00+00:00",
                "2043-12-04T11:00:00+00:00",
            )
        )
    )
    day = {"since": "2043-12-04", "until": "2043-12-05", "zone": "Pacific/Auckland"}

    friday = await call(assistant, "find_posts", text="Day loaf", by_time=True, **day)
    cut = await call(assistant, "find_posts", text="Day loaf", by_time=True, limit=1, **day)
    every = await call(assistant, "find_posts", text="Day loaf", since="", until="")

    assert [first, last] == [post["post_id"] for post in friday["posts"]]
    assert [first] == [post["post_id"] for post in cut["posts"]]
    assert {thursday, first, last, saturday} == {post["post_id"] for post in every["posts"]}
    assert [False, True, False] == [each["more"] for each in (friday, cut, every)]


async def test_an_assistant_is_told_whose_key_it_has_and_what_is_left(
    assistant: Assistant, client: Client
) -> None:
    told = (await call(assistant, "my_key"))["me"]

    known = client.me()
    assert (known.workspace_id, known.member) == (told["workspace_id"], told["member"])
    assert list(known.scopes) == told["scopes"]
    assert known.month.x_allowance == told["month"]["x_allowance"]


async def test_a_value_of_a_wrong_kind_is_refused_in_plain_words(assistant: Assistant) -> None:
    told = await refused(assistant, "create_draft", accounts="x", caption=7)

    assert "create_draft: accounts: input should be a valid list; caption: input should" in told
    assert "pydantic" not in told


async def test_the_server_tells_its_version(assistant: Assistant) -> None:
    about = assistant.server_info
    assert about is not None
    assert VERSION == about.version


async def test_a_draft_that_is_made_again_with_its_key_is_the_same_draft(
    assistant: Assistant,
) -> None:
    draft = {"accounts": ["x"], "caption": "Once", "key": "assistant-once"}

    first = await call(assistant, "create_draft", **draft)
    again = await call(assistant, "create_draft", **draft)

    assert first["post_id"] == again["post_id"]


async def test_each_account_can_have_a_text_of_its_own(assistant: Assistant) -> None:
    long = "A proper text for people at work. " * 10

    draft = await call(
        assistant,
        "create_draft",
        accounts=["linkedin", "x", "bluesky"],
        caption=long,
        captions={"x": "Bread, 7:00", "bluesky:demo": "Bread at seven"},
    )
    edited = await call(
        assistant, "edit_draft", post_id=draft["post_id"], captions={"x": "Bread at 7"}
    )
    strange = await refused(
        assistant, "create_draft", accounts=["x"], caption="c", captions={"reddit": "r"}
    )

    assert [None, "Bread, 7:00", "Bread at seven"] == _overrides(draft)
    assert [None, "Bread at 7", "Bread at seven"] == _overrides(edited)
    assert "reddit, which is not among the accounts" in strange


def _overrides(post: object) -> list[object]:
    return [target["caption_override"] for target in post["targets"]]  # type: ignore[index]


async def test_accounts_options_and_the_file_of_a_draft_can_be_changed(
    assistant: Assistant, client: Client, photo: str
) -> None:
    media = client.media.upload(photo)
    options = {"pinterest": {"board": "1", "alt_text": "A loaf"}}
    draft = await call(
        assistant,
        "create_draft",
        accounts=["pinterest", "x"],
        caption="Rye",
        options=options,
        media_id=media.id,
    )
    edited = await call(
        assistant,
        "edit_draft",
        post_id=draft["post_id"],
        options={"pinterest": {"board": "2"}},
        add_accounts=["bluesky"],
        remove_accounts=["x"],
    )
    bare = await call(assistant, "edit_draft", post_id=draft["post_id"], media_id="")

    assert ["pinterest", "bluesky"] == [target["platform"] for target in edited["targets"]]
    assert {"board": "2", "alt_text": "A loaf"} == edited["targets"][0]["options"]
    assert [[media.id], []] == [edited["media_ids"], bare["media_ids"]]


async def test_a_draft_goes_to_the_golden_hour_and_every_platform_of_the_accounts_is_told(
    command: CommandLine,
) -> None:
    async with an_assistant(command, "--allow-publishing") as assistant:
        times = await call(assistant, "good_times", zone="Europe/Paris")
        draft = await call(assistant, "create_draft", accounts=["threads"], caption="Golden")
        planned = await call(
            assistant, "schedule_at_golden_hour", post_id=draft["post_id"], zone="Europe/Paris"
        )
        await call(assistant, "cancel_post", post_id=draft["post_id"])

    assert 7 == len(times["golden_hours"])
    assert "ago" not in times["now"]
    assert times["golden_hours"]["threads"].partition(",")[0] in planned["in_words"][0]


async def test_a_golden_hour_that_nobody_can_tell_beforehand_is_not_scheduled_unseen(
    assistant: Assistant,
) -> None:
    draft = await call(assistant, "create_draft", accounts=["reddit"], caption="Golden")
    told = await refused(assistant, "schedule_at_golden_hour", post_id=draft["post_id"])
    left_alone = await call(assistant, "show_post", post_id=draft["post_id"])

    assert "Choose a time and use schedule_post" in told
    assert "draft" == left_alone["status"]
