"""Which accounts and options are meant by what a person wrote."""

import pytest

from goldenhour.models.answers import Account
from goldenhour.spoken.choosing import (
    UnclearAccount,
    WrongOption,
    find_account,
    find_accounts,
)
from goldenhour.spoken.targets import make_targets, parse_options


def an_account(number: int, platform: str, handle: str) -> Account:
    return Account(
        id=f"{number:032x}",
        platform=platform,
        handle=handle,
        test=True,
        health="ok",
        audience_regions=(),
    )


LINKEDIN = an_account(1, "linkedin", "Bakery")
SHOP, CAFE = an_account(2, "x", "@shop"), an_account(3, "x", "@cafe")
MAPS = an_account(4, "google business profile", "Bakery")
ALL = [LINKEDIN, SHOP, CAFE, MAPS]


@pytest.mark.parametrize(
    ("name", "account"),
    [
        ("linkedin", LINKEDIN),
        ("LinkedIn:bakery", LINKEDIN),
        ("@shop", SHOP),
        ("cafe", CAFE),
        ("x:cafe", CAFE),
        ("google", MAPS),
        (f"{3:032x}", CAFE),
    ],
)
def test_an_account_is_found_by_id_handle_or_platform(name: str, account: Account) -> None:
    assert account == find_account(name, ALL)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x", "could be any of x:@shop, x:@cafe"),
        ("bakery", "Write it as platform:handle"),
        ("linkdin", "Did you mean 'linkedin'?"),
        ("", "There is no account ''"),
    ],
)
def test_a_name_that_is_not_one_account_is_refused(name: str, said: str) -> None:
    with pytest.raises(UnclearAccount, match=said.replace("?", r"\?")):
        find_account(name, ALL)


def test_an_account_that_is_named_twice_is_meant_once() -> None:
    assert [LINKEDIN, CAFE] == find_accounts(["linkedin", "cafe", "linkedin:bakery"], ALL)


def test_options_are_read_as_their_platform_wants_them() -> None:
    options = parse_options(
        [
            "pinterest.board=0123",
            "pinterest.cover_second=5",
            "tiktok.allow_comment=true",
            'bluesky.langs=["de","fr"]',
            "google.language=de",
            "linkedin.title=true",
        ]
    )

    assert {
        "pinterest": {"board": "0123", "cover_second": 5},
        "tiktok": {"allow_comment": True},
        "bluesky": {"langs": ["de", "fr"]},
        "google business profile": {"language": "de"},
        "linkedin": {"title": "true"},
    } == options


def test_what_is_in_an_object_is_named_by_its_way() -> None:
    options = parse_options(
        [
            "google.topic_type=EVENT",
            "google.event.title=2026",
            "google.event.start=2026-11-23",
            "instagram.user_tags.1.username=ada",
            "instagram.user_tags.1.x=0.5",
            "instagram.user_tags.2.username=0123",
        ]
    )

    assert {
        "google business profile": {
            "topic_type": "EVENT",
            "event": {"title": "2026", "start": "2026-11-23"},
        },
        "instagram": {"user_tags": [{"username": "ada", "x": 0.5}, {"username": "0123"}]},
    } == options


@pytest.mark.parametrize(
    "texts",
    [
        ["instagram.user_tags.2.username=ada"],
        ["instagram.user_tags.0.username=ada"],
        ['google.event="Fair"', "google.event.title=Fair"],
        ["google.event..title=Fair"],
    ],
)
def test_a_way_that_leads_nowhere_is_refused(texts: list[str]) -> None:
    with pytest.raises(WrongOption):
        parse_options(texts)


@pytest.mark.parametrize("text", ["board=1", "pinterest.board", "pinterest.=1", ".board=1", ""])
def test_an_option_without_platform_name_or_value_is_refused(text: str) -> None:
    with pytest.raises(WrongOption, match=r"pinterest\.board=123"):
        parse_options([text])


def test_an_option_for_a_platform_that_is_not_posted_to_is_refused() -> None:
    with pytest.raises(WrongOption, match="pinterest"):
        make_targets([LINKEDIN], {"pinterest": {"board": "1"}})
