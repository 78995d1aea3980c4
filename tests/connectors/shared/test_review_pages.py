"""What reviewers are told of scopes is what people are asked for: no more and no less.

A scope without a reason, or a reason without a scope, delays TikTok's audit, Meta's review and
Google's verification (each page in docs/reviews names its source).
"""

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.auth.sign_in import (
    BrowserSignIn,
    HasSignInMethods,
    SignsInByBrowser,
)
from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.platforms.platform import Platform
from tests.support.emulator import PROJECT
from tests.support.frozen_clock import FrozenClock

P = Platform
PAGES = {
    "tiktok.md": (P.TIKTOK,),
    "meta.md": (P.FACEBOOK, P.INSTAGRAM, P.THREADS),
    "google.md": (P.YOUTUBE, P.GOOGLE_BUSINESS_PROFILE),
}
_SCOPE = re.compile(
    r"`((?:https://www\.googleapis\.com/auth/|user\.info\.|video\.|pages_|instagram_|threads_"
    r"|business_)[a-z_.-]+|read_insights|publish_video)`"
)


@pytest.mark.parametrize("page", PAGES)
def test_a_review_gives_a_reason_for_every_scope_and_for_no_other(page: str) -> None:
    text = (PROJECT / "docs" / "reviews" / page).read_text(encoding="utf-8")
    connectors = real_connectors({}, FrozenClock())

    asked = {
        scope
        for platform in PAGES[page]
        for way in _sign_ins(connectors[platform])
        for scope in _scopes(way)
    }

    assert asked
    assert {found[1] for found in _SCOPE.finditer(text)} == asked


def _sign_ins(connector: object) -> Iterator[BrowserSignIn]:
    if isinstance(connector, HasSignInMethods):
        yield from (method.oauth for method in connector.methods.values())
    elif isinstance(connector, SignsInByBrowser):
        yield connector.oauth


def _scopes(way: BrowserSignIn) -> Iterator[str]:
    pending = way.begin(Client("app", "secret"), "http://127.0.0.1/callback")
    [named] = parse_qs(urlsplit(pending.url).query)["scope"]
    yield from re.split(r"[ ,]", named)
