"""Refusals by the words in which platforms give them: our code, our sentence, and theirs after it.

Answers are spelled as the fact sheets, the platforms' pages and public reports have them.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import pytest

from chalicelib.connectors.bluesky import errors as bluesky
from chalicelib.connectors.facebook import errors as facebook
from chalicelib.connectors.google_business_profile import errors as google
from chalicelib.connectors.instagram import errors as instagram
from chalicelib.connectors.linkedin import errors as linkedin
from chalicelib.connectors.pinterest import errors as pinterest
from chalicelib.connectors.reddit import errors as reddit
from chalicelib.connectors.shared.auth.oauth import Client, OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.connectors.threads import errors as threads
from chalicelib.connectors.tiktok import errors as tiktok
from chalicelib.connectors.x import errors as x
from chalicelib.connectors.youtube import errors as youtube
from chalicelib.domain.outcome import Checkpoint, Failed, Unanswered
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.bodies import FormBody, JsonBody
from chalicelib.services.operator.sign_ins import SignIns
from chalicelib.workers.publishing.error_mapping import answer_of, explain
from tests.connectors.shared.calls.echo import Echo
from tests.connectors.support.fake_platform import Answer
from tests.support.frozen_clock import FrozenClock

_MODULES = {
    Platform.BLUESKY: bluesky,
    Platform.FACEBOOK: facebook,
    Platform.GOOGLE_BUSINESS_PROFILE: google,
    Platform.INSTAGRAM: instagram,
    Platform.LINKEDIN: linkedin,
    Platform.PINTEREST: pinterest,
    Platform.REDDIT: reddit,
    Platform.THREADS: threads,
    Platform.TIKTOK: tiktok,
    Platform.X: x,
    Platform.YOUTUBE: youtube,
}
CAPTION = "Rye & spelt today, warm from the oven at seven"
TOKEN = "EAAGm0PX4ZCpsBAKZCtoken1234567890abcdefghij"


SECRET = "app-secret-1234567890abcdefghijkl"


@dataclass(frozen=True, slots=True)
class Connection:
    """What can be signed in to, and no more."""

    oauth: OAuthClient

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return nobody."""
        del tokens, now
        return []


@pytest.fixture
def echo() -> Iterator[Echo]:
    platform = Echo()
    yield platform
    platform.close()


def _refused(echo: Echo, platform: Platform, answer: Answer) -> Failed:
    """Send a post that is refused with this answer, as a connector's step does."""
    module = _MODULES[platform]
    http = PlatformHttp(platform, module.ERRORS, module.error_codes)
    echo.says = answer
    call = Call(
        method="POST",
        url=f"{echo.url}/post",
        token=TOKEN,
        body=JsonBody({"text": CAPTION, "privacy": "SELF_ONLY"}),
    )
    failed = answer_of(lambda: http.send(replace(call, takes=frozenset({201}))))
    assert isinstance(failed, Failed)
    return failed


def _graph(code: int, message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, "type": "OAuthException", "code": code, **more}}


def _x(detail: str) -> dict[str, object]:
    return {"title": "Forbidden", "detail": detail, "type": "about:blank", "status": 403}


def _google(status: str, message: str, **more: object) -> dict[str, object]:
    return {"error": {"code": 400, "status": status, "message": message, **more}}


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer, and what must reach the person: our code, and these words of the platform's."""

    platform: Platform
    status: int
    body: object
    code: str
    words: str | None = None


_PLACE = "The location you tagged has been removed. Choose another place."
REFUSALS = [
    Refusal(
        Platform.FACEBOOK,
        400,
        _graph(100, "Invalid parameter", error_user_title="Place", error_user_msg=_PLACE),
        "invalid_options",
        f"Place. {_PLACE}",
    ),
    Refusal(
        Platform.FACEBOOK,
        400,
        _graph(100, "(#100) Param place must be a valid place ID"),
        "invalid_options",
        "Param place must be a valid place ID",
    ),
    Refusal(
        Platform.FACEBOOK,
        403,
        _graph(200, "(#200) The user hasn't authorized the application to perform this action"),
        "permission_missing",
        "hasn't authorized the application",
    ),
    Refusal(
        Platform.FACEBOOK,
        403,
        _graph(10, "(#10) Application does not have permission for this action"),
        "permission_missing",
        "does not have permission",
    ),
    Refusal(
        Platform.INSTAGRAM,
        400,
        _graph(
            36003,
            "The submitted image with aspect ratio ('1.92:1',) cannot be published.",
            error_subcode=2207009,
            error_user_title="Aspect Ratio",
            error_user_msg="The aspect ratio is not supported. Use 4:5 to 1.91:1.",
        ),
        "media_rejected",
        "Aspect Ratio. The aspect ratio is not supported.",
    ),
    Refusal(
        Platform.INSTAGRAM,
        400,
        _graph(
            24, "The requested resource does not exist", error_user_msg="The media is not there."
        ),
        "unknown",
        "The media is not there.",
    ),
    Refusal(
        Platform.THREADS,
        400,
        _graph(100, "Invalid parameter", error_user_msg="Only 5 links are allowed in a post."),
        "invalid_options",
        "Only 5 links",
    ),
    Refusal(
        Platform.X, 403, _x("Posts are limited to a maximum of one cashtag"), "caption_rejected"
    ),
    Refusal(
        Platform.X,
        403,
        _x("Posts are limited to a maximum of one cashtag ($SYMBOL)"),
        "caption_rejected",
    ),
    Refusal(
        Platform.X,
        403,
        _x("You are not allowed to create a Tweet with duplicate content."),
        "duplicate_content",
    ),
    Refusal(
        Platform.X,
        403,
        _x("You are not allowed to create a post with duplicate content."),
        "duplicate_content",
    ),
    Refusal(
        Platform.X,
        403,
        _x("This user is not allowed to post a video longer than 2 minutes"),
        "video_too_long",
    ),
    Refusal(
        Platform.X,
        403,
        _x("Your account is not permitted to access this feature."),
        "account_restricted",
        "not permitted to access this feature",
    ),
    Refusal(
        Platform.X,
        400,
        {"errors": [{"message": "Your media IDs are invalid."}], "title": "Invalid Request"},
        "media_rejected",
        "Your media IDs are invalid.",
    ),
    Refusal(Platform.X, 400, _x("The Tweet contains an invalid URL."), "caption_rejected"),
    Refusal(
        Platform.X,
        403,
        _x("You are not permitted to perform this action."),
        "caption_rejected",
    ),
    Refusal(
        Platform.X,
        403,
        _x("Your client app is not allowed to do that."),
        "permission_missing",
        "Your client app is not allowed to do that.",
    ),
    Refusal(
        Platform.X,
        400,
        _x("One or more parameters to your request was invalid."),
        "unknown",
        "One or more parameters",
    ),
    Refusal(
        Platform.LINKEDIN,
        403,
        {"status": 403, "serviceErrorCode": 100, "message": "Not enough permissions: posts.CREATE"},
        "permission_missing",
        "Not enough permissions: posts.CREATE",
    ),
    Refusal(
        Platform.LINKEDIN,
        422,
        {
            "message": "com.linkedin.Exception",
            "errorDetails": {
                "inputErrors": [{"code": "INVALID_VALUE_FOR_FIELD", "description": "Not a URL"}]
            },
            "status": 422,
        },
        "invalid_options",
        "Not a URL",
    ),
    Refusal(
        Platform.LINKEDIN,
        400,
        {"status": 400, "code": "BAD_REQUEST", "message": "author is not an organization"},
        "unknown",
        "author is not an organization",
    ),
    Refusal(
        Platform.LINKEDIN,
        422,
        {"status": 422, "message": "ERROR :: /commentary :: too long"},
        "caption_rejected",
        "/commentary :: too long",
    ),
    Refusal(
        Platform.YOUTUBE,
        400,
        _google(
            "INVALID_ARGUMENT",
            "The request metadata specifies an invalid video category.",
            errors=[{"reason": "invalidCategoryId"}],
        ),
        "invalid_options",
        "an invalid video category",
    ),
    Refusal(
        Platform.YOUTUBE,
        403,
        _google(
            "PERMISSION_DENIED",
            "The request is not properly authorized.",
            errors=[{"reason": "forbidden"}],
        ),
        "permission_missing",
        "not properly authorized",
    ),
    Refusal(
        Platform.GOOGLE_BUSINESS_PROFILE,
        400,
        _google("INVALID_ARGUMENT", "Request contains an invalid argument."),
        "unknown",
        "an invalid argument",
    ),
    # ValidationError of the v4 reference (Shared.Types), as public code has recorded it.
    Refusal(
        Platform.GOOGLE_BUSINESS_PROFILE,
        400,
        _google(
            "INVALID_ARGUMENT",
            "Request contains an invalid argument.",
            details=[
                {
                    "@type": "type.googleapis.com/google.mybusiness.v4.ValidationError",
                    "errorDetails": [
                        {"code": 3, "field": "summary", "message": "Phone numbers are not allowed."}
                    ],
                }
            ],
        ),
        "caption_rejected",
        "Google Business Profile said: Phone numbers are not allowed.",
    ),
    Refusal(
        Platform.GOOGLE_BUSINESS_PROFILE,
        403,
        _google("PERMISSION_DENIED", "The caller does not have permission"),
        "permission_missing",
        "The caller does not have permission",
    ),
    Refusal(
        Platform.PINTEREST,
        400,
        {"code": 1, "message": "Parameters board_id is invalid."},
        "invalid_options",
        "board_id is invalid",
    ),
    Refusal(
        Platform.PINTEREST,
        403,
        {"code": 29, "message": "You are not permitted to access that resource."},
        "permission_missing",
        "not permitted to access that resource",
    ),
    Refusal(
        Platform.TIKTOK,
        400,
        {"error": {"code": "invalid_params", "message": "title is invalid", "log_id": "2026A"}},
        "invalid_options",
        "title is invalid",
    ),
    Refusal(
        Platform.TIKTOK,
        403,
        {
            "error": {
                "code": "unaudited_client_can_only_post_to_private_accounts",
                "message": "Please review our integration guidelines",
                "log_id": "2026B",
            }
        },
        "permission_missing",
        "Please review our integration guidelines",
    ),
    Refusal(
        Platform.TIKTOK,
        401,
        {"error": {"code": "scope_not_authorized", "message": "video.publish is not there"}},
        "permission_missing",
        "video.publish is not there",
    ),
    Refusal(
        Platform.BLUESKY,
        400,
        {"error": "InvalidRequest", "message": "Invalid app.bsky.feed.post record: no text"},
        "unknown",
        "no text",
    ),
    Refusal(
        Platform.BLUESKY,
        400,
        {"error": "BlobTooLarge", "message": "This file is too large"},
        "media_too_large",
        "This file is too large",
    ),
    Refusal(
        Platform.REDDIT,
        200,
        {"json": {"errors": [["SUBREDDIT_NOTALLOWED", "You aren't allowed to post there.", "sr"]]}},
        "permission_missing",
        "You aren't allowed to post there.",
    ),
    Refusal(
        Platform.REDDIT,
        200,
        {"json": {"errors": [["SUBMIT_VALIDATION_FLAIR_REQUIRED", "Your post must have flair."]]}},
        "invalid_options",
        "Your post must have flair.",
    ),
    Refusal(
        Platform.REDDIT,
        200,
        {"json": {"errors": [["BAD_CAPTCHA", "That was a tricky one.", "captcha"]]}},
        "unknown",
        "That was a tricky one.",
    ),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda one: f"{one.platform}-{one.words}")
def test_a_refusal_is_told_in_our_words_and_theirs(echo: Echo, refusal: Refusal) -> None:
    failed = _refused(echo, refusal.platform, Answer(refusal.status, refusal.body))

    told = explain(failed, refusal.platform)

    assert failed.code == refusal.code, told
    assert told.startswith(failed.message)
    assert "did not say why" not in told
    said = None if failed.answer is None else failed.answer.sentence
    if said is None:
        assert refusal.words is None
        assert told == failed.message
    else:
        assert told.endswith(f" said: {said}")
        assert refusal.words is None or refusal.words in told


def test_an_unlisted_refusal_is_told_with_its_words_and_no_advice_to_repeat_it(echo: Echo) -> None:
    why = "The request contains an invalid metadata property."

    plain_no = _refused(
        echo, Platform.TIKTOK, Answer(418, {"error": {"code": "x", "message": why}})
    )
    silent = _refused(echo, Platform.TIKTOK, Answer(418, {"error": {"code": "x"}}))

    told = explain(plain_no, Platform.TIKTOK)
    assert told.endswith(f"TikTok said: {why}")
    assert "Retry" not in told
    assert explain(silent, Platform.TIKTOK).endswith("why. TikTok's code for it is x.")


def test_who_gives_no_reason_is_said_to_give_none(echo: Echo) -> None:
    failed = _refused(echo, Platform.X, Answer(400, {"type": "about:blank"}))

    assert explain(failed, Platform.X) == "X refused the post and did not say why."


def test_what_support_asks_for_is_kept(echo: Echo) -> None:
    error = {"message": "No.", "code": 100, "error_subcode": 33, "fbtrace_id": "AbC1"}

    meta = _refused(echo, Platform.FACEBOOK, Answer(400, {"error": error})).answer
    linkedin_ = _refused(echo, Platform.LINKEDIN, Answer(403, {}, {"x-li-uuid": "AAYq"})).answer
    tiktok_ = _refused(
        echo, Platform.TIKTOK, Answer(400, {"error": {"code": "no", "log_id": "2026"}})
    ).answer

    assert meta is not None
    assert (meta.status, meta.code, meta.subcode, meta.trace_id) == (400, "100", "33", "AbC1")
    assert linkedin_ is not None
    assert (linkedin_.status, linkedin_.trace_id) == (403, "AAYq")
    assert tiktok_ is not None
    assert (tiktok_.code, tiktok_.trace_id) == ("no", "2026")


def test_a_code_has_no_sign_that_a_row_cannot_keep(echo: Echo) -> None:
    """JSONTestSuite's i_string_lone_second_surrogate and y_string_null_escape."""
    body = b'{"error": {"message": "No.", "code": "a\\uDFAA\\u0000b"}}'

    answer = _refused(echo, Platform.FACEBOOK, Answer(400, body)).answer

    assert answer is not None
    assert answer.code == "a\ufffd\ufffd\ufffd b"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f'The text "{CAPTION}" is too long', 'The text "…" is too long'),
        (f"Near 'today, {CAPTION[13:]}' we stumbled", "Near 'today, …' we stumbled"),
        (f"Bad token {TOKEN}", "Bad token …"),
        ("See https://a.example/x?sig=abc#f now", "See https://a.example/x?… now"),
        ("Key 0123456789abcdef0123456789abcdef is bad", "Key … is bad"),
        *(
            (f"No access: {name}", f"No access: {name}")
            for name in (
                "partnerApiPostsExternal.CREATE.20250101",
                "partnerApiPostsExternal.FINDER-author.202511",
                "partnerApiSocialActions.CREATE_COMMENT.20260301",
                "partnerApiPostsExternal.CREATE.20250101.",
            )
        ),
        *(
            (f"No access: {secret}", "No access: …")
            for secret in (
                "partnerApiPostsExternal.CREATE.99991234",
                "partnerApiPostsExternal.aB3xQ9zK.20250101",
                "partnerApiPostsExternalCREATE20250101",
                "aBcDeFgHiJkLmNoPqRsTuVwX.CREATE.20250101",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N",
                "abcdefghijklmnopqrstuvwxyz.abcdefghij.20250101",
            )
        ),
        ("privacy SELF_ONLY is bad", "privacy SELF_ONLY is bad"),
        ("two\n\nlines\x00", "two lines"),
        ("<p>Not <b>allowed</b> &amp; final</p><script>", "Not allowed & final"),
        ("more than 3 < 4 tags", "more than 3 < 4 tags"),
        ("Fetch https://me:pw1@a.example/x failed", "Fetch https://…@a.example/x failed"),
        ("access_token=abc123def is over", "access_token=… is over"),
        ("client_secret=GOCSPX-abc123XYZ", "client_secret=…"),
        ("pinr.1a2b3c4d5e6f is spent", "… is spent"),
        ("the code 1//0gAbCdEfGhIjKl-xyz", "the code …"),
        ("Authorization: Bearer abc123def", "Authorization: Bearer …"),
        ("the access token has expired in 2026", "the access token has expired in 2026"),
        (
            "Der Beitrag ist zu lang: höchstens 280 Zeichen",
            "Der Beitrag ist zu lang: höchstens 280 Zeichen",
        ),
        ("投稿が長すぎます。", "投稿が長すぎます。"),
        ("<p>Refused</p>" + "<div class='a b'>" * 6_000, "Refused"),
        ("<b>" * 396 + "See https://a.example/very/long?sig=abc", "See"),
    ],
    ids=[
        *("caption", "a part of it", "token", "address", "a key of theirs"),
        *(f"a resource {place}" for place in range(4)),
        *(f"nearly a resource {place}" for place in range(6)),
        *("a choice", "signs"),
        *("markup", "a sign of less", "a password", "a short token"),
        *("an application's secret", "another's token", "a code", "a header", "a mere word"),
        *("German", "Japanese", "100 KB of HTML", "an address at the end of what is read"),
    ],
)
def test_nothing_that_was_sent_comes_back_in_the_words(echo: Echo, said: str, told: str) -> None:
    failed = _refused(echo, Platform.X, Answer(400, _x(said)))

    assert failed.answer is not None
    assert failed.answer.sentence == told


def test_long_words_are_cut(echo: Echo) -> None:
    failed = _refused(echo, Platform.X, Answer(400, _x("no more " * 100)))

    assert failed.answer is not None
    assert failed.answer.sentence is not None
    assert len(failed.answer.sentence) <= 300
    assert failed.answer.sentence.endswith("…")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            Answer(400, {"error": "invalid_grant", "error_description": "The code has expired."}),
            "The code has expired.",
        ),
        (
            Answer(400, {"error": "invalid_client", "error_description": f"No {SECRET} here."}),
            "No … here.",
        ),
        (Answer(503, {"message": "Come back at noon."}), "Come back at noon."),
    ],
)
def test_a_sign_in_that_is_refused_is_told_in_the_platforms_words(
    echo: Echo, answer: Answer, told: str
) -> None:
    habits = OAuthConfiguration(
        platform=Platform.X,
        authorize_url=f"{echo.url}/authorize",
        token_url=f"{echo.url}/token",
        scopes=("read",),
        dead=frozenset({"invalid_grant"}),
    )
    connector = Connection(OAuthClient(habits))
    sign_ins = SignIns(Connectors(sandbox={}, real={Platform.X: connector}), FrozenClock())  # type: ignore[dict-item]  # signs in, publishes nothing
    pending = sign_ins.begin(Platform.X, Client("app", SECRET), "http://127.0.0.1/cb", None)
    echo.says = answer

    with pytest.raises(OperatorError) as refused:
        sign_ins.finish(Platform.X, pending, f"http://127.0.0.1/cb?code=c&state={pending.state}")

    assert str(refused.value).endswith(f" X said: {told}")


def test_an_answer_that_proves_nothing_is_logged(
    echo: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    http = PlatformHttp(Platform.X, x.ERRORS, x.error_codes)
    echo.says = Answer(503, {"detail": "Over capacity"}, {"x-transaction-id": "ab12"})
    call = Call(method="POST", url=f"{echo.url}/post", body=FormBody({"text": CAPTION}))

    with caplog.at_level(logging.INFO):
        outcome = answer_of(lambda: http.send(call), doubt=Checkpoint("publish"))

    (line,) = [one for one in caplog.records if "proved nothing" in one.getMessage()]
    assert isinstance(outcome, Unanswered)
    facts = vars(line)
    assert (facts["platform_status"], facts["platform_trace_id"]) == (503, "ab12")
    assert facts["platform_sentence"] == "Over capacity"
