"""Refusals that no table lists: played on every platform, in its own form and in others' forms.

Only 5xx, lost answers and Meta's 2207051 are known to have been followed by a post (the platforms'
error pages; github.com/arsduo/koala, issue 699: HTTP 500; github.com/gitroomhq/postiz-app, pull
request 1681). So a 4xx with the platform's own code is an end and no doubt of an hour; Instagram
and Threads are looked at once before it.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from chalicelib.domain.outcome import Failed, FailureCode, Unanswered
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.error_mapping import explain
from tests.connectors.support.playing import answering, play

P = Platform
WORDS = "Not on a Saturday."
_GRAPH = {"error": {"code": 9999, "message": WORDS, "fbtrace_id": "A1"}}


def _google(status: int) -> dict[str, Any]:
    reason = {"reason": "newlyMade", "domain": "global", "message": WORDS}
    return {"error": {"code": status, "message": WORDS, "errors": [reason]}}


FORMS: dict[Platform, Callable[[int], dict[str, Any]]] = {
    P.X: lambda status: {"title": "No", "detail": WORDS, "status": status, "type": "about:blank"},
    P.INSTAGRAM: lambda _: _GRAPH,
    P.THREADS: lambda _: _GRAPH,
    P.FACEBOOK: lambda _: _GRAPH,
    P.TIKTOK: lambda _: {"error": {"code": "newly_made", "message": WORDS, "log_id": "L1"}},
    P.LINKEDIN: lambda status: {"status": status, "message": WORDS},
    P.PINTEREST: lambda _: {"code": 9999, "message": WORDS},
    P.BLUESKY: lambda _: {"error": "NewlyMade", "message": WORDS},
    P.REDDIT: lambda status: {"error": status, "message": WORDS},
    P.YOUTUBE: _google,
    P.GOOGLE_BUSINESS_PROFILE: _google,
}


def test_every_platform_has_its_form() -> None:
    assert set(FORMS) == set(Platform), 'Step 4 of "Adding a platform" in CONTRIBUTING.md.'


@pytest.mark.parametrize("status", [405, 410, 418, 451])
@pytest.mark.parametrize("platform", FORMS)
def test_a_refusal_that_no_table_lists_is_an_end_in_the_platforms_words(
    platform: Platform, status: int
) -> None:
    end = play(platform, answering(status, json.dumps(FORMS[platform](status)).encode()))

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.UNKNOWN, False)
    assert explain(end, platform).endswith(f"said: {WORDS}")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (408, b'{"status": 408, "message": "Too slow."}'),
        (410, b'{"message": "no Route matched with those values"}'),
        (406, b"<html><head><title>406 Not Acceptable</title></head></html>"),
        (418, b""),
        (502, b'{"status": 502, "message": "Bad gateway", "code": "X"}'),
    ],
)
@pytest.mark.parametrize("platform", [P.LINKEDIN, P.TIKTOK, P.FACEBOOK, P.X, P.PINTEREST])
def test_what_has_not_the_platforms_form_stays_a_doubt(
    platform: Platform, status: int, body: bytes
) -> None:
    assert isinstance(play(platform, answering(status, body)), Unanswered)


@pytest.mark.parametrize("platform", [P.FACEBOOK, P.INSTAGRAM, P.THREADS])
@pytest.mark.parametrize("code", [1, 2, -1])
def test_what_meta_calls_its_own_trouble_stays_a_doubt(platform: Platform, code: int) -> None:
    body = json.dumps({"error": {"code": code, "message": "An unknown error occurred"}}).encode()

    assert isinstance(play(platform, answering(400, body)), Unanswered)


def test_linkedins_block_of_calls_can_be_played_and_is_the_accounts() -> None:
    """LinkedIn answers 999, a status that HTTP does not have, with a page."""
    end = play(P.LINKEDIN, answering(999, b"<html><script>authwall</script></html>"))

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.ACCOUNT_RESTRICTED, False)
    assert "Sign in to LinkedIn" in explain(end, P.LINKEDIN)


def test_a_place_in_a_record_is_no_secret() -> None:
    """Bluesky says in which field something is wrong; with it cut out, nobody knows what to do."""
    said = "Invalid app.bsky.feed.post record: Record/embed/images/0/image/mimeType is not accepted"
    end = play(
        P.BLUESKY, answering(400, json.dumps({"error": "InvalidRequest", "message": said}).encode())
    )

    assert isinstance(end, Failed)
    assert explain(end, P.BLUESKY).endswith(f"Bluesky said: {said}")


@pytest.mark.parametrize(
    ("code", "message", "ours", "begins"),
    [
        (368, "You've already posted this.", FailureCode.DUPLICATE_CONTENT, "Facebook refused the"),
        (
            21,
            "Page ID 1 was migrated to page ID 2.",
            FailureCode.PERMISSION_MISSING,
            "Facebook has",
        ),
        (803, "(#803) Some aliases do not exist", FailureCode.PERMISSION_MISSING, "Facebook does"),
        (
            197,
            "(#197) The post is empty.",
            FailureCode.CAPTION_REJECTED,
            "Facebook refused the text",
        ),
        (5, "(#5) Unauthorized source IP address", FailureCode.PERMISSION_MISSING, "Meta takes"),
        (2500, "Unknown path components", FailureCode.UNKNOWN, "Meta did not understand"),
    ],
)
def test_graphs_other_codes_say_whose_they_are(
    code: int, message: str, ours: FailureCode, begins: str
) -> None:
    """As github.com/arsduo/koala issue 422 (368) and github.com/trypostit/trypost pull 41 (197)."""
    body = json.dumps({"error": {"code": code, "message": message}}).encode()

    end = play(P.FACEBOOK, answering(400, body))

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (ours, False)
    assert explain(end, P.FACEBOOK).startswith(begins)


def test_bluesky_tells_of_an_email_address_that_is_not_confirmed() -> None:
    """github.com/marcomaroni-github/twitter-to-bluesky, pull 106: "restricted" helped nobody."""
    body = json.dumps({"error": "unconfirmed_email", "message": "Confirm your email."}).encode()

    end = play(P.BLUESKY, answering(401, body))

    assert isinstance(end, Failed)
    assert "Confirm it in Bluesky's settings" in explain(end, P.BLUESKY)
