"""Every command of the contract: what it answers, what it refuses, with which exit status."""

from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.command_line import goldenhour
from chalicelib.domain.version import VERSION
from chalicelib.domain.workspace.key_form import looks_like_key
from tests.cli.operator import CREATE_WORKSPACE, Operator
from tests.support.emulator import EmulatorProcess, make_resources

NOBODY = "0" * 32


@pytest.fixture(scope="module")
def operator(emulator: EmulatorProcess) -> Operator:
    """Return an operator over tables of this file's own, and a stage called `test`."""
    local = Deployment(make_resources(emulator.endpoint))
    return Operator(local, {"test": Deployment(make_resources(emulator.endpoint))})


@pytest.fixture
def workspace(operator: Operator) -> str:
    """Make a workspace; return its id."""
    return operator.text(*CREATE_WORKSPACE, field="workspace_id")


def _data(document: dict[str, object]) -> list[dict[str, object]]:
    data = document["data"]
    assert isinstance(data, list)
    return data


def test_a_workspace_is_made_with_its_owner(operator: Operator) -> None:
    made = operator.ask(*CREATE_WORKSPACE)

    assert list(made) == ["workspace_id", "member_id"]


def test_a_workspace_is_shown_with_its_months_use(operator: Operator, workspace: str) -> None:
    shown = operator.ask("workspace", "show", workspace)

    created_at = shown.pop("created_at")
    assert str(created_at).endswith("+00:00")
    assert shown == {
        "workspace_id": workspace,
        "name": "Lighthouse Bakery",
        "plan": "studio",
        "timezone": "Europe/Paris",
        "approvals": False,
        "passkeys_only": False,
        "trial_ends_at": None,
        "month": {"x_posts": 0, "x_allowance": 500},
        "storage": {"used_bytes": 0, "allowance_bytes": 500 * 1_073_741_824},
    }


def test_a_workspace_changes_as_told(operator: Operator, workspace: str) -> None:
    changed = operator.ask(
        *("workspace", "update", workspace),
        *("--plan", "trial", "--timezone", "UTC", "--approvals", "on", "--storage-gb", "6"),
    )

    assert (changed["plan"], changed["timezone"], changed["approvals"]) == ("trial", "UTC", True)
    assert changed["trial_ends_at"] is not None
    assert changed["storage"] == {"used_bytes": 0, "allowance_bytes": 6 * 1_073_741_824}
    assert changed == operator.ask("workspace", "show", workspace)


def test_approvals_can_be_turned_off_again(operator: Operator) -> None:
    workspace = operator.text(*CREATE_WORKSPACE, "--approvals", field="workspace_id")

    changed = operator.ask("workspace", "update", workspace, "--approvals", "off")

    assert changed["approvals"] is False


def test_a_workspace_asks_for_passkeys_until_an_operator_lets_links_in_again(
    operator: Operator, workspace: str
) -> None:
    asked = [
        operator.ask("workspace", "passkeys-only", workspace, setting)["passkeys_only"]
        for setting in ("on", "off")
    ]

    assert asked == [True, False]


def test_every_workspace_is_on_the_list(operator: Operator, workspace: str) -> None:
    listed = _data(operator.ask("workspace", "list"))

    assert operator.ask("workspace", "show", workspace) in listed


def test_members_come_change_and_go(operator: Operator, workspace: str) -> None:
    member = operator.text(
        *("member", "add", workspace, "--name", "Grace", "--role", "editor"), field="member_id"
    )
    operator.ask("member", "update", member, "--role", "viewer")
    before = _data(operator.ask("member", "list", workspace))

    removed = operator.ask("member", "remove", member)

    assert [one["role"] for one in before] == ["owner", "viewer"]
    assert removed == {"member_id": member}
    assert [one["name"] for one in _data(operator.ask("member", "list", workspace))] == ["Ada"]


def test_who_wants_notices_is_told_what_mails_them(operator: Operator, workspace: str) -> None:
    (owner,) = _data(operator.ask("member", "list", workspace))
    member = str(owner["member_id"])
    stage, local = Deployment(operator.local.settings), operator.local
    stage.stack_runs, local.stack_runs = None, True
    asked = ("member", "update", member, "--email", "a@b.example", "--notices", "failed")

    told = {
        where: Operator(given).run(*asked).output.splitlines()[-1]
        for where, given in (("stage", stage), ("server", local))
    }
    stage.settings = replace(stage.settings, notices_sender="posts@bakery.example")
    mailed = Operator(stage).run(*asked).output
    local.stack_runs = None

    assert told["stage"] == "Nothing is mailed until the stage's NoticesSender names a sender."
    assert told["server"] == "Nothing is mailed until GOLDENHOUR_SMTP_URL names a mail server."
    assert "Nothing is mailed" not in mailed


def test_a_key_is_shown_once(operator: Operator) -> None:
    made = operator.ask(*CREATE_WORKSPACE)

    key = operator.ask("key", "create", "--member", str(made["member_id"]), "--name", "laptop")

    listing = operator.run("key", "list", str(made["workspace_id"]), "--json").stdout
    assert list(key) == ["key_id", "api_key"]
    assert looks_like_key(str(key["api_key"]))
    assert str(key["api_key"]) not in listing


def test_a_key_is_listed_with_all_but_itself(operator: Operator) -> None:
    made = operator.ask(*CREATE_WORKSPACE)
    member, workspace = str(made["member_id"]), str(made["workspace_id"])
    scopes = "post.delete_published,post.read"

    key_id = operator.text(
        *("key", "create", "--member", member, "--scopes", scopes), field="key_id"
    )

    (listed,) = _data(operator.ask("key", "list", workspace))
    assert listed.pop("created_at") is not None
    assert listed == {
        "key_id": key_id,
        "name": "",
        "member_id": member,
        "scopes": ["post.read", "post.delete_published"],
        "last_used_at": None,
        "expires_at": None,
        "revoked_at": None,
    }


def test_a_key_is_made_with_a_last_day_and_replaced_with_an_overlap(operator: Operator) -> None:
    made = operator.ask(*CREATE_WORKSPACE)
    member, workspace = str(made["member_id"]), str(made["workspace_id"])
    key_id = operator.text(
        *("key", "create", "--member", member, "--expires", "2999-12-31"), field="key_id"
    )

    fresh = operator.ask("key", "rotate", key_id, "--overlap", "1h")
    done = [one["action"] for one in _data(operator.ask("workspace", "activity", workspace))]

    assert str(fresh["api_key"]).startswith("gh_live_")
    listed = {one["key_id"]: one for one in _data(operator.ask("key", "list", workspace))}
    assert str(listed[key_id]["expires_at"]) < "2999"
    assert str(listed[str(fresh["key_id"])]["expires_at"]) > "2999"
    assert {"key.created", "key.rotated"} <= set(done)


def test_a_revoked_key_says_when(operator: Operator) -> None:
    made = operator.ask(*CREATE_WORKSPACE)
    key_id = operator.text(*("key", "create", "--member", str(made["member_id"])), field="key_id")

    operator.ask("key", "revoke", key_id)

    (listed,) = _data(operator.ask("key", "list", str(made["workspace_id"])))
    assert listed["revoked_at"] is not None
    assert operator.run("key", "revoke", key_id).exit_code == 1


def _a_test_account(operator: Operator, workspace: str, handle: str = "Lighthouse Bakery") -> str:
    return operator.text(
        *("account", "connect", workspace, "--platform", "google business profile"),
        *("--handle", handle, "--test"),
        field="account_id",
    )


def test_a_test_account_is_connected(operator: Operator, workspace: str) -> None:
    account = _a_test_account(operator, workspace)

    assert _data(operator.ask("account", "list", workspace)) == [
        {
            "account_id": account,
            "platform": "google business profile",
            "handle": "Lighthouse Bakery",
            "test": True,
            "health": "ok",
            "health_reason": None,
            "audience_regions": [],
            "token_expires_at": None,
        }
    ]


def test_an_account_is_as_healthy_as_an_operator_says(operator: Operator, workspace: str) -> None:
    account = _a_test_account(operator, workspace)

    operator.ask("account", "health", account, "broken")

    (listed,) = _data(operator.ask("account", "list", workspace))
    assert (listed["health"], listed["health_reason"]) == ("broken", "Set by an operator.")


def test_an_account_has_languages_of_its_own(operator: Operator, workspace: str) -> None:
    account = operator.text(
        *("account", "connect", workspace, "--platform", "bluesky"),
        *("--handle", "oven.test", "--test"),
        field="account_id",
    )

    said = operator.ask("account", "languages", account, "de", "en")
    shown = operator.ask("account", "languages", account)
    cleared = operator.ask("account", "languages", account, "--none")

    assert [["de", "en"], ["de", "en"], []] == [one["languages"] for one in (said, shown, cleared)]


def test_a_disconnected_account_is_gone(operator: Operator, workspace: str) -> None:
    account = _a_test_account(operator, workspace)

    operator.ask("account", "disconnect", account)

    assert _data(operator.ask("account", "list", workspace)) == []
    assert operator.run("account", "disconnect", account).exit_code == 1


def test_the_fourth_account_of_a_small_plan_is_refused(operator: Operator, workspace: str) -> None:
    operator.ask("workspace", "update", workspace, "--plan", "starter")
    for number in range(3):
        _a_test_account(operator, workspace, f"Bakery {number}")

    refused = operator.run(
        *("account", "connect", workspace, "--platform", "x", "--handle", "@four", "--test")
    )

    _assert_one_sentence(
        refused,
        "The plan starter covers 3 accounts, and that many are connected. Creator covers 8.",
    )


def test_a_test_account_is_connected_once(operator: Operator, workspace: str) -> None:
    _a_test_account(operator, workspace)

    again = operator.run(
        *("account", "connect", workspace, "--platform", "google-business-profile"),
        *("--handle", "Lighthouse Bakery", "--test"),
    )

    _assert_one_sentence(again, "This account is already connected to the workspace.")


def test_health_without_a_value_is_shown(operator: Operator, workspace: str) -> None:
    account = _a_test_account(operator, workspace)
    operator.ask("account", "health", account, "broken")

    shown = operator.ask("account", "health", account)

    assert ("broken", "Set by an operator.") == (shown["health"], shown["health_reason"])


def test_the_version_is_told() -> None:
    assert f"goldenhour {VERSION}" in CliRunner().invoke(goldenhour, ["--version"]).output


def test_a_stage_is_another_deployment(operator: Operator) -> None:
    made = operator.ask(*CREATE_WORKSPACE, "--stage", "test")
    workspace = str(made["workspace_id"])

    there = operator.run("workspace", "show", workspace, "--stage", "test")
    here = operator.run("workspace", "show", workspace)

    assert (there.exit_code, here.exit_code) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("workspace", "show", NOBODY), "There is no such workspace."),
        (("member", "list", "nonsense"), "There is no such workspace."),
        (("member", "update", NOBODY, "--role", "viewer"), "There is no such member."),
        (("key", "create", "--member", NOBODY), "There is no such member."),
        (("key", "revoke", NOBODY), "There is no such key that works."),
        (("account", "health", NOBODY, "ok"), "There is no such connected account."),
        (("account", "reconnect", NOBODY), "There is no such connected account."),
        (("account", "connect", NOBODY, "--platform", "x"), "There is no such workspace."),
        (("post", "show", NOBODY), "There is no such post."),
        (("post", "show", "nonsense"), "There is no such post."),
        (("post", "approve", NOBODY, "--workspace", NOBODY), "There is no such workspace."),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_status_1(
    operator: Operator, arguments: tuple[str, ...], sentence: str
) -> None:
    result = operator.run(*arguments, "--json")

    _assert_one_sentence(result, sentence)


def _assert_one_sentence(result: Result, sentence: str) -> None:
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {sentence}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("workspace", "create", "--name", "Bakery"),
        ("workspace", "update", NOBODY),
        ("workspace", "update", NOBODY, "--plan", "gold"),
        ("member", "add", NOBODY, "--name", "Grace", "--role", "king"),
        ("key", "create", "--member", NOBODY, "--scopes", "post.read,post.fly"),
        ("key", "create"),
        ("account", "connect", NOBODY, "--platform", "myspace", "--handle", "@a", "--test"),
        ("account", "connect", NOBODY, "--platform", "x", "--test"),
        ("account", "health", NOBODY, "fine"),
        ("engine", "resume", "--confirm-since", "2026-01-05T09:30:00"),
        ("engine", "resume", "--confirm-since", "yesterday"),
        ("engine", "resume", "--confirm-since", "2999-01-01T00:00:00+00:00"),
        ("post", "approve", NOBODY),
    ],
)
def test_wrong_usage_is_status_2(operator: Operator, arguments: tuple[str, ...]) -> None:
    result = operator.run(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""


def test_lists_are_tables_for_people(operator: Operator, workspace: str) -> None:
    account = _a_test_account(operator, workspace)

    lines = operator.run("account", "list", workspace).stdout.splitlines()

    assert lines[0].split() == [
        *("ACCOUNT", "PLATFORM", "HANDLE", "TEST", "HEALTH", "REASON", "REGIONS", "EXPIRES")
    ]
    assert lines[1].startswith(f"{account}  google business profile  Lighthouse Bakery  yes")
