"""Rows of the platforms' sheets that were told wrongly: as the platform answers, and what is read.

The sheets are those of November 2026, of developers.facebook.com, developers.tiktok.com and
developers.google.com. Each row here blamed somebody else, gave advice that helps nobody, or was
taken for a doubt.
"""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from chalicelib.domain.blame import blame_of
from chalicelib.domain.outcome import Blame, Failed, FailureCode, Outcome, Unanswered
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.responses import PlatformResponse
from chalicelib.workers.publishing.error_mapping import answer_of, explain
from tests.connectors.support.playing import answering, closed_rig, play

P, F, B = Platform, FailureCode, Blame
WORDS = "So says the platform."


@dataclass(frozen=True, slots=True)
class Row:
    """An answer, and what becomes of it: the code, whose it is, and what a person reads."""

    platform: Platform
    status: int
    body: dict[str, Any]
    code: FailureCode
    blame: Blame
    says: str


def _graph(code: int | None, subcode: int | None = None, message: str = WORDS) -> dict[str, Any]:
    said = {"message": message, "code": code, "error_subcode": subcode}
    return {"error": {name: value for name, value in said.items() if value is not None}}


def _tiktok(reason: str) -> dict[str, Any]:
    return {"data": {"status": "FAILED", "fail_reason": reason}, "error": {"code": "ok"}}


def _youtube(reason: str) -> dict[str, Any]:
    return {"error": {"code": 403, "message": WORDS, "errors": [{"reason": reason}]}}


def _video(**status: str) -> dict[str, Any]:
    return {"items": [{"id": "v", "status": status}]}


def _google(
    code: int, message: str = WORDS, detail: dict[str, Any] | None = None
) -> dict[str, Any]:
    details = [] if detail is None else [detail]
    return {"error": {"code": code, "message": message, "details": details}}


def _of_field(code: int | str, field: str | None = None) -> dict[str, Any]:
    named = {"code": code, "message": WORDS} | ({} if field is None else {"field": field})
    return _google(400, detail={"errorDetails": [named]})


_EXPIRED = "older than a day"
_NO_QUOTA = {"reason": "RATE_LIMIT_EXCEEDED", "metadata": {"quota_limit_value": "0"}}
_LOW = {"errors": [{"message": "Resolution too low. It must be larger."}]}
ROWS = [
    # Calls that are counted for a person or an account are no limit of posts.
    *(
        Row(platform, 400, _graph(17), F.RATE_LIMITED, B.PERSON, "It is no limit of posts")
        for platform in (P.FACEBOOK, P.INSTAGRAM, P.THREADS)
    ),
    Row(P.FACEBOOK, 400, _graph(80001), F.RATE_LIMITED, B.ACCOUNT, "It is no limit of posts"),
    # A block passes: with "restricted" alone, nobody knew that waiting helps.
    Row(P.FACEBOOK, 400, _graph(368), F.ACCOUNT_RESTRICTED, B.ACCOUNT, "Retry after that"),
    Row(
        P.FACEBOOK,
        400,
        _graph(368, 1404112),
        F.ACCOUNT_RESTRICTED,
        B.ACCOUNT,
        "for some days",
    ),
    Row(P.FACEBOOK, 400, _graph(368, 1404006), F.ACCOUNT_RESTRICTED, B.ACCOUNT, "security check"),
    Row(P.FACEBOOK, 400, _graph(368, 1390008), F.RATE_LIMITED, B.ACCOUNT, "30 within 24 hours"),
    Row(P.FACEBOOK, 400, _graph(324, 1366046), F.MEDIA_TOO_LARGE, B.FILE, "as JPEG or PNG"),
    Row(P.FACEBOOK, 400, _graph(368, 1346003), F.CAPTION_REJECTED, B.TEXT, "breaks its rules"),
    Row(
        P.FACEBOOK,
        400,
        _graph(6001, 1363037),
        F.PROCESSING_FAILED,
        B.APPLICATION,
        "no fault of the file",
    ),
    Row(
        P.FACEBOOK,
        400,
        _graph(100, None, "(#100) Message too long"),
        F.CAPTION_REJECTED,
        B.TEXT,
        "refused the text",
    ),
    Row(
        P.FACEBOOK,
        200,
        {"status": {"video_status": "error", "processing_phase": _LOW}},
        F.MEDIA_REJECTED,
        B.FILE,
        "resolution",
    ),
    # A dead token without a code.
    *(
        Row(
            platform,
            400,
            _graph(None, None, f"{said}, says Meta."),
            F.AUTH_EXPIRED,
            B.PERSON,
            "Reconnect",
        )
        for platform in (P.FACEBOOK, P.INSTAGRAM, P.THREADS)
        for said in ("The session has been invalidated", "Error validating access token")
    ),
    Row(P.INSTAGRAM, 400, _graph(25), F.ACCOUNT_RESTRICTED, B.ACCOUNT, "Open the Instagram app"),
    Row(
        P.INSTAGRAM,
        400,
        _graph(9, 2207042),
        F.RATE_LIMITED,
        B.ACCOUNT,
        "come back one by one",
    ),
    Row(P.INSTAGRAM, 400, _graph(4, 2207051), F.ACCOUNT_RESTRICTED, B.ACCOUNT, "wait some hours"),
    *(
        Row(P.INSTAGRAM, 400, _graph(code, sub), F.PROCESSING_FAILED, B.PLATFORM, "no fault of")
        for code, sub in ((24, 2207008), (9007, 2207027))
    ),
    Row(
        P.INSTAGRAM,
        200,
        {"status": "Error: Media upload has failed with error code 2207082"},
        F.PROCESSING_FAILED,
        B.PLATFORM,
        "with a sound track",
    ),
    # A subcode that no page lists is no option of the post's.
    *(
        Row(P.INSTAGRAM, 400, _graph(code, 2207099), F.PROCESSING_FAILED, B.PLATFORM, "Retry the")
        for code in (100, 9, 77)
    ),
    Row(P.INSTAGRAM, 400, _graph(4, 2207099), F.RATE_LIMITED, B.APPLICATION, "no limit of the"),
    Row(
        P.INSTAGRAM,
        200,
        {"status_code": "EXPIRED", "status": "Expired."},
        F.PROCESSING_FAILED,
        B.APPLICATION,
        _EXPIRED,
    ),
    Row(
        P.INSTAGRAM,
        400,
        _graph(100, None, "INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID: 7"),
        F.INVALID_OPTIONS,
        B.TEXT,
        "location_id",
    ),
    Row(
        P.INSTAGRAM,
        400,
        _graph(100, None, "(#100) Param collaborators must be an array"),
        F.INVALID_OPTIONS,
        B.TEXT,
        "collaborators",
    ),
    Row(P.INSTAGRAM, 400, _graph(36003, 2207009), F.MEDIA_REJECTED, B.FILE, "4:5 to 1.91:1"),
    Row(P.INSTAGRAM, 400, _graph(1, 2207057), F.INVALID_OPTIONS, B.TEXT, "cover_offset_ms"),
    # A profile has no Page; calls too fast are the application's.
    Row(P.THREADS, 400, _graph(190, 492), F.AUTH_EXPIRED, B.PERSON, "Reconnect"),
    Row(P.THREADS, 429, _graph(None), F.RATE_LIMITED, B.APPLICATION, "no limit of the account"),
    Row(P.THREADS, 400, _graph(429), F.RATE_LIMITED, B.APPLICATION, "no limit of the account"),
    Row(
        P.THREADS,
        200,
        {"status": "EXPIRED", "id": "1"},
        F.PROCESSING_FAILED,
        B.APPLICATION,
        _EXPIRED,
    ),
    Row(
        P.THREADS,
        200,
        {"status": "ERROR", "error_message": "INVALID_DURATION"},
        F.MEDIA_REJECTED,
        B.FILE,
        "at most 5 minutes",
    ),
    Row(P.TIKTOK, 200, _tiktok("spam_risk"), F.ACCOUNT_RESTRICTED, B.ACCOUNT, "gives no reason"),
    Row(P.TIKTOK, 200, _tiktok("internal"), F.PROCESSING_FAILED, B.PLATFORM, "no fault of the"),
    Row(
        P.TIKTOK,
        200,
        _tiktok("publish_cancelled"),
        F.PROCESSING_FAILED,
        B.APPLICATION,
        "was cancelled",
    ),
    Row(
        P.TIKTOK,
        403,
        {"error": {"code": "spam_risk_too_many_posts", "message": WORDS}},
        F.RATE_LIMITED,
        B.ACCOUNT,
        "15 posts within 24 hours",
    ),
    Row(
        P.YOUTUBE,
        200,
        _video(uploadStatus="rejected", rejectionReason="somethingNew"),
        F.MEDIA_REJECTED,
        B.FILE,
        "YouTube Studio",
    ),
    Row(
        P.YOUTUBE,
        403,
        _youtube("channelClosed"),
        F.ACCOUNT_RESTRICTED,
        B.ACCOUNT,
        "Connect another channel",
    ),
    Row(
        P.YOUTUBE,
        403,
        _youtube("authenticatedUserNotChannel"),
        F.PERMISSION_MISSING,
        B.PERSON,
        "choose the channel",
    ),
    Row(
        P.YOUTUBE,
        400,
        _youtube("uploadLimitExceeded"),
        F.RATE_LIMITED,
        B.ACCOUNT,
        "about a day later",
    ),
    Row(P.YOUTUBE, 400, _youtube("invalidTitle"), F.CAPTION_REJECTED, B.TEXT, "100 characters"),
    # Before Google's approval the quota is nothing, told with 403 too.
    Row(
        P.GOOGLE_BUSINESS_PROFILE,
        403,
        _google(403, detail=_NO_QUOTA),
        F.PLATFORM_UNAVAILABLE,
        B.APPLICATION,
        "operator must request approval",
    ),
    Row(
        P.GOOGLE_BUSINESS_PROFILE,
        403,
        _google(403, "The location must be verified."),
        F.ACCOUNT_RESTRICTED,
        B.ACCOUNT,
        "verified",
    ),
    *(
        Row(
            P.GOOGLE_BUSINESS_PROFILE,
            400,
            _of_field(name),
            F.MEDIA_UNAVAILABLE,
            B.APPLICATION,
            "could not get the file",
        )
        for name in ("PHOTO_FETCH_FAILED", "PHOTO_UPLOAD_FAILED")
    ),
    *(
        Row(
            P.GOOGLE_BUSINESS_PROFILE,
            400,
            _of_field(2, name),
            F.MEDIA_REJECTED,
            B.FILE,
            "refused the file",
        )
        for name in ("size", "format")
    ),
    Row(
        P.GOOGLE_BUSINESS_PROFILE,
        400,
        _google(400, "A duplicate of this post exists."),
        F.DUPLICATE_CONTENT,
        B.TEXT,
        "has the same one already",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.platform} {row.says}" for row in ROWS])
def test_a_row_of_a_sheet_reads_as_the_sheet_has_it(row: Row) -> None:
    http = closed_rig(row.platform).http
    answer = PlatformResponse(status=row.status, headers={}, body=json.dumps(row.body).encode())

    def refuse() -> Outcome:
        raise http.read_error(answer)

    end = answer_of(refuse)

    assert isinstance(end, Failed)
    words = explain(end, row.platform)
    assert (end.code, blame_of(end)) == (row.code, row.blame), words
    assert row.says in words


@pytest.mark.parametrize("code", [-1, 1, 2])
def test_an_unlisted_subcode_beside_metas_own_trouble_stays_a_doubt(code: int) -> None:
    """What Meta calls passing was followed by posts: only a look tells."""
    body = json.dumps(_graph(code, 2207099)).encode()

    assert isinstance(play(P.INSTAGRAM, answering(400, body)), Unanswered)
