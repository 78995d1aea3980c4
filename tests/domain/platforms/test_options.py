"""Options: what each platform's keys may hold, and how a wrong value is named."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from chalicelib.api.http.fields import options_schemas
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.options import option_problems
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json

INSTAGRAM, TIKTOK, YOUTUBE = Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE
LINKEDIN, X, FACEBOOK, THREADS = Platform.LINKEDIN, Platform.X, Platform.FACEBOOK, Platform.THREADS
PINTEREST, BLUESKY, REDDIT = Platform.PINTEREST, Platform.BLUESKY, Platform.REDDIT
GOOGLE = Platform.GOOGLE_BUSINESS_PROFILE

WHOLE: dict[str, Json] = {"left": 0, "top": 0, "width": 100, "height": 100}

RIGHT: list[tuple[Platform, dict[str, Json]]] = [
    (INSTAGRAM, {"post_type": "reel", "share_to_feed": False, "cover_offset_ms": 1_500}),
    (INSTAGRAM, {"collaborators": ["a", "b", "c"], "user_tags": [{"username": "a", "x": 0.5}]}),
    (X, {"crop": {"left": 33.34, "top": 0, "width": 66.66, "height": 100}}),
    (TIKTOK, {"privacy_level": "SELF_ONLY", "allow_comment": True, "allow_duet": False}),
    (TIKTOK, {"disclose_commercial": True, "your_brand": True, "branded_content": False}),
    (YOUTUBE, {"title": "Harbour at dawn", "privacy": "unlisted", "category": "22"}),
    (YOUTUBE, {"tags": ["sea", "early morning"], "made_for_kids": False, "license": "youtube"}),
    (LINKEDIN, {"visibility": "CONNECTIONS", "alt": ["a boat", "a quay"]}),
    (X, {"reply_settings": "mentionedUsers", "alt": "a boat", "community_id": "15"}),
    (FACEBOOK, {"post_type": "story", "targeting_countries": ["DE", "FR"]}),
    (THREADS, {"reply_control": "followers_only", "topic_tag": "rye bread", "spoiler": True}),
    (PINTEREST, {"board": "549755885175", "cover_second": 3, "dominant_color": "#6E7874"}),
    (BLUESKY, {"langs": ["en", "pt-BR"], "labels": ["graphic-media"], "tags": ["rye"]}),
    (REDDIT, {"subreddit": "r/Breadit", "kind": "link", "link": "https://lumen.example/rye"}),
    (REDDIT, {"subreddit": "u_lumen-bakes", "nsfw": False}),
    (GOOGLE, {"call_to_action": {"type": "CALL"}, "language": "en"}),
    (
        GOOGLE,
        {
            "topic_type": "EVENT",
            "event": {"title": "Rye day", "start": "2030-05-01T09:00", "end": "2030-05-01T17:00"},
        },
    ),
]

WRONG: list[tuple[Platform, dict[str, Json], tuple[str | int, ...], str]] = [
    (INSTAGRAM, {"post_type": "photo"}, ("post_type",), "literal_error"),
    (INSTAGRAM, {"cover_offset_ms": 1.5}, ("cover_offset_ms",), "int_type"),
    (INSTAGRAM, {"cover_offset_ms": -1}, ("cover_offset_ms",), "value_error"),
    (INSTAGRAM, {"cover_offset_ms": True}, ("cover_offset_ms",), "int_type"),
    (INSTAGRAM, {"collaborators": ["a", "b", "c", "d"]}, ("collaborators",), "too_long"),
    (INSTAGRAM, {"collaborators": "a"}, ("collaborators",), "list_type"),
    (INSTAGRAM, {"user_tags": [{"x": 0.5}]}, ("user_tags", 0, "username"), "missing"),
    (
        INSTAGRAM,
        {"user_tags": [{"username": "a", "x": 2}]},
        ("user_tags", 0, "x"),
        "value_error",
    ),
    (X, {"crop": "middle"}, ("crop",), "dict_type"),
    (X, {"crop": {"left": 0, "top": 0, "width": 50}}, ("crop", "height"), "missing"),
    (X, {"crop": {**WHOLE, "left": -1}}, ("crop", "left"), "value_error"),
    (X, {"crop": {**WHOLE, "top": "0"}}, ("crop", "top"), "float_type"),
    (X, {"crop": {**WHOLE, "width": 0.99}}, ("crop", "width"), "value_error"),
    (X, {"crop": {**WHOLE, "height": math.nan}}, ("crop", "height"), "finite_number"),
    (X, {"crop": {**WHOLE, "right": 5}}, ("crop", "right"), "extra_forbidden"),
    (YOUTUBE, {"crop": WHOLE}, ("crop",), "extra_forbidden"),
    (INSTAGRAM, {"user_tags": ["a"]}, ("user_tags", 0), "dict_type"),
    (TIKTOK, {"privacy_level": 1}, ("privacy_level",), "string_type"),
    (TIKTOK, {"privacy_level": None}, ("privacy_level",), "string_type"),
    (TIKTOK, {"allow_comment": "yes"}, ("allow_comment",), "bool_type"),
    (TIKTOK, {"allow_duet": 1}, ("allow_duet",), "bool_type"),
    (TIKTOK, {"branded_content": None}, ("branded_content",), "bool_type"),
    (YOUTUBE, {"title": 7}, ("title",), "string_type"),
    (YOUTUBE, {"title": "t" * 101}, ("title",), "string_too_long"),
    (YOUTUBE, {"title": "a < b"}, ("title",), "string_pattern_mismatch"),
    (YOUTUBE, {"tags": ["a", 1]}, ("tags", 1), "string_type"),
    (LINKEDIN, {"visibility": "public"}, ("visibility",), "literal_error"),
    (LINKEDIN, {"alt": ["a", None]}, ("alt", 1), "string_type"),
    (X, {"alt": "a" * 1_001}, ("alt",), "string_too_long"),
    (X, {"community_id": "rye"}, ("community_id",), "string_pattern_mismatch"),
    (
        FACEBOOK,
        {"targeting_countries": ["de"]},
        ("targeting_countries", 0),
        "string_pattern_mismatch",
    ),
    (THREADS, {"topic_tag": "a.b"}, ("topic_tag",), "string_pattern_mismatch"),
    (PINTEREST, {"dominant_color": "red"}, ("dominant_color",), "string_pattern_mismatch"),
    (BLUESKY, {"langs": ["en", "de", "fr", "it"]}, ("langs",), "too_long"),
    (REDDIT, {"subreddit": "no spaces"}, ("subreddit",), "string_pattern_mismatch"),
    (GOOGLE, {"call_to_action": {}}, ("call_to_action", "type"), "missing"),
    (GOOGLE, {"event": "tomorrow"}, ("event",), "dict_type"),
]


@pytest.mark.parametrize(("platform", "options"), RIGHT, ids=str)
def test_options_of_the_right_shape_pass(platform: Platform, options: dict[str, Json]) -> None:
    assert option_problems(platform, options) == []


@pytest.mark.parametrize(("platform", "options", "loc", "kind"), WRONG, ids=str)
def test_an_option_of_the_wrong_shape_is_named(
    platform: Platform, options: dict[str, Json], loc: tuple[str | int, ...], kind: str
) -> None:
    problems = option_problems(platform, options)

    assert [(loc, kind)] == [(problem.loc, problem.type) for problem in problems]


def test_everything_that_is_wrong_is_named_at_once() -> None:
    options: dict[str, Json] = {"title": 7, "privacy": "secret", "embeddable": True, "trim": "mid"}

    problems = option_problems(YOUTUBE, options)

    assert {("title",), ("privacy",), ("trim",)} == {problem.loc for problem in problems}


@pytest.mark.parametrize("platform", list(Platform))
def test_every_platform_can_say_which_part_of_a_long_video_is_kept(platform: Platform) -> None:
    assert option_problems(platform, {"trim": "start"}) == []
    assert option_problems(platform, {"trim": "end"}) == []
    assert [problem.type for problem in option_problems(platform, {"trim": True})] == [
        "literal_error"
    ]


@pytest.mark.parametrize("platform", list(Platform))
def test_no_known_option_may_be_null(platform: Platform) -> None:
    """So a connector that finds a key finds a value of its kind."""
    for key in (option.name for option in FACTS[platform].options):
        assert option_problems(platform, {key: None}), key


def test_another_platforms_option_is_unknown() -> None:
    problems = option_problems(X, {"privacy_level": "SELF_ONLY", "reply_settings": "everyone"})

    assert [(("privacy_level",), "extra_forbidden")] == [(one.loc, one.type) for one in problems]


MISTYPED = [
    (X, "reply_setings", "reply_settings"),
    (X, "replySettings", "reply_settings"),
    (PINTEREST, "board_id", "board"),
    (REDDIT, "community", "subreddit"),
    (REDDIT, "FLAIR", "flair_id"),
    (TIKTOK, "privacy", "privacy_level"),
    (YOUTUBE, "playlist_id", "playlist"),
    (BLUESKY, "altText", "alt_text"),
    (INSTAGRAM, "Trim", "trim"),
]


@pytest.mark.parametrize(("platform", "sent", "meant"), MISTYPED, ids=str)
def test_an_unknown_option_is_told_which_one_was_meant(
    platform: Platform, sent: str, meant: str
) -> None:
    (problem,) = option_problems(platform, {sent: "x"})

    assert ("extra_forbidden", f"Unknown field; did you mean `{meant}`?") == (
        problem.type,
        problem.msg,
    )


def test_an_unknown_field_inside_an_option_is_refused_too() -> None:
    (problem,) = option_problems(INSTAGRAM, {"user_tags": [{"username": "a", "name": "b"}]})

    assert (("user_tags", 0, "name"), "extra_forbidden") == (problem.loc, problem.type)


@pytest.mark.parametrize("character", ["\0", "\x07", "\x1b", "\r", "\x7f", "\x85"], ids=repr)
def test_control_characters_are_refused(character: str) -> None:
    (problem,) = option_problems(LINKEDIN, {"title": f"a{character}b"})

    assert (("title",), "control_character") == (problem.loc, problem.type)


def test_newlines_and_tabs_are_no_control_characters() -> None:
    assert option_problems(LINKEDIN, {"title": "a\n\tb\r\nc"}) == []


@pytest.mark.parametrize(
    "value",
    [math.inf, -math.inf, math.nan, 1e38, -1e38, 10**38, 10**400],
    ids=["inf", "-inf", "nan", "1e38", "-1e38", "39 digits", "401 digits"],
)
def test_numbers_that_no_table_can_hold_are_refused_under_any_key(value: float) -> None:
    problems = option_problems(X, {"mood": [0, {"size": value}]})

    assert [(("mood", 1, "size"), "finite_number")] == [(one.loc, one.type) for one in problems]


def test_ten_levels_are_read_and_eleven_refused() -> None:
    def nested(levels: int) -> dict[str, Json]:
        return {"a": nested(levels - 1)} if levels > 1 else {}

    assert "value_error" not in [problem.type for problem in option_problems(X, nested(10))]
    assert [problem.type for problem in option_problems(X, nested(11))] == ["value_error"]


@pytest.mark.parametrize("options", [{"mood": "\ud800"}, {"\ud800": 1}], ids=["value", "key"])
def test_half_a_character_is_refused(options: dict[str, Json]) -> None:
    problems = option_problems(X, options)

    assert ["string_unicode"] == [problem.type for problem in problems]
    json.dumps([problem.loc for problem in problems], ensure_ascii=False).encode()


@pytest.mark.parametrize("platform", list(Platform))
def test_the_description_and_the_checks_agree(platform: Platform) -> None:
    schema = dict(zip(Platform, options_schemas().values(), strict=True))[platform]
    published = Draft202012Validator(schema)

    for options in [*(o for p, o in RIGHT if p is platform), *(o for p, o, *_ in WRONG)]:
        assert published.is_valid(options) == (not option_problems(platform, options)), options


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(max_examples=8, derandomize=True)
@given(data=st.data(), platform=st.sampled_from(list(Platform)))
def test_some_of_what_is_sent_is_judged_without_a_crash(
    data: st.DataObject, platform: Platform
) -> None:
    judge(data, platform)


@pytest.mark.prove
@settings(max_examples=500)
@given(data=st.data(), platform=st.sampled_from(list(Platform)))
def test_whatever_is_sent_is_judged_without_a_crash(
    data: st.DataObject, platform: Platform
) -> None:
    judge(data, platform)


def judge(data: st.DataObject, platform: Platform) -> None:
    """Let options of any shape be judged: it ends with problems that say something, or none."""
    keys = st.sampled_from([*(option.name for option in FACTS[platform].options), "mood"])
    options = data.draw(st.dictionaries(keys, JSON))

    problems = option_problems(platform, options)

    assert all(problem.msg and problem.type for problem in problems)
    if not problems:
        json.dumps(options, allow_nan=False)


@settings(max_examples=40, derandomize=True)
@given(data=st.data(), platform=st.sampled_from(list(Platform)))
def test_the_description_allows_a_sample_of_what_the_checks_do(
    data: st.DataObject, platform: Platform
) -> None:
    hold_description_against_checks(data, platform)


@pytest.mark.prove
@settings(max_examples=2_000)
@given(data=st.data(), platform=st.sampled_from(list(Platform)))
def test_the_description_allows_what_the_checks_do(data: st.DataObject, platform: Platform) -> None:
    hold_description_against_checks(data, platform)


def hold_description_against_checks(data: st.DataObject, platform: Platform) -> None:
    """Hold the published schema of one option against the check of it."""
    option = data.draw(st.sampled_from(FACTS[platform].options))
    small = st.booleans() | st.integers(-5, 2_000) | st.sampled_from([0.5, 1.5]) | st.text()
    several = st.lists(small, max_size=30) | st.dictionaries(st.text(), small)
    options: dict[str, Json] = {option.name: data.draw(small | several)}  # type: ignore[dict-item]  # JSON

    allowed = Draft202012Validator(option.schema).is_valid(options[option.name])

    assert allowed == (option_problems(platform, options) == [])
