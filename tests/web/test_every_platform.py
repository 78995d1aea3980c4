"""The app shows each platform by its page of facts: name, mark, options, preview."""

import html
import json
from dataclasses import replace

import pytest

from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.services.posts.as_sent import AsSent
from tests.web.browser import Browser


@pytest.mark.parametrize("platform", Platform)
def test_a_draft_shows_its_platform_s_name_mark_and_options(
    browser: Browser, platform: Platform
) -> None:
    facts, account = FACTS[platform], browser.room.account(platform)
    page = browser.send("/app/posts/new", {"caption": "Rye #bread", "account": account}).location

    shown = html.unescape(browser.open(page).text)

    assert facts.name in shown
    assert f'#p-{platform.replace(" ", "-")}"/>' in shown or f">{facts.mark}</span>" in shown
    assert [option.name for option in facts.options if option.label not in shown] == []


def test_a_draft_shows_what_will_be_sent_by_the_platforms_own_connector(browser: Browser) -> None:
    """LinkedIn's little text: brackets are escaped as they leave, a hashtag is not."""
    deployment = browser.room.house.deployment
    real = real_connectors({}, browser.room.house.clock)
    deployment.as_sent = AsSent(connectors=replace(deployment.connectors, real=real))
    written = {"caption": "Rye (fresh) #bread", "account": browser.room.account("linkedin")}

    page = browser.send("/app/posts/new", written).location
    shown = html.unescape(browser.open(page).text)

    assert "As it will be sent" in shown
    assert json.dumps("Rye \\(fresh\\) #bread") in shown
    assert '"lifecycleState": "PUBLISHED"' in shown


def test_what_is_needed_beside_a_choice_is_said_in_people_s_words(browser: Browser) -> None:
    account = browser.room.account("google business profile")
    page = browser.send("/app/posts/new", {"caption": "Rye", "account": account}).location

    shown = html.unescape(browser.open(page).text)

    assert "Needed if “Post type” is Event or Offer." in shown
    assert "Needed if “Button” is Book or Order online or Shop or Learn more or Sign up." in shown
