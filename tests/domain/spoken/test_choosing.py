"""Which account is meant by what a person wrote, and what is said where that is unclear."""

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.spoken.choosing import UnclearAccount, find_account
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Account:
    """An account as the service knows it."""

    id: str
    platform: Platform
    handle: str


ACCOUNTS = (
    Account("1", Platform.LINKEDIN, "Rye & Co"),
    Account("2", Platform.X, "@rye"),
    Account("3", Platform.X, "@salt"),
    Account("4", Platform.GOOGLE_BUSINESS_PROFILE, "Market"),
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1", "1"),
        ("linkedin", "1"),
        (" LinkedIn ", "1"),
        ("rye & co", "1"),
        ("linkedin:Rye & Co", "1"),
        ("@rye", "2"),
        ("rye", "2"),
        ("x:rye", "2"),
        ("x:@salt", "3"),
        ("google", "4"),
    ],
)
def test_an_account_is_found_by_each_of_its_names(written: str, meant: str) -> None:
    assert find_account(written, ACCOUNTS).id == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("linkedn", "There is no account 'linkedn'. Did you mean 'linkedin'? "),
        ("x:ry", "There is no account 'x:ry'. Did you mean 'x:rye'? "),
        ("zzz", "There is no account 'zzz'. Accounts: linkedin:Rye & Co, x:@rye, "),
        ("x", "'x' could be any of x:@rye, x:@salt. Write it as platform:handle."),
        ("twitter", "'twitter' could be any of x:@rye, x:@salt."),
    ],
)
def test_what_is_unclear_is_told_with_what_could_be_meant(written: str, said: str) -> None:
    with pytest.raises(UnclearAccount) as refused:
        find_account(written, ACCOUNTS)

    assert str(refused.value).startswith(said)
