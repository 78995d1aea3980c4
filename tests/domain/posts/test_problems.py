"""What a check says of a target, by what it rests on: its account, its file, its options.

`tests/api/checks` has the way there and back; `test_checks_compared` holds it to what happens.
"""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.choices import NOTHING, BodyPolicy, Choice, Choices, Demands
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.problems import CheckedPost, Foreseen, Surroundings, problems_of
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.kit.json_value import Json
from tests.support.builders import WORKSPACE, a_post, a_target
from tests.support.frozen_clock import NOON

P = Platform
Found = list[tuple[str, str, str]]
Options = dict[str, Json]
TO = "targets[0]"
CAPTION = f"{TO}.caption"
BOARDS = Choices(offered={"board": (Choice("81", "Rye"),)}, complete=frozenset({"board"}))
FLAIR = Choices(demands=Demands(flair=True))
TITLE_ONLY = Choices(demands=Demands(body=BodyPolicy.FORBIDDEN))
PATTERN = Choices(demands=Demands(title_has_pattern=True))
BUSY = Choices(cannot_post="It has posted enough today.")
_CHOSEN = {"option_unknown", "invalid_options", "tiktok_unsupported", "option_ignored"}
CLOSED = Choices(closed={"allow_duet": "The account allows no duets."})


def a_file(**facts: object) -> Media:
    usual: dict[str, object] = {
        "id": "1" * 32,
        "workspace_id": WORKSPACE,
        "filename": "oven",
        "mime": MediaType.JPEG,
        "size_bytes": 500_000,
        "width": 1080,
        "height": 1080,
        "created_at": NOON,
        "is_clean": True,
    }
    return Media(**{**usual, **facts})  # type: ignore[arg-type]  # a builder of anything


HALF: Options = {"left": 0, "top": 0, "width": 50, "height": 100}
PHOTO = a_file()
TALL = a_file(width=300, height=400)
VIDEO = a_file(
    mime=MediaType.MP4,
    width=640,
    height=360,
    duration_s=12.0,
    video_codec="h264",
    audio_codec="aac",
    index_first=True,
)


def an_account(platform: Platform = P.X) -> Account:
    return Account(
        id="a" * 32,
        workspace_id=WORKSPACE,
        platform=platform,
        handle="@lighthouse",
        test=True,
        created_at=NOON,
    )


def a_draft(
    platform: Platform = P.X,
    *,
    options: Options | None = None,
    media: Media | None = None,
    caption: str = "Fresh bread",
    own_text: str | None = None,
    at: datetime | None = None,
) -> Post:
    target = a_target(platform=platform, caption_override=own_text, scheduled_at=at)
    file = None if media is None else Attachment.of(media)
    return a_post(
        caption=caption, attachment=file, targets=[replace(target, options=options or {})]
    )


def around(media: Media | None = None, **facts: object) -> Surroundings:
    usual: dict[str, object] = {"account": an_account(), "media": media}
    return Surroundings(**{**usual, **facts})  # type: ignore[arg-type]  # a builder of anything


def found(post: Post, given: Surroundings) -> Found:
    (target,) = post.targets
    problems = problems_of(post, target, given, now=NOON)
    return [(one.level, one.code, one.field or "") for one in problems]


def found_of(
    platform: Platform, options: Options, media: Media | None, choices: Choices = NOTHING
) -> Found:
    post = a_draft(platform, options=options, media=media)
    return found(post, around(media, account=an_account(platform), choices=choices))


@pytest.mark.parametrize(
    ("platform", "options", "media", "expected"),
    [
        (P.X, {}, None, []),
        (P.LINKEDIN, {}, PHOTO, []),
        (P.INSTAGRAM, {"alt_text": "a loaf", "post_type": "feed"}, PHOTO, []),
        (P.X, {"crop": {**HALF, "left": 50}}, PHOTO, []),
        (
            P.X,
            {"crop": {**HALF, "left": 50.01}},
            PHOTO,
            [("error", "option_unknown", f"{TO}.options.crop")],
        ),
        (
            P.X,
            {"crop": {**HALF, "left": 51}},
            VIDEO,
            [("warning", "option_ignored", f"{TO}.options.crop")],
        ),
        (P.INSTAGRAM, {}, None, [("error", "media_required", TO)]),
        (P.YOUTUBE, {}, PHOTO, [("error", "media_required", TO)]),
        (P.GOOGLE_BUSINESS_PROFILE, {}, VIDEO, [("error", "media_required", TO)]),
        (
            P.PINTEREST,
            {},
            None,
            [("error", "media_required", TO), ("error", "option_required", f"{TO}.options.board")],
        ),
        (P.REDDIT, {}, None, [("error", "option_required", f"{TO}.options.subreddit")]),
        (
            P.TIKTOK,
            {},
            None,
            [
                ("error", "media_required", TO),
                ("error", "tiktok_rules", f"{TO}.options.privacy_level"),
            ],
        ),
    ],
)
def test_what_the_platform_needs_is_an_error(
    platform: Platform, options: Options, media: Media | None, expected: Found
) -> None:
    assert found_of(platform, options, media) == expected


@pytest.mark.parametrize(
    ("platform", "options", "way"),
    [
        (P.GOOGLE_BUSINESS_PROFILE, {"topic_type": "EVENT"}, "event"),
        (
            P.GOOGLE_BUSINESS_PROFILE,
            {"topic_type": "OFFER", "offer": {"coupon": "RYE"}},
            "event",
        ),
        (
            P.GOOGLE_BUSINESS_PROFILE,
            {"call_to_action": {"type": "BOOK"}},
            "call_to_action.url",
        ),
        (P.REDDIT, {"subreddit": "goldenhour_test", "kind": "link"}, "link"),
    ],
)
def test_what_a_choice_needs_beside_it_is_named(
    platform: Platform, options: Options, way: str
) -> None:
    assert found_of(platform, options, None) == [
        ("error", "invalid_options", f"{TO}.options.{way}")
    ]


def test_an_offer_on_google_needs_an_event_and_nothing_else() -> None:
    event: Json = {"title": "Rye week", "start": "2030-05-01", "end": "2030-05-07"}

    assert found_of(P.GOOGLE_BUSINESS_PROFILE, {"topic_type": "OFFER", "event": event}, None) == []


@pytest.mark.parametrize(
    ("platform", "options", "media", "ignored"),
    [
        (
            P.INSTAGRAM,
            {"post_type": "story", "collaborators": ["pia"]},
            PHOTO,
            ["collaborators"],
        ),
        (P.INSTAGRAM, {"share_to_feed": True}, PHOTO, ["share_to_feed"]),
        (P.FACEBOOK, {"link": "https://bakery.example/"}, PHOTO, ["link"]),
        (P.LINKEDIN, {"link": "https://bakery.example/"}, PHOTO, ["link"]),
        (P.THREADS, {"ghost": True}, PHOTO, ["ghost"]),
        (P.FACEBOOK, {"is_ai_generated": True}, PHOTO, ["is_ai_generated"]),
        (P.FACEBOOK, {"alt_text": "a loaf"}, VIDEO, ["alt_text"]),
        (P.X, {"alt_text": "a loaf"}, VIDEO, ["alt_text"]),
        (P.X, {"alt_text": "a loaf"}, None, ["alt_text"]),
        (P.X, {"alt_text": "a loaf"}, PHOTO, []),
        (P.LINKEDIN, {"link": "https://bakery.example/"}, None, []),
    ],
)
def test_an_option_that_the_post_goes_out_without_is_a_warning(
    platform: Platform, options: Options, media: Media | None, ignored: list[str]
) -> None:
    expected = [("warning", "option_ignored", f"{TO}.options.{name}") for name in ignored]

    assert found_of(platform, options, media) == expected


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        ({}, True),
        ({"fit": "crop"}, True),
        ({"post_type": "story"}, False),
        ({"post_type": "story", "fit": "pad"}, False),
    ],
)
def test_a_photo_that_changes_its_shape_is_a_warning(*, options: Options, is_told: bool) -> None:
    expected = [("warning", "photo_reshaped", f"{TO}.options.fit")] if is_told else []

    assert found_of(P.INSTAGRAM, options, TALL) == expected


@pytest.mark.parametrize(
    ("post", "place"),
    [
        (a_draft(caption="x" * 281), CAPTION),
        (a_draft(own_text="x" * 281), f"{TO}.caption_override"),
    ],
    ids=["the post's", "its own"],
)
def test_a_long_text_is_an_error_where_the_text_stands(post: Post, place: str) -> None:
    assert found(post, around()) == [("error", "caption_too_long", place)]


@pytest.mark.parametrize(
    ("platform", "seconds", "options", "creator_s", "is_too_long"),
    [
        (P.X, 140, {}, None, False),
        (P.X, 141, {}, None, True),
        (P.X, 600, {"trim": "start"}, None, False),
        (P.X, 600, {"trim": "end"}, None, False),
        (P.LINKEDIN, 600, {}, None, False),
        (P.LINKEDIN, 601, {}, None, True),
        (P.TIKTOK, 61, {"privacy_level": "SELF_ONLY"}, 60, True),
        (P.TIKTOK, 60, {"privacy_level": "SELF_ONLY"}, 60, False),
    ],
)
def test_a_long_video_is_an_error_unless_it_is_cut(
    *, platform: Platform, seconds: int, options: Options, creator_s: int | None, is_too_long: bool
) -> None:
    film, choices = replace(VIDEO, duration_s=seconds), Choices(longest_video_s=creator_s)

    codes = [one for one in found_of(platform, options, film, choices) if one[0] == "error"]

    expected = [("error", "video_too_long", f"{TO}.options.trim")] if is_too_long else []
    assert codes == expected


def test_without_an_account_nothing_else_is_told() -> None:
    post = a_draft(P.TIKTOK, caption="x" * 9_000)

    assert found(post, around(account=None)) == [("error", "account_removed", f"{TO}.account_id")]


@pytest.mark.parametrize(
    "media", [None, replace(PHOTO, file_removed=True)], ids=["no record", "no bytes"]
)
def test_a_file_that_is_gone_is_an_error(media: Media | None) -> None:
    assert found(a_draft(media=PHOTO), around(media)) == [("error", "file_removed", "media_ids")]


@pytest.mark.parametrize(
    ("health", "ends_in", "due_in", "expected"),
    [
        (Health.OK, None, 1, []),
        (Health.BROKEN, None, 1, [("warning", "auth_expired", f"{TO}.account_id")]),
        (Health.OK, 2, 1, []),
        (Health.OK, 1, 1, [("error", "auth_expired", f"{TO}.account_id")]),
        (Health.OK, 1, 2, [("error", "auth_expired", f"{TO}.account_id")]),
        (Health.OK, 1, None, []),
        (Health.OK, -1, None, [("error", "auth_expired", f"{TO}.account_id")]),
        (Health.BROKEN, 1, 2, [("warning", "auth_expired", f"{TO}.account_id")]),
    ],
)
def test_a_sign_in_must_last_until_the_post(
    health: Health, ends_in: int | None, due_in: int | None, expected: Found
) -> None:
    """Hours from now; a post without a time goes out now."""
    ends = None if ends_in is None else NOON + timedelta(hours=ends_in)
    due = None if due_in is None else NOON + timedelta(hours=due_in)
    account = replace(an_account(), health=health)

    assert found(a_draft(at=due), around(account=account, sign_in_ends=ends)) == expected


@pytest.mark.parametrize(
    ("platform", "options", "choices", "media", "expected"),
    [
        (P.PINTEREST, {"board": "81"}, BOARDS, PHOTO, []),
        (
            P.PINTEREST,
            {"board": "82"},
            BOARDS,
            PHOTO,
            [("error", "option_unknown", f"{TO}.options.board")],
        ),
        (P.PINTEREST, {"board": "82"}, NOTHING, PHOTO, []),
        (
            P.REDDIT,
            {"subreddit": "bread"},
            FLAIR,
            None,
            [("error", "invalid_options", f"{TO}.options.flair_id")],
        ),
        (P.REDDIT, {"subreddit": "bread", "flair_id": "7"}, FLAIR, None, []),
        (
            P.REDDIT,
            {"subreddit": "bread", "title": "Menu"},
            TITLE_ONLY,
            None,
            [("error", "invalid_options", CAPTION)],
        ),
        (
            P.REDDIT,
            {"subreddit": "bread"},
            PATTERN,
            None,
            [("warning", "invalid_options", f"{TO}.options.title")],
        ),
        (
            P.TIKTOK,
            {"privacy_level": "SELF_ONLY"},
            BUSY,
            VIDEO,
            [("warning", "tiktok_unsupported", f"{TO}.account_id")],
        ),
        (
            P.TIKTOK,
            {"privacy_level": "SELF_ONLY", "allow_duet": True},
            CLOSED,
            VIDEO,
            [("warning", "option_ignored", f"{TO}.options.allow_duet")],
        ),
    ],
)
def test_what_the_account_does_not_offer_is_told(
    platform: Platform,
    options: Options,
    choices: Choices,
    media: Media | None,
    expected: Found,
) -> None:
    told = [one for one in found_of(platform, options, media, choices) if one[1] in _CHOSEN]

    assert told == expected


@pytest.mark.parametrize(
    ("code", "surely", "expected"),
    [
        (FailureCode.CAPTION_REJECTED, True, ("error", "caption_rejected", CAPTION)),
        (FailureCode.CAPTION_REJECTED, False, ("error", "caption_rejected", CAPTION)),
        (FailureCode.INVALID_OPTIONS, False, ("error", "invalid_options", f"{TO}.options")),
        (FailureCode.MEDIA_REJECTED, True, ("error", "media_rejected", "media_ids")),
        (FailureCode.MEDIA_REJECTED, False, ("warning", "media_rejected", "media_ids")),
    ],
)
def test_what_the_connector_would_refuse_is_told_as_surely_as_it_knows(
    *, code: FailureCode, surely: bool, expected: tuple[str, str, str]
) -> None:
    """Of a file that is converted first it cannot know; of a text and options it can."""
    seen = Foreseen(refusal=Failed(code=code, message="It would refuse."), surely=surely)

    assert found(a_draft(media=PHOTO), around(PHOTO, foreseen=seen)) == [expected]


def test_what_we_refuse_in_our_own_words_is_not_told_again_in_the_connectors() -> None:
    seen = Foreseen(refusal=Failed(code=FailureCode.CAPTION_REJECTED, message="Too long."))

    assert found(a_draft(caption="x" * 281), around(foreseen=seen)) == [
        ("error", "caption_too_long", CAPTION)
    ]


def test_what_could_not_be_asked_is_a_warning() -> None:
    given = around(unchecked="Its platform did not answer.")

    assert found(a_draft(), given) == [("warning", "unchecked", f"{TO}.options")]


@pytest.mark.parametrize(
    ("post", "given", "is_ready"),
    [
        (a_draft(), around(), True),
        (a_draft(), around(unchecked="Its platform did not answer."), True),
        (a_draft(caption="x" * 281), around(), False),
    ],
    ids=["nothing", "a warning", "an error"],
)
def test_a_post_is_ready_while_nothing_is_an_error(
    *, post: Post, given: Surroundings, is_ready: bool
) -> None:
    problems = tuple(problems_of(post, post.targets[0], given, now=NOON))

    assert CheckedPost(problems=problems).is_ready is is_ready
