"""Whose a refusal is and what to do about it, by the platforms' documented and reported answers.

Each was once told as another's fault, or with advice that helps nobody.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from chalicelib.connectors.bluesky import errors as bluesky
from chalicelib.connectors.facebook import errors as facebook
from chalicelib.connectors.instagram import errors as instagram
from chalicelib.connectors.linkedin import errors as linkedin
from chalicelib.connectors.pinterest import errors as pinterest
from chalicelib.connectors.reddit import errors as reddit
from chalicelib.connectors.shared.calls.failures import complete_entry
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.threads import errors as threads
from chalicelib.connectors.tiktok import errors as tiktok
from chalicelib.connectors.x import errors as x
from chalicelib.connectors.youtube import errors as youtube
from chalicelib.domain.blame import blame_of
from chalicelib.domain.outcome import TRANSIENT, Blame, Failed, FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.workers.publishing.error_mapping import answer_of, explain
from tests.connectors.shared.calls.echo import Echo
from tests.connectors.support.fake_platform import Answer, Value
from tests.connectors.support.playing import closed_rig

_MODULES = {
    Platform.BLUESKY: bluesky,
    Platform.FACEBOOK: facebook,
    Platform.INSTAGRAM: instagram,
    Platform.LINKEDIN: linkedin,
    Platform.PINTEREST: pinterest,
    Platform.REDDIT: reddit,
    Platform.THREADS: threads,
    Platform.TIKTOK: tiktok,
    Platform.X: x,
    Platform.YOUTUBE: youtube,
}


@pytest.fixture
def echo() -> Iterator[Echo]:
    platform = Echo()
    yield platform
    platform.close()


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, and what the person reads: whose it is, what stands in it and what must not."""

    platform: Platform
    answer: Answer
    code: FailureCode
    blame: Blame
    says: str
    never: str = "Reconnect"


def _x(detail: str, kind: str = "about:blank") -> Answer:
    return Answer(403, {"title": "Forbidden", "detail": detail, "type": kind, "status": 403})


def _rejected(reason: str) -> Answer:
    status = {"uploadStatus": "rejected", "rejectionReason": reason}
    return Answer(400, {"items": [{"id": "v", "status": status}]})


def _tiktok(code: str) -> Answer:
    return Answer(403, {"data": {}, "error": {"code": code, "message": "No.", "log_id": "L"}})


def _graph(code: int, subcode: int | None, message: str = "No.") -> Answer:
    error = {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "A"}
    return Answer(400, {"error": error | ({} if subcode is None else {"error_subcode": subcode})})


def _input_error(code: str, said: str) -> Answer:
    reason: Value = {"code": code, "description": said, "input": {}}
    return Answer(400, {"errorDetails": {"inputErrors": [reason]}, "status": 400})


def _reddit(code: str, sentence: str) -> Answer:
    return Answer(400, {"json": {"errors": [[code, sentence, "sr"]]}})


_CREDITS = "https://api.x.com/2/problems/credits"
_NOT_AUTHORIZED = "https://api.x.com/2/problems/not-authorized-for-resource"
_SUMMON = "You can only reply to or quote posts where you are mentioned or are the author."
TOLD = [
    # github.com/gitroomhq/postiz-app issues 1539 and 1300: five drafts in 24 hours.
    Told(
        Platform.TIKTOK,
        _tiktok("spam_risk_too_many_pending_share"),
        FailureCode.RATE_LIMITED,
        Blame.ACCOUNT,
        "Finish or delete them in the TikTok app",
    ),
    Told(
        Platform.TIKTOK,
        _tiktok("reached_active_user_cap"),
        FailureCode.RATE_LIMITED,
        Blame.APPLICATION,
        "no limit of the account",
    ),
    Told(
        Platform.TIKTOK,
        _tiktok("app_version_check_failed"),
        FailureCode.INVALID_OPTIONS,
        Blame.PERSON,
        "Update the TikTok app",
    ),
    # github.com/DayMoonDevelopment/post-for-me issue 334: a customer blamed for the vendor's limit.
    Told(
        Platform.X,
        Answer(402, {"title": "CreditsDepleted", "detail": "No credits.", "type": "about:blank"}),
        FailureCode.RATE_LIMITED,
        Blame.APPLICATION,
        "no limit of the account",
        never="this account to post less",
    ),
    # learn.microsoft.com/linkedin, "error handling": the printed form has no `code`.
    Told(
        Platform.LINKEDIN,
        Answer(
            401,
            {"message": "Empty oauth2_access_token", "serviceErrorCode": 401, "status": 401},
        ),
        FailureCode.AUTH_EXPIRED,
        Blame.APPLICATION,
        "This service sent LinkedIn no sign-in",
    ),
    # docs.x.com/changelog, 23 February 2026: replies only when summoned.
    Told(
        Platform.X,
        _x(_SUMMON, _NOT_AUTHORIZED),
        FailureCode.INVALID_OPTIONS,
        Blame.PLATFORM,
        _SUMMON,
    ),
    Told(
        Platform.X,
        _x("Quoting this post is not allowed because you have not been mentioned."),
        FailureCode.INVALID_OPTIONS,
        Blame.PLATFORM,
        "Take out reply_to_post_id or quote_post_id",
    ),
    Told(
        Platform.X,
        _x("You attempted to reply to a Tweet that is deleted or not visible to you."),
        FailureCode.INVALID_OPTIONS,
        Blame.TEXT,
        "was deleted",
    ),
    # The sentences of X's old numbers 64 and 326, which newer answers give without the number.
    *(
        Told(
            Platform.X,
            _x(sentence),
            FailureCode.ACCOUNT_RESTRICTED,
            Blame.ACCOUNT,
            "Sign in there to see why",
            never="the text",
        )
        for sentence in (
            "Your account is suspended and is not permitted to access this feature.",
            "Your account is suspended and is not permitted to perform this action.",
            "To protect our users from spam, this account is temporarily locked. Please log in.",
        )
    ),
    # npm's @atproto/lexicon 0.4 to 0.6 names what is wrong so; servers of one's own still run it.
    Told(
        Platform.BLUESKY,
        Answer(
            400,
            {
                "error": "InvalidRequest",
                "message": "Invalid app.bsky.feed.post record: Record/text must not be longer than"
                " 300 graphemes",
            },
        ),
        FailureCode.CAPTION_REJECTED,
        Blame.TEXT,
        "must not be longer than 300 graphemes",
    ),
    Told(
        Platform.X,
        _x("You are not permitted to perform this action."),
        FailureCode.CAPTION_REJECTED,
        Blame.TEXT,
        "did not name the cause",
        never="refused the text",
    ),
    Told(
        Platform.X,
        _x("Your Tweet text is too long."),
        FailureCode.CAPTION_REJECTED,
        Blame.TEXT,
        "Your Tweet text is too long.",
    ),
    Told(
        Platform.X,
        _x("This request looks like it might be automated."),
        FailureCode.ACCOUNT_RESTRICTED,
        Blame.ACCOUNT,
        "automated",
    ),
    Told(
        Platform.X,
        _x("Something new that nobody listed."),
        FailureCode.PERMISSION_MISSING,
        Blame.ACCOUNT,
        "X said: Something new that nobody listed.",
    ),
    # X's sheet: the reason stands in `detail`, and the type `credits` comes with 403 as well.
    Told(
        Platform.X,
        _x("Your enrolled account [1] has reached its billing cycle spend cap.", _CREDITS),
        FailureCode.RATE_LIMITED,
        Blame.APPLICATION,
        "only this service's operator can raise it",
        never="asks the account",
    ),
    Told(
        Platform.X,
        Answer(403, {"title": "CreditsDepleted", "type": _CREDITS, "status": 403}),
        FailureCode.RATE_LIMITED,
        Blame.APPLICATION,
        "X said: CreditsDepleted",
    ),
    # RFC 6585, 5: the server did not read the request. The title is all that it says.
    Told(
        Platform.X,
        Answer(431, {"title": "Request Header Fields Too Large", "status": 431}),
        FailureCode.UNKNOWN,
        Blame.APPLICATION,
        "X said: Request Header Fields Too Large",
    ),
    Told(
        Platform.X,
        Answer(400, {"errors": [{"parameters": {"quote_tweet_id": ["1"]}, "message": "Bad."}]}),
        FailureCode.INVALID_OPTIONS,
        Blame.TEXT,
        "X said: Bad.",
    ),
    # developers.pinterest.com/docs/api/v5, printed codes: 50 is a pin, 30 with 404 a person.
    Told(
        Platform.PINTEREST,
        Answer(404, {"code": 50, "message": "Pin not found."}),
        FailureCode.UNKNOWN,
        Blame.ACCOUNT,
        "no longer has the pin",
        never="board",
    ),
    Told(
        Platform.PINTEREST,
        Answer(404, {"code": 404, "message": "Pin not found."}),
        FailureCode.UNKNOWN,
        Blame.ACCOUNT,
        "no longer has the pin",
        never="board",
    ),
    Told(
        Platform.PINTEREST,
        Answer(404, {"code": 30, "message": "User not found."}),
        FailureCode.ACCOUNT_RESTRICTED,
        Blame.ACCOUNT,
        "does not find the account",
        never="board",
    ),
    # Sentences of 2026 about a blocked site, which come with several numbers.
    *(
        Told(
            Platform.PINTEREST,
            Answer(400, {"code": number, "message": sentence}),
            FailureCode.INVALID_OPTIONS,
            Blame.TEXT,
            "blocks the site that `link` leads to",
        )
        for number, sentence in (
            (2426, "Sorry, this site is not allowed on Pinterest."),
            (9, "Sorry! We blocked this link because it may lead to spam."),
            (1, "Sorry! This site doesn't allow you to save Pins."),
        )
    ),
    # The sheet of Pinterest's errors: another write on the same board.
    Told(
        Platform.PINTEREST,
        Answer(409, {"code": 409, "message": "Conflict"}),
        FailureCode.PLATFORM_UNAVAILABLE,
        Blame.PLATFORM,
        "another change of the same board",
        never="unavailable",
    ),
    # npm's @atproto/lexicon: what a record embeds besides a file is the text's.
    *(
        Told(
            Platform.BLUESKY,
            Answer(400, {"error": "InvalidRequest", "message": f"Invalid record: {where}"}),
            code,
            Blame.TEXT,
            says,
            never="refused the file",
        )
        for where, code, says in (
            (
                "Record/embed/external/uri must be a uri",
                FailureCode.CAPTION_REJECTED,
                "card of the link",
            ),
            (
                "Invalid uri at $.record.embed.external.uri",
                FailureCode.CAPTION_REJECTED,
                "card of the link",
            ),
            (
                "blob too big at $.record.embed.external.thumb",
                FailureCode.CAPTION_REJECTED,
                "card of the link",
            ),
            (
                "Record/embed/images/0/alt must be a string",
                FailureCode.INVALID_OPTIONS,
                "the alt text",
            ),
        )
    ),
    *(
        Told(
            Platform.BLUESKY,
            Answer(400, {"error": name, "message": message}),
            code,
            blame,
            says,
            never=never,
        )
        for name, message, code, blame, says, never in (
            (
                "InvalidRequest",
                "Invalid record: Record/embed/images/0/image must be an image",
                FailureCode.MEDIA_REJECTED,
                Blame.FILE,
                "refused the file",
                "the text",
            ),
            (
                "InvalidToken",
                "OAuth tokens are meant for PDS access only",
                FailureCode.UNKNOWN,
                Blame.APPLICATION,
                "no fault of the post",
                "Reconnect",
            ),
            (
                "InvalidToken",
                "Bad token: insufficient access",
                FailureCode.PERMISSION_MISSING,
                Blame.PERSON,
                "allow all that is asked",
                "has expired",
            ),
            (
                "InvalidRequest",
                "blob too big",
                FailureCode.MEDIA_TOO_LARGE,
                Blame.FILE,
                "Make it smaller",
                "the text",
            ),
            (
                "InvalidRequest",
                "Input/rkey must be a record key",
                FailureCode.UNKNOWN,
                Blame.APPLICATION,
                "no fault of the post",
                "the text",
            ),
        )
    ),
    # A proxy before a server of one's own.
    Told(
        Platform.BLUESKY,
        Answer(413, b"<html><h1>413 Request Entity Too Large</h1></html>"),
        FailureCode.MEDIA_TOO_LARGE,
        Blame.FILE,
        "Make it smaller",
    ),
    # learn.microsoft.com/linkedin, "Posts API" and "Videos API".
    *(
        Told(Platform.LINKEDIN, _input_error(code, said), ours, blame, says, never=never)
        for code, said, ours, blame, says, never in (
            (
                "VALUE_OUT_OF_RANGE",
                "fileSizeBytes must be at least 75000",
                FailureCode.MEDIA_TOO_LARGE,
                Blame.FILE,
                "75 KB to 500 MB",
                "options",
            ),
            (
                "FIELD_LENGTH_TOO_LONG",
                "content/media/altText is longer than 4086",
                FailureCode.INVALID_OPTIONS,
                Blame.TEXT,
                "alt text",
                "refused the text",
            ),
            (
                "FIELD_LENGTH_TOO_LONG",
                "commentary is longer than 3000",
                FailureCode.CAPTION_REJECTED,
                Blame.TEXT,
                "refused the text",
                "options",
            ),
        )
    ),
    Told(
        Platform.LINKEDIN,
        Answer(404, {"status": 404, "message": "Video urn:li:video:D4 not found"}),
        FailureCode.UNKNOWN,
        Blame.FILE,
        "uploads it again",
        never="reconnect",
    ),
    Told(
        Platform.LINKEDIN,
        Answer(409, {"status": 409, "code": "CONFLICT", "message": "Conflict on write"}),
        FailureCode.PLATFORM_UNAVAILABLE,
        Blame.PLATFORM,
        "asks to be sent the post again",
        never="unavailable",
    ),
    Told(
        Platform.LINKEDIN,
        Answer(403, {"status": 403, "code": "ACCESS_DENIED", "message": "Fields [/author]"}),
        FailureCode.PERMISSION_MISSING,
        Blame.PERSON,
        "give them a role that may post",
    ),
    # The sheet of Reddit's errors, of the archived source and of answers seen.
    *(
        Told(Platform.REDDIT, _reddit(code, sentence), ours, blame, says, never=never)
        for code, sentence, ours, blame, says, never in (
            (
                "ALREADY_SUB",
                "that link has already been submitted",
                FailureCode.DUPLICATE_CONTENT,
                Blame.TEXT,
                "Choose another link",
                "Change the text",
            ),
            (
                "ALREADY_SUB",
                "This community doesn't allow videos",
                FailureCode.INVALID_OPTIONS,
                Blame.TEXT,
                "does not accept posts of this kind",
                "already",
            ),
            (
                "OAUTH2_INVALID_CLIENT",
                "invalid client id",
                FailureCode.PLATFORM_UNAVAILABLE,
                Blame.APPLICATION,
                "operator",
                "Reconnect",
            ),
            (
                "DELETED_LINK",
                "the link you are commenting on has been deleted",
                FailureCode.UNKNOWN,
                Blame.ACCOUNT,
                "deleted or archived",
                "Reconnect",
            ),
        )
    ),
    Told(
        Platform.REDDIT,
        Answer(
            403,
            b"<!doctype html><html>You've been blocked by network security. To continue, log in to"
            b" your Reddit account or use your developer token</html>",
        ),
        FailureCode.PERMISSION_MISSING,
        Blame.APPLICATION,
        "its operator must look",
    ),
    # developers.google.com/youtube/v3/docs/videos, status.rejectionReason.
    *(
        Told(
            Platform.YOUTUBE,
            _rejected(reason),
            FailureCode.MEDIA_REJECTED,
            Blame.FILE,
            says,
            never="format and measures",
        )
        for reason, says in {
            "copyright": "over copyright",
            "inappropriate": "as inappropriate",
            "trademark": "over a trademark",
            "legal": "for a legal reason",
            "termsOfUse": "terms of use",
            "claim": "claim",
        }.items()
    ),
    Told(
        Platform.YOUTUBE,
        _rejected("length"),
        FailureCode.VIDEO_TOO_LONG,
        Blame.ACCOUNT,
        "youtube.com/verify",
    ),
    Told(
        Platform.YOUTUBE,
        Answer(403, {"error": {"code": 403, "errors": [{"reason": "quotaExceeded"}]}}),
        FailureCode.RATE_LIMITED,
        Blame.APPLICATION,
        "midnight Pacific",
        never="this account",
    ),
    # developers.facebook.com/docs/graph-api/guides/error-handling, the subcodes of 190.
    *(
        Told(
            platform,
            _graph(190, subcode),
            FailureCode.AUTH_EXPIRED,
            blame,
            says,
            never="has expired or was revoked",
        )
        for platform in (Platform.FACEBOOK, Platform.INSTAGRAM, Platform.THREADS)
        for subcode, blame, says in (
            (458, Blame.PERSON, "took this service's access away"),
            (459, Blame.ACCOUNT, "sign in at facebook.com"),
            (460, Blame.PERSON, "changed the password"),
            (464, Blame.ACCOUNT, "confirm it"),
            (490, Blame.ACCOUNT, "sign in at facebook.com"),
        )
    ),
    Told(
        Platform.THREADS,
        _graph(190, 463),
        FailureCode.AUTH_EXPIRED,
        Blame.PERSON,
        "has expired or was revoked",
        never="facebook.com",
    ),
    # github.com/gitroomhq/postiz-app issue 2045: no role on the Page.
    Told(
        Platform.FACEBOOK,
        _graph(190, 492),
        FailureCode.PERMISSION_MISSING,
        Blame.PERSON,
        "no role on the Page",
    ),
    Told(
        Platform.FACEBOOK,
        _graph(
            190,
            None,
            "The user must be an administrator, editor, or moderator of the page in order to"
            " impersonate it.",
        ),
        FailureCode.PERMISSION_MISSING,
        Blame.PERSON,
        "Facebook said: The user must be an administrator",
    ),
    *(
        Told(
            Platform.INSTAGRAM,
            _graph(code, None),
            FailureCode.RATE_LIMITED,
            blame,
            says,
            never="impossible",
        )
        for code, blame, says in (
            (4, Blame.APPLICATION, "no limit of the account"),
            (613, Blame.APPLICATION, "no limit of the account"),
            (17, Blame.PERSON, "no limit of posts"),
        )
    ),
    Told(
        Platform.FACEBOOK,
        _graph(100, 33),
        FailureCode.PERMISSION_MISSING,
        Blame.ACCOUNT,
        "Open the Page on Facebook",
        never="one of the post's options",
    ),
    # github.com/gitroomhq/postiz-app issue 2088: a collaborator whom Instagram does not know.
    Told(
        Platform.INSTAGRAM,
        _graph(110, 2207018),
        FailureCode.INVALID_OPTIONS,
        Blame.TEXT,
        "collaborators",
        never="Retry",
    ),
    # developers.pinterest.com/docs/getting-started/connect-app: Trial access.
    Told(
        Platform.PINTEREST,
        Answer(403, {"code": 29, "message": "Apps with Trial access may not create Pins."}),
        FailureCode.PERMISSION_MISSING,
        Blame.APPLICATION,
        "apply for Standard access",
        never="cannot pin to the board",
    ),
]


@pytest.mark.parametrize("told", TOLD, ids=lambda one: f"{one.platform} {one.says}")
def test_a_refusal_names_whose_it_is_and_what_helps(echo: Echo, told: Told) -> None:
    module = _MODULES[told.platform]
    http = PlatformHttp(told.platform, module.ERRORS, module.error_codes)
    echo.says = told.answer

    failed = answer_of(
        lambda: http.send(Call(method="POST", url=f"{echo.url}/post", body=JsonBody({})))
    )

    assert isinstance(failed, Failed)
    words = explain(failed, told.platform)
    assert (failed.code, blame_of(failed)) == (told.code, told.blame), words
    assert told.says in words
    assert told.never not in words


_STEPS = (
    "Allow|Ask|Change|Check|Choose|Confirm|Connect|Convert|Create|Fill|Finish|Give|Have|Keep|Leave|Let"
    "|Look|Make|Open|Post|Put|Read|Reconnect|Remove|Retry|See|Set|Shorten|Sign|Spread|Switch|Take"
    "|Try|Turn|Update|Upload|Use|Verify|Wait|Write|Correct|Delete"
)
_STEP = re.compile(
    rf"(?:^|[.;,:] )(?:{_STEPS})\b|\b(?:operator|reconnect|ask|retry|verify)\b", re.IGNORECASE
)


@pytest.mark.parametrize("platform", Platform)
def test_a_refusal_for_good_that_a_table_lists_says_what_to_do(platform: Platform) -> None:
    """But for those that the platform alone explains, whose words follow."""
    errors = closed_rig(platform).http.errors
    rows = {key: complete_entry(platform, row) for key, row in errors.items()}

    silent = {
        key: row.sentence
        for key, row in rows.items()
        if row.code not in TRANSIENT | {FailureCode.UNKNOWN}
        and row.sentence != f"{FACTS[platform].name} refused the post."
        and not _STEP.search(row.sentence)
    }

    assert silent == {}
