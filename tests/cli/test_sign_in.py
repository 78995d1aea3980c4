"""Which of a platform's sign-in pages `account connect` leads to."""

from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.bootstrap.deployment import Deployment
from tests.cli.operator import CREATE_WORKSPACE, Operator
from tests.support.emulator import EmulatorProcess, make_resources


@pytest.fixture(scope="module")
def operator(emulator: EmulatorProcess) -> Operator:
    """Return an operator over tables of this file's own."""
    return Operator(Deployment(make_resources(emulator.endpoint)))


@pytest.fixture
def workspace(operator: Operator) -> str:
    """Make a workspace; return its id."""
    return operator.text(*CREATE_WORKSPACE, field="workspace_id")


def _page(operator: Operator, workspace: str, platform: str, *more: str) -> str:
    """Begin a sign-in; return the page that the operator is told to open."""
    asked = ("account", "connect", workspace, "--platform", platform, "--client-id", "app", *more)
    result = operator.run(*asked, "--client-secret", "s", "--paste")
    assert result.exit_code != 0  # nobody pastes the way back
    return next(line.strip() for line in result.stderr.splitlines() if "https://" in line)


@pytest.mark.parametrize(
    ("platform", "method", "host", "scope"),
    [
        ("instagram", (), "www.instagram.com", "instagram_business_content_publish"),
        ("instagram", ("--way", "facebook"), "www.facebook.com", "instagram_content_publish"),
        ("linkedin", (), "www.linkedin.com", "w_member_social"),
        ("linkedin", ("--way", "page"), "www.linkedin.com", "w_organization_social"),
        ("google business profile", (), "accounts.google.com", "business.manage"),
    ],
)
def test_a_sign_in_goes_to_the_page_that_was_chosen(
    operator: Operator,
    workspace: str,
    platform: str,
    method: tuple[str, ...],
    host: str,
    scope: str,
) -> None:
    page = urlsplit(_page(operator, workspace, platform, *method))

    assert page.hostname == host
    assert scope in parse_qs(page.query)["scope"][0]


def test_a_member_of_linkedin_is_not_asked_for_pages(operator: Operator, workspace: str) -> None:
    page = urlsplit(_page(operator, workspace, "linkedin"))

    assert "organization" not in parse_qs(page.query)["scope"][0]


@pytest.mark.parametrize(
    ("platform", "sentence"),
    [
        ("linkedin", "LinkedIn can be signed in to by --way member, page or member-insights."),
        ("x", "X has one way to sign in: leave --way out."),
    ],
)
def test_a_way_that_there_is_not_is_one_sentence(
    operator: Operator, workspace: str, platform: str, sentence: str
) -> None:
    asked = ("account", "connect", workspace, "--platform", platform)

    result = operator.run(*asked, "--client-id", "app", "--way", "boss", "--paste")

    assert (result.exit_code, result.stderr) == (1, f"Error: {sentence}\n")
