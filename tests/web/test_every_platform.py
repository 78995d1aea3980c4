"""The app shows each platform by its page of facts: name, mark, options, preview."""

import html
import json
import re
from dataclasses import replace

import pytest

from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import ContentKind
from chalicelib.domain.platforms.platform import Platform
from chalicelib.services.posts.as_sent import AsSent
from tests.web.browser import Browser, a_photo


@pytest.mark.parametrize("platform", Platform)
def test_a_draft_shows_its_platform_s_name_mark_and_options(
    browser: Browser, platform: Platform
) -> None:
    facts, account = FACTS[platform], browser.room.account(platform)
    page = browser.send("/app/posts/new", {"caption": "Rye #bread", "account": account}).location

    shown = html.unescape(browser.open(page).text)

    assert facts.name in shown
    assert f'#p-{platform.replace(" ", "-")}"/>' in shown or f">{facts.mark}</span>" in shown
    asked = [one for one in facts.options if not one.only or ContentKind.TEXT in one.only]
    assert [option.name for option in asked if option.label not in shown] == []


def test_options_of_a_file_are_asked_for_when_there_is_one(browser: Browser) -> None:
    """Who writes a text alone sees no alt text and no cover."""
    account, media = browser.room.account("bluesky"), browser.upload(a_photo(), "one.jpg")
    fields = {"caption": "Rye", "account": account}
    file = {"media": media.location.partition("media=")[2]}

    without = browser.send("/app/compose?part=options", fields).text
    with_file = browser.send("/app/compose?part=options", {**fields, **file}).text

    name = f'name="a.{account}.o.alt_text"'
    assert name not in without
    assert name in with_file


@pytest.mark.parametrize("platform", Platform)
def test_whatever_is_typed_into_options_is_shown_again(
    browser: Browser, platform: Platform
) -> None:
    account, media = browser.room.account(platform), browser.upload(a_photo(), "one.jpg")
    fields = {"account": account, "media": media.location.partition("media=")[2]}
    form = browser.send("/app/compose?part=options", fields).text
    names = set(re.findall(rf'name="(a\.{account}\.o\.[^"]+)"', form))

    answers = {
        (typed, place): browser.send(place, {**fields, **dict.fromkeys(names, typed)}).status
        for typed in ("default", "nan", "1e999")
        for place in ("/app/posts/new", "/app/compose?part=panels")
    }

    assert names
    assert set(answers.values()) <= {200, 303, 422}, answers


def test_a_draft_shows_what_will_be_sent_by_the_platforms_own_connector(browser: Browser) -> None:
    """LinkedIn's little text: brackets are escaped as they leave, a hashtag is not."""
    deployment = browser.room.house.deployment
    real = real_connectors({}, browser.room.house.clock)
    deployment.checking.as_sent = AsSent(connectors=replace(deployment.connectors, real=real))
    written = {"caption": "Rye (fresh) #bread", "account": browser.room.account("linkedin")}

    page = browser.send("/app/posts/new", written).location
    shown = html.unescape(browser.open(page).text)

    assert "As it will be sent" in shown
    assert json.dumps("Rye \\(fresh\\) #bread") in shown
    assert '"lifecycleState": "PUBLISHED"' in shown


@pytest.mark.parametrize("caption", ["Rye", "Rye " * 200])
@pytest.mark.parametrize(
    ("platform", "said"),
    [("x", "A dark loaf"), ("pinterest", "A dark loaf"), ("tiktok", "")],
)
def test_a_preview_says_what_the_library_says_of_the_file(
    browser: Browser, platform: str, said: str, caption: str
) -> None:
    """Also while the post would be refused: X's text is too long, Pinterest's has no board."""
    media = browser.upload(a_photo(), "one.jpg").location.partition("media=")[2]
    browser.open(f"/app/library/{media}")
    browser.send(f"/app/library/{media}", {"filename": "one.jpg", "alt_text": "A dark loaf"})
    fields = {"caption": caption, "account": browser.room.account(platform), "media": media}

    shown = browser.send("/app/compose?part=beside", fields).text

    assert f'<img src="/app/media/{media}" alt="{said}"' in shown


@pytest.mark.parametrize(
    ("platform", "name", "said"),
    [
        ("x", "The bakery", "{handle} · Nov 25"),
        ("x", None, "Nov 25"),
        ("bluesky", "The bakery", "{handle} · 25 Nov"),
        ("linkedin", None, "25 Nov"),
        ("facebook", None, "25 November at 09:00"),
        ("instagram", None, ""),
    ],
)
def test_a_preview_has_name_and_day_where_its_platform_has_them(
    browser: Browser, platform: str, name: str | None, said: str
) -> None:
    room = browser.room
    repository, account_id = room.house.deployment.stores.account_repository, room.account(platform)
    (account,) = (one for one in repository.list(room.workspace_id) if one.id == account_id)
    repository.rename(account, account.handle, name)
    fields = {"caption": "Rye", "account": account_id, "at": "2026-11-25T09:00", "way": ""}

    shown = browser.send("/app/compose?part=beside", fields).text

    beside = re.search(rf"<strong>{name or account.handle}</strong>(.*?)<svg", shown)
    assert beside is not None
    assert re.sub("<[^>]+>", "", beside[1]).strip() == said.format(handle=account.handle)


def test_what_is_needed_beside_a_choice_is_said_in_people_s_words(browser: Browser) -> None:
    account = browser.room.account("google business profile")
    page = browser.send("/app/posts/new", {"caption": "Rye", "account": account}).location

    shown = html.unescape(browser.open(page).text)

    assert "Needed if “Post type” is Event or Offer." in shown
    assert "Needed if “Button” is Book or Order online or Shop or Learn more or Sign up." in shown
