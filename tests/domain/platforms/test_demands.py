"""What a community of Reddit demands of a post, and what meets it."""

import pytest

from chalicelib.domain.platforms.choices import NO_DEMANDS, BodyPolicy, Demands
from chalicelib.kit.json_value import Json

TEXT = "Rye bread\n\nBaked at seven, with salt."
TITLE = "Rye bread"


def unmet(
    demands: Demands, text: str = TEXT, *, flair: str | None = None, is_text_post: bool = True
) -> list[tuple[str | None, bool]]:
    options: dict[str, Json] = {"title": TITLE, **({} if flair is None else {"flair_id": flair})}
    found = demands.unmet(text, options, is_text_post=is_text_post)
    return [(one.option, one.sure) for one in found]


@pytest.mark.parametrize(
    ("demands", "expected"),
    [
        (NO_DEMANDS, []),
        (Demands(flair=True), [("flair_id", True)]),
        (Demands(shortest_title=9), []),
        (Demands(shortest_title=10), [("title", True)]),
        (Demands(longest_title=9), []),
        (Demands(longest_title=8), [("title", True)]),
        (Demands(title_needs=("RYE", "spelt")), []),
        (Demands(title_needs=("oats", "spelt")), [("title", True)]),
        (Demands(title_bars=("spelt",)), []),
        (Demands(title_bars=("BREAD", "spelt")), [("title", True)]),
        (Demands(title_has_pattern=True), [("title", False)]),
        (Demands(body=BodyPolicy.REQUIRED), []),
        (Demands(body=BodyPolicy.FORBIDDEN), [(None, True)]),
        (Demands(shortest_body=300), [(None, True)]),
        (Demands(longest_body=300), []),
        (Demands(longest_body=5), [(None, True)]),
        (Demands(body_needs=("salt",)), []),
        (Demands(body_needs=("oats",)), [(None, True)]),
        (Demands(body_bars=("salt",)), [(None, True)]),
        (
            Demands(flair=True, shortest_title=10, body=BodyPolicy.FORBIDDEN),
            [("flair_id", True), ("title", True), (None, True)],
        ),
    ],
)
def test_a_post_with_title_and_text_does_not_meet(
    demands: Demands, expected: list[tuple[str | None, bool]]
) -> None:
    assert unmet(demands) == expected


def test_a_flair_that_is_named_meets_the_demand_for_one() -> None:
    assert unmet(Demands(flair=True), flair="7") == []


@pytest.mark.parametrize(
    ("demands", "is_text_post", "expected"),
    [
        (Demands(body=BodyPolicy.REQUIRED), True, [(None, True)]),
        (Demands(body=BodyPolicy.REQUIRED), False, []),
        (Demands(body=BodyPolicy.FORBIDDEN), True, []),
        (Demands(shortest_body=5, body_needs=("salt",)), True, []),
    ],
)
def test_a_text_is_demanded_of_posts_of_text_alone(
    *, demands: Demands, is_text_post: bool, expected: list[tuple[str | None, bool]]
) -> None:
    """Lengths and words of a text hold for a text that is there."""
    assert unmet(demands, "", is_text_post=is_text_post) == expected


def test_under_a_link_a_text_keeps_no_rule_but_that_there_be_none() -> None:
    link = Demands(body=BodyPolicy.FORBIDDEN)

    assert unmet(Demands(longest_body=5), is_text_post=False) == []
    assert unmet(link, is_text_post=False) == [(None, True)]
