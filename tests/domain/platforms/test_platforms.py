"""The limits table says what docs/api.md says."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.domain.platforms import pages
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Option
from chalicelib.domain.platforms.option_rules import Form
from chalicelib.domain.platforms.platform import MediaKind, Platform


def test_the_wire_values_are_specs_in_its_order() -> None:
    """One that is added later comes after them."""
    names = "instagram tiktok youtube linkedin x facebook threads pinterest bluesky reddit"

    known = [*names.split(), "google business profile"]

    assert known == list(Platform)[: len(known)]


@pytest.mark.parametrize("platform", list(Platform))
def test_every_platform_has_a_page_that_people_can_read(platform: Platform) -> None:
    page = FACTS[platform]

    assert page.name
    assert page.mark
    for option in declared(page.options):
        assert option.label[0].isupper(), option.name
        assert not option.label.endswith("."), option.name
        assert option.help[0].isupper(), option.name
        assert option.help.endswith("."), option.name


@pytest.mark.parametrize("platform", list(Platform))
def test_a_page_names_only_options_that_it_declares(platform: Platform) -> None:
    options = FACTS[platform].options
    names = [option.name for option in options]

    assert len(names) == len(set(names))
    for fields in (options, *(option.fields for option in options)):
        known = {option.name: option for option in fields}
        for option in fields:
            assert option.offered_by is None or option.offered_by in known, option.name
            assert option.when is None or set(option.when.values) <= set(
                dict(known[option.when.option].choices)
            ), option.name


def test_every_page_is_of_a_platform() -> None:
    folder = Path(pages.__file__ or "").parent
    written = {page.stem for page in folder.glob("*.py")} - {"__init__"}

    assert {platform.name.lower() for platform in Platform} == written, (
        'A page without a line in Platform: step 1 of "Adding a platform" in CONTRIBUTING.md.'
    )


def test_nested_options_are_declared_field_by_field() -> None:
    """So a form can ask for them without JSON."""
    for platform in Platform:
        for option in FACTS[platform].options:
            assert bool(option.fields) == (option.form in (Form.FIELDS, Form.ROWS)), option.name
    tags = FACTS[Platform.INSTAGRAM].option("user_tags")
    event = FACTS[Platform.GOOGLE_BUSINESS_PROFILE].option("event")

    assert tags is not None
    assert (tags.form, [field.name for field in tags.fields]) == (Form.ROWS, ["username", "x", "y"])
    assert event is not None
    assert [field.form for field in event.fields] == [Form.TEXT, Form.TIME, Form.TIME]


def declared(options: Iterable[Option]) -> Iterator[Option]:
    """Yield options and the fields of those that have some."""
    for option in options:
        yield option
        yield from declared(option.fields)


@pytest.mark.parametrize(
    ("platform", "caption", "longest"),
    [
        (Platform.INSTAGRAM, 2_200, "3:00"),
        (Platform.TIKTOK, 2_200, "3:00"),
        (Platform.YOUTUBE, 5_000, "3:00"),
        (Platform.LINKEDIN, 3_000, "10:00"),
        (Platform.X, 280, "2:20"),
        (Platform.FACEBOOK, 63_206, "4:00"),
        (Platform.THREADS, 500, "5:00"),
        (Platform.PINTEREST, 800, None),
        (Platform.BLUESKY, 300, None),
        (Platform.REDDIT, 40_000, None),
        (Platform.GOOGLE_BUSINESS_PROFILE, 1_500, None),
    ],
)
def test_lengths_are_those_of_the_contract(
    platform: Platform, caption: int, longest: str | None
) -> None:
    limits = FACTS[platform].limits

    minutes, _, seconds = (longest or "").partition(":")
    longest_video = longest and timedelta(minutes=int(minutes), seconds=int(seconds))
    assert (caption, longest_video) == (limits.caption, limits.longest_video)


def test_only_instagram_and_tiktok_cannot_delete() -> None:
    kept_for_good = {platform for platform in Platform if not FACTS[platform].limits.can_delete}

    assert {Platform.INSTAGRAM, Platform.TIKTOK} == kept_for_good


@pytest.mark.parametrize("platform", list(Platform)[:11])
@pytest.mark.parametrize(
    ("kind", "refused_by"),
    [(MediaKind.IMAGE, Platform.YOUTUBE), (MediaKind.VIDEO, Platform.GOOGLE_BUSINESS_PROFILE)],
)
def test_one_platform_refuses_each_kind_of_file(
    kind: MediaKind, refused_by: Platform, platform: Platform
) -> None:
    assert FACTS[platform].limits.takes(kind) == (platform is not refused_by)
