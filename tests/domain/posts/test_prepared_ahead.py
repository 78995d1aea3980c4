"""Whatever is read or sent before a target's second is made ahead of it."""

from dataclasses import replace

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from tests.support.builders import a_post, a_target


@pytest.mark.parametrize(
    ("platform", "caption", "options", "ahead"),
    [
        (Platform.THREADS, "Bread", {}, True),
        (Platform.LINKEDIN, "Bread", {}, False),
        (Platform.LINKEDIN, "Bread https://example.com", {"link": True}, True),
        (Platform.FACEBOOK, "Bread", {"link": "https://example.com"}, False),
        (Platform.BLUESKY, "Bread https://example.com", {"link": True}, True),
        (Platform.BLUESKY, "Bread by @baker.example.com", {}, True),
        (Platform.BLUESKY, "Bread", {}, False),
    ],
)
def test_a_text_is_prepared_ahead_where_pages_or_people_are_looked_up(
    platform: Platform, caption: str, options: dict[str, Json], *, ahead: bool
) -> None:
    target = replace(a_target(platform=platform), options=options)

    assert a_post(caption=caption, targets=[target]).is_prepared_ahead(target) is ahead
