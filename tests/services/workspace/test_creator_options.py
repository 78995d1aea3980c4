"""A TikTok creator's options, as a caller reads them."""

from typing import cast

import pytest

from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import AccountNotFound, TiktokUnreachable, TiktokUnsupported
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import CreatorOptions, sandbox_creator
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.workspace.accounts import Accounts
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.services.workspace.creators import Creators
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.token_store import SealedTokenStore
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.people import PeopleStore, a_key, a_store, a_workspace, an_account, the_caller


@pytest.fixture(scope="module")
def store(emulator: EmulatorProcess) -> PeopleStore:
    """Repositories over tables of this file's own."""
    return a_store(make_resources(emulator.endpoint))


def _connected(
    store: PeopleStore,
    *,
    platform: Platform = Platform.TIKTOK,
    handle: str = "@lighthouse",
    remote_identity: str | None = None,
) -> tuple[Caller, Account]:
    """Connect an account in a workspace of its own; return its owner's caller too."""
    workspace, owner = a_workspace(store)
    account = an_account(
        store, workspace, platform=platform, handle=handle, remote_identity=remote_identity
    )
    store.accounts.add(account)
    return the_caller(store, a_key(store, owner)[1]), account


class AnsweringCreators(Creators):
    """Creators of whom TikTok says something."""

    def read(self, account: Account) -> CreatorOptions:
        return sandbox_creator(account.id, "fresh from TikTok")


def _accounts(store: PeopleStore, creators: type[Creators] = Creators) -> Accounts:
    """Return the use cases of a build that knows no platform."""
    connectors = Connectors(sandbox={}, real={})
    kept = cast("SealedTokenStore", store.tokens)
    tokens = TokenKeeper(store=kept, clock=store.clock)  # nobody signs in
    asked = creators(connectors=connectors, tokens=tokens, clock=store.clock)
    choices = AccountChoices(
        connectors=connectors, tokens=tokens, creators=asked, clock=store.clock
    )
    return Accounts(accounts=store.accounts, creators=asked, choices=choices, calls=CallsOut())


def test_a_test_account_offers_everything(store: PeopleStore) -> None:
    caller, account = _connected(store)

    offered = _accounts(store).creator_options(caller, account.id, MediaKind.VIDEO)

    assert (offered.account_id, offered.handle, offered.can_post) == (
        account.id,
        "@lighthouse",
        True,
    )
    assert offered.offered == {"PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"}


def test_a_photo_cannot_be_dueted(store: PeopleStore) -> None:
    caller, account = _connected(store)

    offered = _accounts(store).creator_options(caller, account.id, MediaKind.IMAGE)

    allowed = offered.interactions
    assert (allowed.comment, allowed.duet, allowed.stitch) == (True, False, False)


@pytest.mark.parametrize(
    ("handle", "error"),
    [
        ("@a sandbox:tiktok_unsupported", TiktokUnsupported),
        ("sandbox:tiktok_unreachable", TiktokUnreachable),
    ],
)
def test_a_handle_steers_a_test_account(
    store: PeopleStore, handle: str, error: type[ServiceError]
) -> None:
    caller, account = _connected(store, handle=handle)

    with pytest.raises(error):
        _accounts(store).creator_options(caller, account.id, MediaKind.VIDEO)


def test_an_account_of_another_platform_is_not_supported(store: PeopleStore) -> None:
    caller, account = _connected(store, platform=Platform.YOUTUBE)

    with pytest.raises(TiktokUnsupported):
        _accounts(store).creator_options(caller, account.id, MediaKind.VIDEO)


def test_an_account_of_another_workspace_is_not_found(store: PeopleStore) -> None:
    caller, _ = _connected(store)
    _, foreign = _connected(store)

    with pytest.raises(AccountNotFound):
        _accounts(store).creator_options(caller, foreign.id, MediaKind.VIDEO)


def test_a_real_account_is_read_from_tiktok(store: PeopleStore) -> None:
    caller, account = _connected(store, remote_identity="open-id-1")

    offered = _accounts(store, AnsweringCreators).creator_options(
        caller, account.id, MediaKind.VIDEO
    )

    assert offered.handle == "fresh from TikTok"


def test_a_build_that_cannot_ask_tiktok_says_so(store: PeopleStore) -> None:
    caller, account = _connected(store, remote_identity="open-id-1")

    with pytest.raises(TiktokUnsupported):
        _accounts(store).creator_options(caller, account.id, MediaKind.VIDEO)
