"""What keeps a target from being scheduled: its time, its file, what its account does not have."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.error_kinds import InvalidInput, RuleViolation
from chalicelib.domain.platforms.choices import NOTHING, PRIVACY_LEVEL, Choice, Choices
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.posts.sendable import (
    check_sendable,
    check_time,
    named_choices,
    not_sendable,
    unfit_media,
)
from chalicelib.domain.posts.target import Target
from chalicelib.kit.json_value import Json
from tests.support.builders import a_post, a_target
from tests.support.frozen_clock import NOON

P = Platform
Options = dict[str, Json]


def offering(option: str, *ids: str) -> Choices:
    listed = tuple(Choice(one, one) for one in ids)
    return Choices(offered={option: listed}, complete=frozenset({option}))


def _refused(caption: str, target: Target, choices: Choices = NOTHING) -> list[RuleViolation]:
    post = a_post(caption=caption, targets=[target])
    return list(not_sendable(post, post.targets[0], field="targets[0]", choices=choices))


@pytest.mark.parametrize("seconds", [0, 1, 3_600, -1, -59, -60])
def test_a_time_to_come_or_of_the_last_minute_is_taken(seconds: int) -> None:
    check_time(NOON + timedelta(seconds=seconds), now=NOON, loc=("at",))


@pytest.mark.parametrize("seconds", [-61, -3_600, -365 * 86_400])
def test_a_time_that_has_passed_by_more_than_a_minute_is_refused(seconds: int) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_time(NOON + timedelta(seconds=seconds), now=NOON, loc=("at",))

    assert (refusal.value.loc, refusal.value.kind) == (("at",), "time_in_past")


def test_no_time_at_all_is_none_that_has_passed() -> None:
    check_time(None, now=NOON, loc=("at",))


@pytest.mark.parametrize("kind", MediaKind)
@pytest.mark.parametrize("platform", P)
def test_each_platform_takes_the_kinds_of_its_page(platform: Platform, kind: MediaKind) -> None:
    facts = FACTS[platform]
    files = facts.photos if kind is MediaKind.IMAGE else facts.videos

    refused = list(unfit_media(platform, caption="", kind=kind, field="here"))

    assert [one.field for one in refused] == (["here"] if files is None else [])


@pytest.mark.parametrize("platform", [P.INSTAGRAM, P.TIKTOK, P.YOUTUBE, P.PINTEREST])
def test_these_platforms_need_a_file(platform: Platform) -> None:
    (refused,) = unfit_media(platform, caption="Rye", kind=None, field="here")

    assert (refused.code, refused.field) == ("media_required", "here")


@pytest.mark.parametrize("caption", ["", " \n", "\u200b\u2060", "\u3164"])
@pytest.mark.parametrize("platform", [one for one in P if not FACTS[one].limits.needs_media])
def test_a_post_that_shows_nothing_needs_a_file(platform: Platform, caption: str) -> None:
    (refused,) = unfit_media(platform, caption=caption, kind=None, field="here")

    assert refused.message == "A post needs a caption, a photo or a video."
    assert not list(unfit_media(platform, caption=f"{caption}Rye", kind=None, field="here"))


@pytest.mark.parametrize(
    ("platform", "options", "is_taken"),
    [
        (P.REDDIT, {"title": "Menu", "link": "https://bakery.example/"}, True),
        (P.REDDIT, {"title": "Menu"}, False),
        (P.REDDIT, {"link": "https://bakery.example/"}, False),
        (P.FACEBOOK, {"title": "Menu", "link": "https://bakery.example/"}, False),
    ],
)
def test_only_a_link_under_a_title_on_reddit_says_enough_without_a_caption(
    *, platform: Platform, options: Options, is_taken: bool
) -> None:
    target = replace(a_target(platform=platform), options={"subreddit": "bread", **options})

    codes = [one.code for one in _refused(caption="", target=target)]

    assert codes == ([] if is_taken else ["media_required"])


@pytest.mark.parametrize(
    ("chosen", "choices", "code"),
    [
        (None, NOTHING, "option_required"),
        (None, offering("subreddit", "bread"), "option_required"),
        ("", NOTHING, "option_required"),
        ("bread", NOTHING, None),
        ("bread", offering("subreddit", "bread"), None),
        ("r/Bread", offering("subreddit", "bread"), None),
        ("/r/bread/", offering("subreddit", "bread"), None),
        ("rye", offering("subreddit", "bread"), "option_unknown"),
        ("rye", offering("subreddit"), "option_unknown"),
        ("u/pia", offering("subreddit", "u_pia"), None),
        ("rye", replace(offering("subreddit", "bread"), complete=frozenset()), None),
    ],
)
def test_a_community_is_named_and_one_that_the_account_has(
    chosen: str | None, choices: Choices, code: str | None
) -> None:
    options: Options = {} if chosen is None else {"subreddit": chosen}
    target = replace(a_target(platform=P.REDDIT), options=options)

    found = [(one.code, one.field) for one in _refused("Rye", target, choices)]

    assert found == ([] if code is None else [(code, "targets[0].options.subreddit")])


@pytest.mark.parametrize(
    ("level", "choices", "is_taken"),
    [
        ("SELF_ONLY", NOTHING, True),
        ("EVERYBODY", NOTHING, False),
        (None, NOTHING, False),
        ("SELF_ONLY", offering(PRIVACY_LEVEL, "SELF_ONLY"), True),
        ("PUBLIC_TO_EVERYONE", offering(PRIVACY_LEVEL, "SELF_ONLY"), False),
        (
            "PUBLIC_TO_EVERYONE",
            replace(offering(PRIVACY_LEVEL, "SELF_ONLY"), complete=frozenset()),
            True,
        ),
    ],
)
def test_a_privacy_level_is_chosen_and_one_that_the_creator_may_choose(
    *, level: str | None, choices: Choices, is_taken: bool
) -> None:
    options: Options = {} if level is None else {PRIVACY_LEVEL: level}
    target = replace(a_target(platform=P.TIKTOK), options=options)

    codes = [one.code for one in _refused("Rye", target, choices) if one.code != "media_required"]

    assert codes == ([] if is_taken else ["tiktok_rules"])


def test_the_first_reason_is_raised_where_the_request_names_the_target() -> None:
    target = a_target(platform=P.REDDIT)
    post = a_post(targets=[a_target(), target])

    with pytest.raises(RuleViolation) as refusal:
        check_sendable(post, target, choices=NOTHING)

    assert refusal.value.field == "targets[1].options.subreddit"


@pytest.mark.parametrize(
    ("platform", "options", "named"),
    [
        (P.X, {"subreddit": "bread"}, []),
        (P.REDDIT, {"subreddit": "bread", "flair_id": ""}, ["subreddit"]),
        (P.REDDIT, {"subreddit": "bread", "flair_id": "7"}, ["subreddit", "flair_id"]),
        (P.TIKTOK, {PRIVACY_LEVEL: "SELF_ONLY"}, []),
        (P.YOUTUBE, {"playlist": "PL1"}, ["playlist"]),
    ],
)
def test_what_must_be_looked_up_at_the_account(
    platform: Platform, options: Options, named: list[str]
) -> None:
    assert named_choices(replace(a_target(platform=platform), options=options)) == named
