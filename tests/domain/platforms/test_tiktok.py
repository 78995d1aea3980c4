"""TikTok's rules: a privacy level that is offered, chosen by a person, and wide enough for ads."""

import pytest

from chalicelib.domain.errors import TiktokRules
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok import (
    Interactions,
    PrivacyLevel,
    check_options,
    check_ready,
    privacy_level,
    sandbox_creator,
)
from chalicelib.kit.json_value import Json

PUBLIC = ("PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY")
FIELD = "targets[0].options"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"branded_content": True},
        {"privacy_level": "PUBLIC_TO_EVERYONE"},
        {"privacy_level": "SELF_ONLY"},
        {"privacy_level": "SELF_ONLY", "your_brand": True, "disclose_commercial": True},
        {"privacy_level": "SELF_ONLY", "branded_content": False},
        {"privacy_level": "MUTUAL_FOLLOW_FRIENDS", "branded_content": True},
    ],
    ids=str,
)
def test_a_draft_may_have(options: dict[str, Json]) -> None:
    check_options(options, offered=PUBLIC, field=FIELD)


@pytest.mark.parametrize(
    "options",
    [
        {"privacy_level": "FOLLOWER_OF_CREATOR"},
        {"privacy_level": "EVERYONE"},
        {"privacy_level": "self_only"},
        {"privacy_level": ""},
        {"privacy_level": "SELF_ONLY", "branded_content": True},
    ],
    ids=str,
)
def test_even_a_draft_may_not_have(options: dict[str, Json]) -> None:
    with pytest.raises(TiktokRules) as refusal:
        check_options(options, offered=PUBLIC, field=FIELD)

    assert refusal.value.field == "targets[0].options.privacy_level"


def test_where_the_account_was_not_asked_any_level_of_tiktoks_will_do() -> None:
    check_options({"privacy_level": "FOLLOWER_OF_CREATOR"}, field=FIELD)

    with pytest.raises(TiktokRules):
        check_options({"privacy_level": "EVERYONE"}, field=FIELD)


@pytest.mark.parametrize("level", PUBLIC)
def test_what_has_an_offered_level_can_go_out(level: str) -> None:
    check_ready({"privacy_level": level}, offered=PUBLIC, field=FIELD)


@pytest.mark.parametrize("options", [{}, {"privacy_level": None}, {"allow_comment": True}], ids=str)
def test_nothing_goes_out_without_a_chosen_level(options: dict[str, Json]) -> None:
    with pytest.raises(TiktokRules, match="PUBLIC_TO_EVERYONE") as refusal:
        check_ready(options, field=FIELD)

    assert refusal.value.field == "targets[0].options.privacy_level"


def test_what_a_draft_may_not_have_cannot_go_out_either() -> None:
    with pytest.raises(TiktokRules, match="Branded content"):
        check_ready(
            {"privacy_level": "SELF_ONLY", "branded_content": True}, offered=PUBLIC, field=FIELD
        )


def test_who_discloses_an_interest_says_whose_before_it_goes_out() -> None:
    undecided: dict[str, Json] = {
        "privacy_level": "PUBLIC_TO_EVERYONE",
        "disclose_commercial": True,
    }

    check_options(undecided, field=FIELD)
    check_ready({**undecided, "your_brand": True}, field=FIELD)
    check_ready({**undecided, "branded_content": True}, field=FIELD)

    with pytest.raises(TiktokRules) as refusal:
        check_ready({**undecided, "your_brand": False}, field=FIELD)
    assert refusal.value.field == "targets[0].options.disclose_commercial"


@pytest.mark.parametrize("options", [{}, {"privacy_level": "SELF_ONLY"}], ids=str)
def test_settings_that_leave_no_choice_are_named(options: dict[str, Json]) -> None:
    with pytest.raises(TiktokRules, match="allow no choice"):
        check_ready(options, offered=(), field=FIELD)


def test_a_test_account_offers_what_a_public_account_does() -> None:
    offered = sandbox_creator("a" * 32, "@lumen.bakes")

    assert offered.account_id == "a" * 32
    assert offered.handle == "@lumen.bakes"
    assert offered.nickname == "lumen.bakes"
    assert offered.can_post
    assert [level.value for level in offered.privacy_levels] == list(PUBLIC)
    assert offered.offered == set(PUBLIC)
    assert offered.max_video_seconds == 600
    assert offered.interactions == Interactions(comment=True, duet=True, stitch=True)


def test_photos_can_be_commented_but_not_used_for_duets_and_stitches() -> None:
    offered = sandbox_creator("a" * 32, "@lumen.bakes")

    assert offered.suiting(MediaKind.VIDEO) == offered
    assert offered.suiting(MediaKind.IMAGE).interactions == Interactions(
        comment=True, duet=False, stitch=False
    )


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("PUBLIC_TO_EVERYONE", "Everyone"),
        ("MUTUAL_FOLLOW_FRIENDS", "Friends"),
        ("FOLLOWER_OF_CREATOR", "Followers"),
        ("SELF_ONLY", "Only you"),
        ("CLOSE_FRIENDS", "CLOSE_FRIENDS"),
    ],
)
def test_a_level_has_a_label_for_people_and_a_new_one_its_own_name(value: str, label: str) -> None:
    assert privacy_level(value) == PrivacyLevel(value=value, label=label)
