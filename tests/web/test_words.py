"""Saved words: kept, changed, deleted, offered while somebody writes; a signature per account."""

import pytest

from chalicelib.domain.posts.words import LONGEST_TEXT, MOST_TEXTS
from chalicelib.domain.workspace.access import Role
from tests.api.http_room import UNKNOWN_ID
from tests.web.browser import Browser


def test_a_text_is_saved_offered_changed_and_deleted(browser: Browser) -> None:
    saved = browser.send("/app/words", {"name": " Baker's  tags ", "text": '#rye "fresh"\n#oven '})
    words = browser.room.house.deployment.posting.words.rows
    (text,) = words.list(browser.room.workspace_id)
    offered = browser.open("/app/posts/new").text
    browser.send(f"/app/words/{text.id}", {"name": "Tags", "text": "#spelt"})
    (changed,) = words.list(browser.room.workspace_id)
    browser.send(f"/app/words/{text.id}/delete")

    assert saved.status == 303
    assert (text.name, text.text) == ("Baker's tags", '#rye "fresh"\n#oven')
    assert 'data-insert="#rye &#34;fresh&#34;\n#oven"' in offered
    assert (changed.name, changed.text) == ("Tags", "#spelt")
    assert "No text saved yet" in browser.open("/app/words").text
    assert "data-insert=" in browser.open("/app/posts/new").text, "for # and @"
    assert 'aria-label="Saved words"' not in browser.open("/app/posts/new").text


def test_each_account_has_a_signature_until_it_is_emptied(browser: Browser) -> None:
    account = browser.room.account("x")

    browser.send(f"/app/words/signatures/{account}", {"text": "Your bakers"})
    offered = browser.open("/app/posts/new").text
    browser.send(f"/app/words/signatures/{account}", {"text": " "})

    assert "Signature of @lighthouse" in offered
    assert 'data-insert="Your bakers"' in offered
    assert "Your bakers" not in browser.open("/app/posts/new").text
    assert browser.send(f"/app/words/signatures/{UNKNOWN_ID}", {"text": "x"}).status == 404
    assert browser.send(f"/app/words/{account}", {"name": "a", "text": "x"}).status == 404


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": " ", "text": "#rye"}, "Give it a name of at most 80 characters."),
        ({"name": "y" * 81, "text": "#rye"}, "Give it a name of at most 80 characters."),
        ({"name": "Tags", "text": " "}, "Type a text of at most 2,200 characters; this has 0."),
        ({"name": "Tags", "text": "y" * (LONGEST_TEXT + 1)}, "this has 2,201."),
        ({"name": "Tags", "text": "a\x00b"}, "control"),
    ],
)
def test_what_cannot_be_kept_is_told_with_what_was_typed(
    browser: Browser, typed: dict[str, str], said: str
) -> None:
    answer = browser.send("/app/words", typed)

    assert answer.status == 422
    assert said in answer.problem
    assert browser.room.house.deployment.posting.words.rows.list(browser.room.workspace_id) == []


def test_the_hundredth_text_is_the_last(browser: Browser) -> None:
    for number in range(MOST_TEXTS):
        browser.send("/app/words", {"name": f"Tags {number}", "text": "#rye"})

    answer = browser.send("/app/words", {"name": "One more", "text": "#rye"})

    assert answer.status == 422
    assert "Delete one first" in answer.problem


def test_a_viewer_sees_words_and_changes_none(browser: Browser) -> None:
    browser.send("/app/words", {"name": "Tags", "text": "#rye"})

    page = browser.as_role(Role.VIEWER).open("/app/words").text

    assert "#rye" in page
    assert "Signatures" not in page  # there is none to see
    assert "Save the text" not in page
    assert "Delete this text" not in page
