"""The page of accounts before the first one."""

from tests.web.browser import Browser


def test_a_workspace_without_accounts_says_how_to_begin(browser: Browser) -> None:
    shown = browser.open("/app/accounts")

    assert shown.status == 200
    assert "No account yet" in shown.text
