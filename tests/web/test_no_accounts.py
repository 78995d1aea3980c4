"""The page of accounts before the first one."""

from tests.web.browser import Browser


def test_a_workspace_without_accounts_says_how_to_begin(browser: Browser) -> None:
    shown = browser.open("/app/accounts")

    assert shown.status == 200
    assert "No account yet" in shown.text


def test_pages_of_a_new_workspace_lead_on(browser: Browser) -> None:
    assert (
        '<a href="/app/accounts">Connect an account</a> first.' in browser.open("/app/groups").text
    )
    assert 'href="/app/posts/new">Upload one' in browser.open("/app/library").text
    assert 'href="/app/posts?status=scheduled">Show' in browser.open("/app/series").text
