"""Refusals whose own words, or whose end, a person did not get to read: played, other codes too."""

import json
from typing import Any

import pytest

from chalicelib.domain.blame import blame_of
from chalicelib.domain.outcome import Blame, Failed, FailureCode, Unanswered
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.error_mapping import explain
from tests.connectors.support.playing import answering, play

WORDS = "Meta said it so."
GRAPH = (Platform.INSTAGRAM, Platform.FACEBOOK, Platform.THREADS)
P, F, B = Platform, FailureCode, Blame


def _graph(code: int, subcode: int | None = None, message: str = WORDS) -> bytes:
    error: dict[str, Any] = {"message": message, "type": "OAuthException", "code": code}
    return json.dumps({"error": error | ({"error_subcode": subcode} if subcode else {})}).encode()


def _end(platform: Platform, status: int, body: bytes) -> Failed:
    end = play(platform, answering(status, body))
    assert isinstance(end, Failed)
    return end


@pytest.mark.parametrize(
    ("platform", "code", "subcode"),
    [
        (P.INSTAGRAM, 4, 2207051),
        (P.INSTAGRAM, 9007, 2207027),
        (P.INSTAGRAM, 24, 2207008),
        (P.INSTAGRAM, -2, 2207020),
        (P.THREADS, 4, 2207051),
        (P.THREADS, 24, 4279009),
    ],
)
def test_metas_words_survive_another_container_and_a_look(
    platform: Platform, code: int, subcode: int
) -> None:
    end = _end(platform, 400, _graph(code, subcode))

    assert explain(end, platform).endswith(f"said: {WORDS}")


def test_pinterests_words_of_spam_are_shown() -> None:
    said = {"code": 9, "message": "You hit a block that is there against spam."}

    end = _end(P.PINTEREST, 429, json.dumps(said).encode())

    assert end.code == F.ACCOUNT_RESTRICTED
    assert explain(end, P.PINTEREST).endswith(f"said: {said['message']}")


@pytest.mark.parametrize("platform", GRAPH)
@pytest.mark.parametrize("code", [104, 12, 2635])
def test_what_refuses_every_call_of_the_application_is_no_doubt(
    platform: Platform, code: int
) -> None:
    """Meta, "Handling Errors": a bad proof or an ended version is refused at once."""
    end = _end(platform, 400, _graph(code))

    assert (blame_of(end), end.app_wide) == (Blame.APPLICATION, True)


@pytest.mark.parametrize(
    ("platform", "status", "body", "code", "blame"),
    [
        *((p, 400, _graph(100, 33), F.PERMISSION_MISSING, B.ACCOUNT) for p in GRAPH),
        (
            P.INSTAGRAM,
            400,
            _graph(10, message="(#10) the user is not an Instagram Business account"),
            F.PERMISSION_MISSING,
            B.ACCOUNT,
        ),
        (P.INSTAGRAM, 400, _graph(24, 2207006), F.PROCESSING_FAILED, B.ACCOUNT),
        (P.BLUESKY, 400, b'{"error":"BlobTooLarge","message":"x"}', F.MEDIA_TOO_LARGE, B.FILE),
        (
            P.BLUESKY,
            400,
            b'{"error":"InvalidRequest","message":"Could not find repo: did:plc:a"}',
            F.ACCOUNT_RESTRICTED,
            B.ACCOUNT,
        ),
        (P.BLUESKY, 400, b'{"error":"NewName","message":"No."}', F.UNKNOWN, B.PLATFORM),
        (P.BLUESKY, 403, b'{"error":"Forbidden","message":"x"}', F.PERMISSION_MISSING, B.PERSON),
        (
            P.X,
            403,
            b'{"errors":[{"code":453,"message":"You have access to a subset."}]}',
            F.PERMISSION_MISSING,
            B.APPLICATION,
        ),
        (
            P.X,
            400,
            b'{"errors":[{"message":"media_ids: a maximum of 4 items is allowed"}]}',
            F.MEDIA_REJECTED,
            B.FILE,
        ),
        (
            P.X,
            403,
            b'{"detail":"Your account cannot post videos longer than 2 minutes."}',
            F.VIDEO_TOO_LONG,
            B.ACCOUNT,
        ),
        (
            P.X,
            404,
            b'{"type":"https://api.x.com/2/problems/resource-not-found","detail":"No post."}',
            F.INVALID_OPTIONS,
            B.TEXT,
        ),
        (P.LINKEDIN, 404, b'{"status":404,"message":"No author."}', F.UNKNOWN, B.ACCOUNT),
        (
            P.YOUTUBE,
            400,
            b'{"error":{"code":400,"message":"New.","errors":[{"reason":"brandNew"}]}}',
            F.UNKNOWN,
            B.PLATFORM,
        ),
        (
            P.GOOGLE_BUSINESS_PROFILE,
            403,
            b'{"error":{"code":403,"message":"The profile has been suspended."}}',
            F.ACCOUNT_RESTRICTED,
            B.ACCOUNT,
        ),
        (
            P.GOOGLE_BUSINESS_PROFILE,
            404,
            b"<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>",
            F.UNKNOWN,
            B.APPLICATION,
        ),
    ],
)
def test_a_plain_no_reads_as_the_sheets_read_it(
    platform: Platform, status: int, body: bytes, code: FailureCode, blame: Blame
) -> None:
    end = _end(platform, status, body)

    assert (end.code, blame_of(end)) == (code, blame)


@pytest.mark.parametrize("platform", Platform)
def test_a_networks_own_page_of_what_was_not_found_proves_nothing(platform: Platform) -> None:
    page = b"<html><title>404</title>Nothing here, says the proxy.</html>"

    assert isinstance(play(platform, answering(404, page)), Unanswered)
