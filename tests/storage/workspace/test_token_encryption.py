"""Tokens at rest: sealed for one account, opaque to everybody without the key."""

from datetime import UTC, datetime

import pytest

from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.storage.workspace.token_encryption import TokenEncryption, UnsealableError
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources

ADA = "a" * 32
GRACE = "b" * 32
TOKENS = Tokens(
    access="access-lighthouse",
    refresh="refresh-lighthouse",
    expires_at=datetime(2027, 1, 5, 9, tzinfo=UTC),
    renew_at=datetime(2027, 1, 2, tzinfo=UTC),
    extra={"client_secret": "secret-lighthouse"},
)


@pytest.fixture(scope="module")
def vault(emulator: EmulatorProcess) -> TokenEncryption:
    """Return a vault over a KMS key of this file's own."""
    settings = make_resources(emulator.endpoint)
    kms = a_client("kms", settings.endpoint_url)
    return TokenEncryption(kms, settings.tokens_key)


def test_what_was_sealed_for_an_account_opens_for_it(vault: TokenEncryption) -> None:
    sealed = vault.seal(ADA, TOKENS)

    assert vault.open(ADA, sealed) == TOKENS


def test_nothing_of_a_token_shows_in_what_is_stored(vault: TokenEncryption) -> None:
    sealed = vault.seal(ADA, TOKENS)

    assert b"lighthouse" not in sealed


def test_the_same_tokens_are_sealed_differently_each_time(vault: TokenEncryption) -> None:
    assert vault.seal(ADA, TOKENS) != vault.seal(ADA, TOKENS)


def test_a_row_copied_to_another_account_does_not_open(vault: TokenEncryption) -> None:
    sealed = vault.seal(ADA, TOKENS)

    with pytest.raises(UnsealableError):
        vault.open(GRACE, sealed)


@pytest.mark.parametrize("place", [0, -1, -40])
def test_a_changed_row_does_not_open(vault: TokenEncryption, place: int) -> None:
    changed = bytearray(vault.seal(ADA, TOKENS))
    changed[place] ^= 1

    with pytest.raises(UnsealableError):
        vault.open(ADA, bytes(changed))


def test_tokens_do_not_show_in_their_representation() -> None:
    assert "lighthouse" not in repr(TOKENS)
