"""CONTRACT 7's `sandbox:answer`: answered as asked, and read by the platform's own table.

Every row of every connector's table is played as the platform spells it (the rigs' samples), and
ends as the row says. What the sheets of the platforms say of a row, which others wrote from the
platforms' own pages, is held against that end.
"""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from chalicelib.connectors.sandbox.connector import SandboxConnector, SandboxStore
from chalicelib.connectors.shared.calls.failures import complete_entry
from chalicelib.domain.blame import blame_of
from chalicelib.domain.outcome import Blame, Checkpoint, Failed, FailureCode, Unanswered
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox_answers import (
    LONGEST_BODY,
    UnfitAnswerError,
    asked_answer,
)
from tests.connectors.shared.sheet_readings import SHEETS
from tests.connectors.support.playing import SAID_LATER, answering, closed_rig, play

ROWS = [(platform, key) for platform in Platform for key in closed_rig(platform).refusals]


@pytest.mark.parametrize(("platform", "key"), ROWS, ids=[f"{p} {key}" for p, key in ROWS])
def test_a_refusal_that_is_played_ends_and_is_blamed_as_its_row_says(
    platform: Platform, key: str
) -> None:
    rig = closed_rig(platform)
    status, headers, body = rig.refusals[key]
    row = complete_entry(platform, rig.http.errors[key])

    end = play(platform, answering(status, body, headers))

    if isinstance(end, Failed):
        assert end.code == row.code
        read = SHEETS.get(platform.name.lower(), {}).get(key)
        if read is not None:
            assert end.code == read
        # A caption cannot carry headers other than Retry-After.
        is_told_by_headers = any(name.startswith("x-app-") for name in headers)
        if row.blamed is not None and not is_told_by_headers:
            assert (blame_of(end), end.app_wide) == (row.blamed, row.app_wide)
    else:
        proves_nothing = status == SAID_LATER or row.code is FailureCode.PLATFORM_UNAVAILABLE
        assert isinstance(end, Unanswered)
        assert proves_nothing


@pytest.mark.parametrize("platform", [one for one in Platform if one.name.lower() in SHEETS])
def test_whose_a_refusal_is_is_read_as_in_the_platforms_sheet(platform: Platform) -> None:
    """A person who is told to reconnect over an application's limit does it for nothing."""
    errors = closed_rig(platform).http.errors
    read = _blames_in_the_sheet(platform)

    told = {}
    for key in read:
        row = complete_entry(platform, errors[key])
        told[key] = blame_of(Failed(code=row.code, message=row.sentence, blame=row.blamed))

    assert read
    assert told == read


def _blames_in_the_sheet(platform: Platform) -> dict[str, Blame]:
    lines = (Path(__file__).parent / "sheet_blames.txt").read_text(encoding="utf-8")
    rows = re.findall(rf"^{platform.name.lower()} (\w+): (.+(?:\n  .+)*)", lines, re.MULTILINE)
    return {key: Blame(whose) for whose, keys in rows for key in re.split(r",\s+", keys)}


def test_enough_refusals_are_played() -> None:
    """Issue 51 wants 250; the sheets speak of more than two hundred of them."""
    assert len(ROWS) >= 250
    assert sum(len(rows) for rows in SHEETS.values()) >= 200


@pytest.mark.parametrize("platform", Platform)
@pytest.mark.parametrize(
    "answer",
    [
        (500, b'{"error":"oops"}'),
        (503, b"<html>Service Unavailable</html>"),
        (418, b'{"what":"nobody knows"}'),
        (200, b"<html>captive portal</html>"),
        (403, b"<!DOCTYPE html><html><title>Blocked by your network's policy</title></html>"),
        (403, b"\xef\xbb\xbf <HTML><body>Web filter: category social media</body></HTML>"),
        (302, b"<html><body>Sign in to the network</body></html>"),
        (511, b"<html><body>Network Authentication Required</body></html>"),
        (407, b"<html><body>Proxy Authentication Required</body></html>"),
        (451, b"<html><body>Unavailable For Legal Reasons</body></html>"),
        (200, b"{}"),
    ],
)
def test_an_answer_that_proves_nothing_leaves_a_doubt(
    platform: Platform, answer: tuple[int, bytes]
) -> None:
    assert isinstance(play(platform, answering(*answer)), Unanswered)


def _of_graph(code: int, message: str, **more: object) -> bytes:
    return json.dumps({"error": {"code": code, "message": message, **more}}).encode()


def _of_x(kind: str, detail: str) -> bytes:
    named = f"https://api.x.com/2/problems/{kind}" if kind else "about:blank"
    return json.dumps({"title": "No", "type": named, "detail": detail}).encode()


def _of_reddit(*error: str) -> bytes:
    return json.dumps({"json": {"errors": [error]}}).encode()


def _of_google(reason: str) -> bytes:
    return json.dumps({"error": {"code": 403, "errors": [{"reason": reason}]}}).encode()


@pytest.mark.parametrize(
    ("platform", "status", "body", "code", "blame"),
    [
        (
            Platform.FACEBOOK,
            400,
            _of_graph(190, "Error validating application. Application has been deleted."),
            FailureCode.PLATFORM_UNAVAILABLE,
            Blame.APPLICATION,
        ),
        (
            Platform.FACEBOOK,
            400,
            _of_graph(10, "(#10) Your use of this must be reviewed and approved by Facebook."),
            FailureCode.PERMISSION_MISSING,
            Blame.APPLICATION,
        ),
        (
            Platform.PINTEREST,
            403,
            b'{"code": 283, "message": "You hit a block that we have to combat spam."}',
            FailureCode.ACCOUNT_RESTRICTED,
            Blame.ACCOUNT,
        ),
        (
            Platform.PINTEREST,
            403,
            b'{"code": 9999, "message": "This pin is not for you."}',
            FailureCode.PERMISSION_MISSING,
            Blame.ACCOUNT,
        ),
        (
            Platform.PINTEREST,
            400,
            b'{"code": 235, "message": "Sorry we could not fetch the image."}',
            FailureCode.MEDIA_UNAVAILABLE,
            Blame.APPLICATION,
        ),
        (
            Platform.LINKEDIN,
            400,
            b'{"status": 400, "code": "INVALID_VALUE_FOR_FIELD", "message": "commentary: long"}',
            FailureCode.CAPTION_REJECTED,
            Blame.TEXT,
        ),
        (
            Platform.REDDIT,
            200,
            _of_reddit("A_NEW_ONE", "this title is too short", "title"),
            FailureCode.CAPTION_REJECTED,
            Blame.TEXT,
        ),
        (
            Platform.REDDIT,
            200,
            _of_reddit("SUBMIT_VALIDATION_MIN_LENGTH", "at least 50 characters", "text"),
            FailureCode.CAPTION_REJECTED,
            Blame.TEXT,
        ),
        (
            Platform.REDDIT,
            200,
            _of_reddit("IN_TIMEOUT", "can't do that while suspended", ""),
            FailureCode.ACCOUNT_RESTRICTED,
            Blame.ACCOUNT,
        ),
        (
            Platform.YOUTUBE,
            403,
            _of_google("ipRefererBlocked"),
            FailureCode.PLATFORM_UNAVAILABLE,
            Blame.APPLICATION,
        ),
        (
            Platform.YOUTUBE,
            403,
            _of_google("domainPolicy"),
            FailureCode.PERMISSION_MISSING,
            Blame.ACCOUNT,
        ),
        (
            Platform.INSTAGRAM,
            400,
            _of_graph(10, "The Instagram account is restricted.", error_subcode=2207050),
            FailureCode.ACCOUNT_RESTRICTED,
            Blame.ACCOUNT,
        ),
        (
            Platform.FACEBOOK,
            400,
            _of_graph(6000, "The video is too large.", error_subcode=1363023),
            FailureCode.MEDIA_TOO_LARGE,
            Blame.FILE,
        ),
        *(
            (
                Platform.FACEBOOK,
                400,
                _of_graph(6000, "There was a problem with your video.", error_subcode=subcode),
                code,
                blame,
            )
            for subcode, code, blame in (
                (1363019, FailureCode.PROCESSING_FAILED, Blame.PLATFORM),
                (1363021, FailureCode.PROCESSING_FAILED, Blame.PLATFORM),
                (1363030, FailureCode.PROCESSING_FAILED, Blame.PLATFORM),
                (1363033, FailureCode.PROCESSING_FAILED, Blame.PLATFORM),
                (1363041, FailureCode.PROCESSING_FAILED, Blame.PLATFORM),
                (1363045, FailureCode.PROCESSING_FAILED, Blame.PLATFORM),
                (1363024, FailureCode.MEDIA_REJECTED, Blame.FILE),
                (1363026, FailureCode.MEDIA_REJECTED, Blame.FILE),
                (1363042, FailureCode.PERMISSION_MISSING, Blame.PERSON),
            )
        ),
        (
            Platform.FACEBOOK,
            400,
            _of_graph(100, "The video is too small.", error_subcode=1363022),
            FailureCode.MEDIA_REJECTED,
            Blame.FILE,
        ),
        (
            Platform.X,
            403,
            b'{"errors":[{"code":89,"message":"Invalid or expired token."}]}',
            FailureCode.AUTH_EXPIRED,
            Blame.PERSON,
        ),
        (
            Platform.LINKEDIN,
            422,
            b'{"status":422,"message":"ShareCommentary text length exceeded the maximum allowed"}',
            FailureCode.CAPTION_REJECTED,
            Blame.TEXT,
        ),
        *(
            (Platform.X, status, _of_x(kind, detail), code, blame)
            for status, kind, detail, code, blame in (
                (
                    *(403, "disallowed-resource", "This post may not be used."),
                    *(FailureCode.INVALID_OPTIONS, Blame.TEXT),
                ),
                (
                    *(403, "field-unauthorized", "You may not use the field."),
                    *(FailureCode.PERMISSION_MISSING, Blame.APPLICATION),
                ),
                (
                    *(403, "", "This application has been suspended. Contact support."),
                    *(FailureCode.PERMISSION_MISSING, Blame.APPLICATION),
                ),
                (
                    *(403, "", "Not allowed: a phone number must be verified first."),
                    *(FailureCode.ACCOUNT_RESTRICTED, Blame.ACCOUNT),
                ),
                (
                    *(403, "", "Not allowed while your account is locked."),
                    *(FailureCode.ACCOUNT_RESTRICTED, Blame.ACCOUNT),
                ),
                (
                    *(403, "", "You have reached the write limit of your plan."),
                    *(FailureCode.RATE_LIMITED, Blame.APPLICATION),
                ),
                (
                    *(429, "", "Usage cap exceeded: Monthly product cap"),
                    *(FailureCode.RATE_LIMITED, Blame.APPLICATION),
                ),
                (
                    *(403, "", "CreditsDepleted: top up to go on."),
                    *(FailureCode.RATE_LIMITED, Blame.APPLICATION),
                ),
                (
                    *(403, "", "You may not use OAuth 2.0 User Context on this endpoint."),
                    *(FailureCode.PERMISSION_MISSING, Blame.APPLICATION),
                ),
                (
                    403,
                    "unsupported-authentication",
                    "OAuth 2.0 Application-Only is forbidden here; use [OAuth 2.0 User Context].",
                    *(FailureCode.AUTH_EXPIRED, Blame.PERSON),
                ),
            )
        ),
    ],
)
def test_another_refusal_of_a_known_kind_is_blamed_as_that_kind(
    platform: Platform, status: int, body: bytes, code: FailureCode, blame: Blame
) -> None:
    """None of these is spelled as a row of its own: what was said to the person was wrong."""
    end = play(platform, answering(status, body))

    assert isinstance(end, Failed)
    assert (end.code, blame_of(end)) == (code, blame)


@pytest.mark.parametrize("platform", Platform)
def test_a_retry_after_is_read_as_the_platforms_own(platform: Platform) -> None:
    end = play(platform, answering(429, b"{}", {"Retry-After": "77"}))

    assert isinstance(end, Failed)
    assert end.code is FailureCode.RATE_LIMITED
    assert end.retry_after is not None
    assert end.retry_after.total_seconds() == 77


@pytest.mark.parametrize(("said", "waited"), [("", 3_600), ("30", 30), ("7200", 7_200)])
def test_a_days_limit_of_x_is_waited_for_in_hours(said: str, waited: int) -> None:
    """Tries of a minute would be over long before the limit is."""
    body = b'{"errors":[{"code":344,"message":"User is over daily status update limit."}]}'

    end = play(Platform.X, answering(403, body, {"Retry-After": said} if said else {}))

    assert isinstance(end, Failed)
    assert (end.code, blame_of(end)) == (FailureCode.RATE_LIMITED, Blame.ACCOUNT)
    assert end.retry_after == timedelta(seconds=waited)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("sandbox:answer", "Write sandbox:answer:<status>:<body>"),
        ("sandbox:answer:403", "Write sandbox:answer:<status>:<body>"),
        ("sandbox:answer:403:e30=", "Write sandbox:answer:<status>:<body>"),
        ("sandbox:answer:403:e30:soon", "Write sandbox:answer:<status>:<body>"),
        ("sandbox:answer:403:{}", "Write sandbox:answer:<status>:<body>"),
        ("sandbox:answer:99:e30", "Write sandbox:answer:<status>:<body>"),
        ("sandbox:answer:099:e30", "from 200 to 999"),
        ("sandbox:answer:1000:e30", "Write sandbox:answer"),
        ("sandbox:answer:403:a", "not base64url"),
        ("sandbox:answer:403:" + "A" * 280_000, f"{LONGEST_BODY:,} bytes"),
    ],
)
def test_a_word_of_another_form_is_said_to_be_one(word: str, says: str) -> None:
    with pytest.raises(UnfitAnswerError, match=says):
        asked_answer(f"Rye {word} and wheat")

    rig = closed_rig(Platform.X)
    sandbox = SandboxConnector(
        Platform.X, cast("SandboxStore", None), "http://h", rules=rig.connector
    )
    publication = replace(rig.shapes["text"], text=f"Rye {word}")
    begun = Checkpoint("upload", {"until": rig.clock().isoformat()})
    end = sandbox.advance(publication, begun)
    assert isinstance(end, Failed)
    assert (end.code, end.final) == (FailureCode.INVALID_OPTIONS, True)
    assert says in end.message


def test_a_caption_without_the_word_asks_for_nothing() -> None:
    assert asked_answer("Rye sandbox:answers:403:e30 sandbox:lost") is None
