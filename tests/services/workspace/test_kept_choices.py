"""What is kept of platforms' answers: bounded by how much they list, not by how many they are."""

from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.choices import WHOLE, Choice, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.workspace.choices import KeptChoices
from tests.support.frozen_clock import NOON

BOARDS, ACCOUNTS = 2_500, 30
MOST_BOARDS = 50_000
"""Of 230 bytes each."""


def an_account() -> Account:
    return Account(
        id=new_id(NOON),
        workspace_id=new_id(NOON),
        platform=Platform.PINTEREST,
        handle="@lighthouse",
        test=False,
        created_at=NOON,
    )


def boards(of: Account) -> Choices:
    return Choices(
        offered={"board": tuple(Choice(f"{of.id}{n}", f"Board {of.id} {n}") for n in range(BOARDS))}
    )


def test_long_answers_push_out_older_ones_before_they_fill_the_memory() -> None:
    kept = KeptChoices()
    accounts = [an_account() for _ in range(ACCOUNTS)]

    for account in accounts:
        kept.keep(account, WHOLE, boards(account), NOON)

    there = [kept.find(account, WHOLE, NOON) is not None for account in accounts]
    assert sum(there) * BOARDS <= MOST_BOARDS
    assert there == sorted(there)
    assert there[-1]


def test_an_answer_that_comes_again_counts_once() -> None:
    kept, first, again = KeptChoices(), an_account(), an_account()
    kept.keep(first, WHOLE, boards(first), NOON)

    for _ in range(ACCOUNTS):
        kept.keep(again, WHOLE, boards(again), NOON)

    assert kept.find(first, WHOLE, NOON) is not None
