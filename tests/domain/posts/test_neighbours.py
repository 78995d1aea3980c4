"""What a post repeats or comes close to: a table of another post of the account."""

from datetime import datetime, timedelta

import pytest

from chalicelib.domain.posts.forewarnings import neighbour_warnings
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from tests.support.builders import a_post, a_target
from tests.support.frozen_clock import NOON

ACCOUNT = "a" * 32
AT = NOON + timedelta(days=3)
S = TargetStatus


def _post(
    at: datetime | None, caption: str, *, account: str = ACCOUNT, status: S = S.DRAFT
) -> Post:
    return a_post(
        caption=caption, targets=[a_target(account_id=account, scheduled_at=at, status=status)]
    )


def _codes(post: Post, *others: Post) -> list[str]:
    return [code for _, code, _ in neighbour_warnings(post, post.targets, others, now=NOON)]


@pytest.mark.parametrize(
    ("minutes", "caption", "expected"),
    [
        (0, "Rye", ["repeated_text", "close_together"]),
        (9, "Spelt", ["close_together"]),
        (-9, "Spelt", ["close_together"]),
        (10, "Spelt", []),
        (60, "Rye", ["repeated_text"]),
        (60, "  rYe\n", ["repeated_text"]),
        (-23 * 60, "Rye", ["repeated_text"]),
        (24 * 60, "Rye", []),
    ],
)
def test_another_post_of_the_account_is_warned_of(
    minutes: int, caption: str, expected: list[str]
) -> None:
    other = _post(AT + timedelta(minutes=minutes), caption, status=S.SCHEDULED)

    assert expected == _codes(_post(AT, "Rye"), other)


def test_a_text_is_the_same_however_its_accents_are_coded() -> None:
    other = _post(AT + timedelta(minutes=60), "Cafe\u0301", status=S.SCHEDULED)

    assert ["repeated_text"] == _codes(_post(AT, "caf\u00e9"), other)


@pytest.mark.parametrize("status", [S.DRAFT, S.CANCELLED, S.FAILED, S.REMOVED])
def test_what_does_not_go_out_is_nobodys_neighbour(status: S) -> None:
    assert [] == _codes(_post(AT, "Rye"), _post(AT, "Rye", status=status))


def test_other_accounts_and_the_post_itself_are_no_neighbours() -> None:
    post = _post(AT, "Rye", status=S.SCHEDULED)

    assert [] == _codes(post, post, _post(AT, "Rye", account="b" * 32, status=S.SCHEDULED))


def test_posts_without_words_repeat_nothing() -> None:
    assert ["close_together"] == _codes(_post(AT, ""), _post(AT, " ", status=S.SCHEDULED))


def test_a_post_without_a_time_is_looked_at_as_if_it_went_out_now() -> None:
    assert ["close_together"] == _codes(
        _post(None, "Rye"), _post(NOON, "Spelt", status=S.PUBLISHED)
    )


def test_each_is_told_once_by_the_nearest_one() -> None:
    near, far = (
        _post(AT + timedelta(minutes=minutes), "Rye", status=S.SCHEDULED) for minutes in (5, -7)
    )
    post = _post(AT, "Rye")

    told = [said for _, _, said in neighbour_warnings(post, post.targets, (far, near), now=NOON)]

    assert 2 == len(told)
    assert all(f"{AT + timedelta(minutes=5):%H:%M} UTC" in message for message in told)
