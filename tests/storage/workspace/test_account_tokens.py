"""Tokens of connected accounts: kept apart, replaced by newer ones only, forgotten in the end."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.workspace.accounts import Account, AccountToken, Health
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.people import PeopleStore, a_store, a_workspace, an_account


@pytest.fixture(scope="module")
def store(emulator: EmulatorProcess) -> PeopleStore:
    """Repositories over tables of this file's own."""
    return a_store(make_resources(emulator.endpoint))


def _a_signed_in(store: PeopleStore) -> Account:
    workspace, _ = a_workspace(store)
    account = replace(an_account(store, workspace, remote_identity="42"), token_version=1)
    store.accounts.add(account, AccountToken(secret=b"first"))
    return account


def test_tokens_are_kept_apart_from_the_account(store: PeopleStore) -> None:
    account = _a_signed_in(store)

    token = store.tokens.get(account.workspace_id, account.id)

    assert token is not None
    assert (token.secret, token.version) == (b"first", 1)
    assert "first" not in repr(token)


def test_refreshed_tokens_replace_the_ones_they_came_from(store: PeopleStore) -> None:
    account = _a_signed_in(store)
    expiry = store.clock() + timedelta(hours=1)

    kept = store.tokens.replace(account, AccountToken(secret=b"second", expires_at=expiry))

    assert kept == replace(account, token_version=2, token_expires_at=expiry)
    assert store.accounts.get(account.workspace_id, account.id) == kept
    assert store.tokens.get(account.workspace_id, account.id) == AccountToken(
        secret=b"second", expires_at=expiry, version=2
    )


def test_of_two_refreshes_of_one_token_the_first_is_kept(store: PeopleStore) -> None:
    account = _a_signed_in(store)
    store.tokens.replace(account, AccountToken(secret=b"second"))

    with pytest.raises(StaleWriteError):
        store.tokens.replace(account, AccountToken(secret=b"third"))

    token = store.tokens.get(account.workspace_id, account.id)
    assert token == AccountToken(secret=b"second", version=2)


def test_a_refused_old_token_does_not_break_a_renewed_account(store: PeopleStore) -> None:
    before = _a_signed_in(store)
    store.accounts.note_health(before, Health.WARN, "Expires tomorrow.")
    renewed = store.tokens.renew(before, AccountToken(secret=b"second"))

    held = store.accounts.note_health(before, Health.BROKEN, "The token was refused.")

    assert not held
    assert store.accounts.get(before.workspace_id, before.id) == renewed
    assert renewed.health is Health.OK


def test_disconnecting_forgets_the_tokens(store: PeopleStore) -> None:
    account = _a_signed_in(store)

    store.accounts.remove(account.workspace_id, account.id, store.clock())

    assert store.tokens.get(account.workspace_id, account.id) is None
    with pytest.raises(StaleWriteError):
        store.tokens.replace(account, AccountToken(secret=b"late"))
    assert store.tokens.get(account.workspace_id, account.id) is None
