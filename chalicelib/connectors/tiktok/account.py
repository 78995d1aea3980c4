"""Signing in to TikTok: developers.tiktok.com/doc/login-kit-web, …/login-kit-desktop.

An application with a loopback redirect is a desktop application to TikTok and must use PKCE, with
the challenge in hexadecimal, which is TikTok's own; a web application has an https redirect and
its secret. People may grant some scopes and withhold others.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from chalicelib.connectors.shared.auth.oauth import (
    Client,
    OAuthClient,
    OAuthConfiguration,
    PendingSignIn,
)
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.auth.withheld import require_granted
from chalicelib.connectors.tiktok.api import TikTokApi, TikTokHosts
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

LISTING: Final = "video.list"
_BASIC, _PROFILE, _PUBLISH = "user.info.basic", "user.info.profile", "video.publish"
_SCOPES = (_BASIC, _PROFILE, _PUBLISH, LISTING)
_UPLOAD = "video.upload"
DRAFT_SCOPES = (*_SCOPES, _UPLOAD)
"""…/doc/content-posting-api-reference-upload-video: what puts a draft into the creator's inbox."""

_NEEDED = (_BASIC, _PUBLISH)
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})


class TikTokSignIn:
    """Takes people to TikTok's page and back."""

    def __init__(self, hosts: TikTokHosts, clock: Clock, scopes: tuple[str, ...] = _SCOPES) -> None:
        self._web = OAuthClient(_oauth_configuration(hosts, scopes, pkce=False), clock=clock)
        self._desktop = OAuthClient(_oauth_configuration(hosts, scopes, pkce=True), clock=clock)

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Return the page to open, and what to remember until it redirects."""
        pending = self._for(redirect_uri).begin(client, redirect_uri, handle)
        page, _, query = pending.url.partition("?")
        # TikTok knows no `client_id`, and spells the challenge in its own way
        # (developers.tiktok.com/doc/login-kit-desktop).
        params = {name: text for name, text in parse_qsl(query) if name != "client_id"}
        if "code_challenge" in params:
            params["code_challenge"] = hashlib.sha256(pending.verifier.encode()).hexdigest()
        return replace(pending, url=f"{page}?{urlencode(params)}")

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Trade the code in a redirect for tokens. Raises TokenRejectedError."""
        return self._for(pending.redirect_uri).finish(pending, redirected_to)

    def refresh(self, tokens: Tokens) -> Tokens:
        """Return the next tokens: the refresh token may have changed as well."""
        return self._web.refresh(tokens)

    def _for(self, redirect_uri: str) -> OAuthClient:
        is_loopback = urlsplit(redirect_uri).hostname in _LOOPBACK
        return self._desktop if is_loopback else self._web


def identity(api: TikTokApi, tokens: Tokens) -> Identity:
    """Return the account that signed in. Raises RejectedError when it may not be posted to."""
    granted = scopes_of(tokens.extra)
    require_granted(Platform.TIKTOK, _NEEDED, granted)
    response = api.user(tokens.access, f"open_id,{name_fields(granted)}")
    return Identity(
        remote_identity=response.text("data", "user", "open_id"),
        handle=str(name_of(response) or response.text("data", "user", "display_name")),
        tokens=tokens,
        settings={"login": "draft" if not granted or _UPLOAD in granted else "direct"},
    )


def name_fields(granted: frozenset[str]) -> str:
    """Return the fields that have an account's name, as far as they may be asked for."""
    has_profile = not granted or _PROFILE in granted
    return "display_name,username" if has_profile else "display_name"


def name_of(user: PlatformResponse) -> Json:
    """Return what an account is called by an answer with these fields."""
    fields = user.find("data", "user")
    return find(fields, "username") or find(fields, "display_name")


def scopes_of(extra: Mapping[str, str]) -> frozenset[str]:
    """Return what the person granted, as it was kept beside the tokens."""
    return frozenset(extra.get("scope", "").replace(",", " ").split())


def _oauth_configuration(
    hosts: TikTokHosts, scopes: tuple[str, ...], *, pkce: bool
) -> OAuthConfiguration:
    return OAuthConfiguration(
        platform=Platform.TIKTOK,
        authorize_url=f"{hosts.tiktok_web}/v2/auth/authorize/",
        token_url=f"{hosts.tiktok}/v2/oauth/token/",
        scopes=scopes,
        scope_separator=",",
        id_name="client_key",
        pkce=pkce,
        dead=frozenset({"invalid_grant", "invalid_request"}),
        keeps=("open_id", "scope"),
        # A refresh token is good for a year: a month leaves time for many tries.
        renew_every=timedelta(days=30),
    )
