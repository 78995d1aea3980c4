"""Somebody unticks a permission on a platform's page: told when connecting, not at the post.

By Meta, developers.facebook.com/docs/facebook-login/guides/permissions/request-revoke ("declined"),
its pages on Instagram's token answer (`permissions`) and on Threads' debug tokens (`scopes`).
Evidence: "Facebook Login without `pages_manage_posts`: connected without a word, every post fails".
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from chalicelib.connectors.instagram.account import BY_FACEBOOK, BY_INSTAGRAM
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.auth.sign_in import Identity, SignInMethod, SignsInByBrowser
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.facebook import fake as facebook
from tests.connectors.facebook.rig import a_rig as a_page
from tests.connectors.instagram import fake as instagram
from tests.connectors.instagram.rig import a_rig as an_account
from tests.connectors.shared.meta.fake_login import FakeFacebookLogin
from tests.connectors.support.fake_platform import FakePlatform
from tests.connectors.support.places import signed_in
from tests.connectors.threads import fake as threads
from tests.connectors.threads.rig import a_rig as a_profile


@dataclass(frozen=True, slots=True)
class Connecting:
    """Somebody who comes back from a platform's page."""

    platform: FakePlatform
    method: SignsInByBrowser | SignInMethod
    client: Client

    def connect(self) -> list[Identity]:
        """Return what can be connected."""
        try:
            return signed_in(self.method, self.client)
        finally:
            self.platform.close()


def a_facebook_page(granted: frozenset[str] | None) -> Connecting:
    rig = a_page()
    _answer(rig.platform.login, granted)
    client = Client(facebook.CLIENT, facebook.SECRET)
    return Connecting(rig.platform, rig.connector, client)


def an_account_behind_a_page(granted: frozenset[str] | None) -> Connecting:
    rig = an_account(by_facebook=True)
    _answer(rig.platform.login, granted)
    client = Client(instagram.CLIENT, instagram.SECRET)
    return Connecting(rig.platform, rig.connector.methods[BY_FACEBOOK], client)


def an_instagram_account(granted: Json) -> Connecting:
    rig = an_account()
    rig.platform.permissions = granted
    client = Client(instagram.CLIENT, instagram.SECRET)
    return Connecting(rig.platform, rig.connector.methods[BY_INSTAGRAM], client)


def a_threads_profile(granted: frozenset[str] | None) -> Connecting:
    rig = a_profile()
    rig.platform.granted = sorted(granted or ())
    client = Client(threads.CLIENT, threads.SECRET)
    return Connecting(rig.platform, rig.connector, client)


def _answer(login: FakeFacebookLogin, granted: frozenset[str] | None) -> None:
    login.tells_permissions = granted is not None
    login.declined = set(_ASKED - (granted or frozenset()))


_ASKED = frozenset(
    (
        *("pages_show_list", "pages_read_engagement", "pages_manage_posts"),
        *("instagram_basic", "instagram_content_publish", "public_profile", "business_management"),
    )
)
_PAGES = frozenset({"pages_show_list", "pages_read_engagement", "pages_manage_posts"})
_BEHIND = frozenset({"pages_show_list", "pages_read_engagement", "instagram_basic"})
_OF_INSTAGRAM = ["instagram_business_basic", "instagram_business_content_publish"]


@pytest.mark.parametrize(
    ("connecting", "withheld"),
    [
        (lambda: a_facebook_page(_PAGES - {"pages_manage_posts"}), "pages_manage_posts"),
        (lambda: a_facebook_page(_PAGES - {"pages_show_list"}), "pages_show_list"),
        (lambda: an_account_behind_a_page(_BEHIND), "instagram_content_publish"),
        (
            lambda: an_instagram_account("instagram_business_basic"),
            "instagram_business_content_publish",
        ),
        (lambda: a_threads_profile(frozenset({"threads_basic"})), "threads_content_publish"),
    ],
)
def test_a_withheld_permission_is_named_when_connecting(
    connecting: Callable[[], Connecting], withheld: str
) -> None:
    with pytest.raises(RejectedError) as refused:
        connecting().connect()

    assert refused.value.code == FailureCode.PERMISSION_MISSING
    assert f"was not allowed to grant {withheld}. Sign in again" in refused.value.message


@pytest.mark.parametrize(
    "connecting",
    [
        lambda: a_facebook_page(_PAGES),
        lambda: a_facebook_page(None),
        lambda: an_account_behind_a_page(_BEHIND | {"instagram_content_publish"}),
        lambda: an_account_behind_a_page(None),
        lambda: an_instagram_account(""),
        lambda: an_instagram_account(list[Json](_OF_INSTAGRAM)),
        lambda: a_threads_profile(None),
    ],
)
def test_what_was_granted_or_is_not_told_hinders_nobody(
    connecting: Callable[[], Connecting],
) -> None:
    """Insights and comments may be unticked: posts go out without them."""
    assert [one for one in connecting().connect() if one.barred is None]
