"""Assistants of one person share tokens, and networks break: nobody is signed out for it.

Reported of servers that end a grant for a refresh token that comes twice: programs that share one
store renew at the same moment, or send the same again after no answer
(https://github.com/anthropics/claude-code/issues/85236,
https://github.com/PrefectHQ/fastmcp/issues/4901).
"""

import threading
from datetime import timedelta
from typing import Any

from tests.web import test_assistants
from tests.web.browser import Browser
from tests.web.test_assistants import Client, assistants, error_of, of, status_with

room = test_assistants.room


def test_an_answer_that_was_lost_is_given_again(browser: Browser) -> None:
    client = Client.registered(browser)
    token = client.tokens()["refresh_token"]
    lost = of(client.refresh(token))
    browser.room.pass_time(timedelta(seconds=59))

    again = of(client.refresh(token))
    third = of(client.refresh(again["refresh_token"]))

    assert lost == again
    assert 200 == status_with(browser.room, third["access_token"])


def test_of_programs_that_renew_at_once_each_goes_on(browser: Browser) -> None:
    client = Client.registered(browser)
    token, answers = client.tokens()["refresh_token"], list[dict[str, Any]]()
    together = threading.Barrier(4)

    def refresh() -> None:
        together.wait()
        answers.append(of(client.refresh(token)))

    threads = [threading.Thread(target=refresh) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [answers[0]] * 4 == answers
    assert 200 == status_with(browser.room, answers[0]["access_token"])
    assert 1 == len(assistants(browser))


def test_a_minute_later_the_same_token_ends_the_grant(browser: Browser) -> None:
    """RFC 9700, 4.14.2: whoever has it now may have stolen it."""
    client = Client.registered(browser)
    token = client.tokens()["refresh_token"]
    second = of(client.refresh(token))
    browser.room.pass_time(timedelta(minutes=1))

    again = client.refresh(token)

    assert (400, "invalid_grant") == error_of(again)
    assert 401 == status_with(browser.room, second["access_token"])
    assert not assistants(browser)


def test_what_was_given_back_is_not_given_again(browser: Browser) -> None:
    client = Client.registered(browser)
    token = client.tokens()["refresh_token"]
    second = of(client.refresh(token))
    form = {"token": second["refresh_token"], "client_id": client.id}
    test_assistants.sent(browser, "/app/oauth/revoke", form)

    assert (400, "invalid_grant") == error_of(client.refresh(token))


def test_another_client_gets_nothing_again(browser: Browser) -> None:
    client, thief = Client.registered(browser), Client.registered(browser)
    token = client.tokens()["refresh_token"]
    second = of(client.refresh(token))

    stolen = thief.refresh(token)

    assert (400, "invalid_grant") == error_of(stolen)
    assert 200 == status_with(browser.room, second["access_token"])
