"""The command and the assistants' server hold to the table of edits, as every door does.

What is expected is read from the service's own reading of its contract, written by hand
(`tests/support/rights`); the service decides, so neither of the two can be talked into more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone

import pytest
from assistants import an_assistant
from command_line import CommandLine
from stack import REPOSITORY, Stack

from goldenhour import Client
from goldenhour.models.posts import Post

pytestmark = pytest.mark.anyio
TABLES = REPOSITORY / "tests" / "support" / "rights"
SCOPES = {
    "write": "post.read,post.write",
    "write+publish": "post.read,post.write,post.publish",
}
KEYS = [("owner", "write"), ("editor", "write+publish"), ("contributor", "write+publish")]
COMMANDS: Mapping[str, Sequence[str]] = {
    "caption": ["--caption", "Words that nobody allowed"],
    "first.caption_override": ["--caption-for", "x=Words of its own"],
    "add": ["--add", "linkedin"],
}
CALLS = [("caption", "draft"), *((call, "scheduled") for call in COMMANDS)]
IN_A_DAY = datetime.now(timezone.utc) + timedelta(days=1)


def table(name: str) -> Mapping[tuple[str, str], str]:
    """Return the cells of a table by row and column."""
    text = (TABLES / name).read_text("utf-8")
    told = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {
        (row, column): cell
        for row, *cells in told[1:]
        for column, cell in zip(told[0][1:], cells, strict=True)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A workspace with an owner's client, accounts by platform, and keys by role and scopes."""

    owner: Client
    accounts: Mapping[str, str]
    keys: Mapping[tuple[str, str], str]
    approvals: bool

    def post(self, state: str) -> Post:
        """Make a post that is a draft, or scheduled."""
        targets = [self.accounts["x"], self.accounts["bluesky"]]
        draft = self.owner.posts.create(targets=targets, caption="Fresh bread")
        return draft if state == "draft" else self.owner.posts.schedule(draft.id, at=IN_A_DAY)

    def refusal(self, key: tuple[str, str], call: str, state: str) -> str | None:
        """Return the code of the refusal that the tables ask for, None for none."""
        may_publish = table("keys.txt")[key]
        is_asked = table("edits.txt")[call, state] == "publish" and not self.approvals
        return may_publish if is_asked and may_publish != "yes" else None

    def check(self, key: tuple[str, str], before: Post, refused: str | None) -> None:
        """Check that a refused call changed nothing, and that one that waits went nowhere."""
        after = self.owner.posts.get(before.id)
        if refused is not None:
            assert before == after
            return
        waits = self.approvals and table("keys.txt")[key] != "yes"
        assert before != after
        assert ("pending" if waits else before.approval) == after.approval
        assert before.status == after.status


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "approvals"])
def home(stack: Stack, request: pytest.FixtureRequest) -> Home:
    """Make a workspace with a key of each kind."""
    on = ["--approvals"] if request.param else []
    made = stack.operator(
        "workspace", "create", "--name", "Rights", "--plan", "studio", "--timezone", "UTC",
        "--owner-name", "Ada", *on,
    )  # fmt: skip
    workspace = str(made["workspace_id"])
    accounts = {
        platform: stack.operator(
            "account", "connect", workspace, "--platform", platform, "--handle", "bakery", "--test"
        )["account_id"]
        for platform in ("x", "bluesky", "linkedin")
    }
    members = {"owner": str(made["member_id"])}
    for role in ("editor", "contributor"):
        added = stack.operator("member", "add", workspace, "--name", role, "--role", role)
        members[role] = str(added["member_id"])
    keys = {
        (role, scopes): str(
            stack.operator("key", "create", "--member", members[role], "--scopes", SCOPES[scopes])[
                "api_key"
            ]
        )
        for role, scopes in [*KEYS, ("owner", "write+publish")]
    }
    return Home(
        owner=Client(stack.base_url, keys["owner", "write+publish"]),
        accounts={platform: str(account) for platform, account in accounts.items()},
        keys=keys,
        approvals=request.param,
    )


def as_key(command: CommandLine, home: Home, key: tuple[str, str]) -> CommandLine:
    """Return the command with a key."""
    environment = {**command.environment, "GOLDENHOUR_API_KEY": home.keys[key]}
    return replace(command, environment=environment)


@pytest.mark.parametrize("key", KEYS, ids="-".join)
def test_the_command_edits_what_key_and_role_allow(
    command: CommandLine, home: Home, key: tuple[str, str]
) -> None:
    someone = as_key(command, home, key)

    for call, state in CALLS:
        post, refused = home.post(state), home.refusal(key, call, state)
        done = someone("edit", post.id, *COMMANDS[call])
        assert (0 if refused is None else 1) == done.status, (call, state, done.err)
        assert refused is None or refused in done.err, done.err
        home.check(key, post, refused)


@pytest.mark.costly
@pytest.mark.parametrize("key", KEYS, ids="-".join)
async def test_an_assistant_edits_and_moves_what_key_and_role_allow(
    command: CommandLine, home: Home, key: tuple[str, str]
) -> None:
    someone = as_key(command, home, key)
    draft, scheduled = home.post("draft"), home.post("scheduled")
    later = (IN_A_DAY + timedelta(days=1)).isoformat()

    async with an_assistant(someone, "--allow-publishing") as assistant:
        edited = await assistant.call_tool(
            "edit_draft", {"post_id": draft.id, "caption": "Words that nobody allowed"}
        )
        moved = await assistant.call_tool("reschedule_post", {"post_id": scheduled.id, "at": later})

    refused = home.refusal(key, "first.scheduled_at", "scheduled")
    assert (False, refused is not None) == (edited.is_error, moved.is_error)
    assert refused is None or refused in str(moved.content)
    home.check(key, draft, home.refusal(key, "caption", "draft"))
    home.check(key, scheduled, refused)
