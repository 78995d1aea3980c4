"""What operators do for the app: sign-in links, connect links, platforms' applications."""

import pytest

from chalicelib.bootstrap.deployment import Deployment
from tests.cli.operator import CREATE_WORKSPACE, Operator
from tests.support.emulator import EmulatorProcess, make_resources


@pytest.fixture(scope="module")
def operator(emulator: EmulatorProcess) -> Operator:
    """Return an operator over tables of this file's own."""
    return Operator(Deployment(make_resources(emulator.endpoint)))


def test_a_member_is_given_a_link_and_signed_out(operator: Operator) -> None:
    member = operator.text(*CREATE_WORKSPACE, field="member_id")

    link = operator.text("member", "sign-in", member, field="url")
    out = operator.run("member", "sign-out", member)

    assert "/app/sign-in/" in link
    assert out.output == "Ada is signed out.\n"


def test_a_link_for_nobody_is_one_sentence(operator: Operator) -> None:
    result = operator.run("member", "sign-in", "0" * 32)

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: There is no such member.")


@pytest.mark.parametrize(("ttl", "status"), [("90", 0), ("1h", 0), ("0", 2), ("soon", 2)])
def test_a_connect_link_lasts_as_long_as_it_is_told(
    operator: Operator, ttl: str, status: int
) -> None:
    workspace = operator.text(*CREATE_WORKSPACE, field="workspace_id")

    result = operator.run("account", "invite", workspace, "--ttl", ttl)

    assert result.exit_code == status
    assert ("/connect/" in result.stdout) is (status == 0)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "//evil.example", "done"])
def test_a_connect_link_leads_to_addresses_of_the_web_only(
    operator: Operator, address: str
) -> None:
    workspace = operator.text(*CREATE_WORKSPACE, field="workspace_id")

    assert operator.run("account", "invite", workspace, "--return-to", address).exit_code == 2


@pytest.mark.parametrize("platform", ["google-business-profile", "Google_Business Profile"])
def test_links_and_applications_take_a_platform_s_name_as_accounts_do(
    operator: Operator, platform: str
) -> None:
    workspace = operator.text(*CREATE_WORKSPACE, field="workspace_id")
    application = ("app-credentials", "set", platform, "--client-id", "an-id")

    invited = operator.run("account", "invite", workspace, "--platform", platform)
    kept = operator.run(*application, "--client-secret", "hush")
    removed = operator.run("app-credentials", "remove", platform)

    assert [0, 0, 0] == [one.exit_code for one in (invited, kept, removed)]


def test_an_application_is_set_listed_without_its_secret_and_removed(operator: Operator) -> None:
    asked = ("app-credentials", "set", "facebook", "--client-id", "an-id", "--config-id", "77")
    made = operator.ask(*asked, "--client-secret", "hush")

    listed = operator.run("app-credentials", "list", "--json")
    removed = operator.run("app-credentials", "remove", "facebook")

    assert str(made["redirect_uri"]).endswith("/connect/callback")
    assert '"client_id": "an-id", "config_id": "77"' in listed.stdout
    assert "hush" not in listed.stdout
    assert removed.exit_code == 0
    assert operator.run("app-credentials", "remove", "facebook").exit_code == 1


@pytest.mark.parametrize(
    ("platform", "client_id", "secret", "refusal"),
    [
        ("tiktok", "an-id", "", "TikTok gives an application a client secret, too. Set both."),
        ("facebook", "an-id", " \n", "Facebook gives an application a client secret, too."),
        ("tiktok", "\n", "hush", "An application has a client id."),
        ("x", "an-id", "", ""),
        ("tiktok", "an-id\n", "hush\n", ""),
    ],
)
def test_an_application_that_is_set_half_is_refused(
    operator: Operator, platform: str, client_id: str, secret: str, refusal: str
) -> None:
    asked = ("app-credentials", "set", platform, "--client-id", client_id)

    made = operator.run(*asked, "--client-secret", secret)

    assert made.exit_code == (1 if refusal else 0)
    assert refusal in made.stderr
    listed = operator.run("app-credentials", "list", "--json").stdout
    assert ('"client_id": "an-id"' in listed) is (not refusal)


def test_a_workspaces_own_application_is_listed_and_removed_apart(operator: Operator) -> None:
    workspace = operator.text(*CREATE_WORKSPACE, field="workspace_id")
    own = ("--workspace", workspace)
    operator.ask(
        "app-credentials", "set", "x", "--client-id", "ours", "--client-secret", "hush", *own
    )

    everybodys = operator.run("app-credentials", "list", "--json").stdout
    listed = operator.run("app-credentials", "list", "--json", *own).stdout
    removed = operator.run("app-credentials", "remove", "x", *own)

    assert '"client_id": "ours"' not in everybodys
    assert '"client_id": "ours"' in listed
    assert "hush" not in listed
    assert removed.exit_code == 0
    assert operator.run("app-credentials", "list", "--workspace", "f" * 32).exit_code == 1
