"""Signing in to Google Business Profile: developers.google.com/my-business/content/implement-oauth.

A person's sign-in opens the locations of their own account and of the groups that they manage; each
is an account of ours. Posts want a location's name below its account's.
"""

from collections.abc import Iterator

from chalicelib.connectors.google_business_profile.api import (
    GoogleBusinessProfileApi,
    GoogleBusinessProfileHosts,
)
from chalicelib.connectors.shared.auth.google import GoogleSignInHosts, google_oauth
from chalicelib.connectors.shared.auth.oauth import OAuthClient
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

_SCOPES = ("https://www.googleapis.com/auth/business.manage",)
_NOT_OWNED = "{0} (not verified yet: Google takes no posts)"


def google_business_oauth(hosts: GoogleBusinessProfileHosts, clock: Clock) -> OAuthClient:
    """Return the way to Google's sign-in page and back."""
    places = GoogleSignInHosts(
        login=hosts.google_business_login, tokens=hosts.google_business_tokens
    )
    return google_oauth(Platform.GOOGLE_BUSINESS_PROFILE, places, _SCOPES, clock)


def identities(api: GoogleBusinessProfileApi, tokens: Tokens) -> Iterator[Identity]:
    """Yield the locations that the person may post for."""
    for account in api.accounts(tokens.access):
        parent = str(find(account, "name"))
        for location in api.locations(tokens.access, parent):
            yield Identity(
                remote_identity=f"{parent}/{find(location, 'name')}",
                handle=_handle(location),
                tokens=tokens,
                settings=_settings(location),
            )


def _handle(location: Json) -> str:
    """Name a location: shops of a chain differ in nothing but their address.

    One whose owner is not yet in control of it stays to be chosen, because that can change; Google
    leaves the field out as often as it fills it, so only a plain false tells.
    """
    title, street = find(location, "title"), find(location, "storefrontAddress", "addressLines", 0)
    name = ", ".join(str(part) for part in (title, street) if part)
    is_owned = find(location, "metadata", "hasVoiceOfMerchant") is not False
    return name if is_owned else _NOT_OWNED.format(name)


def _settings(location: Json) -> dict[str, Json]:
    link = find(location, "metadata", "mapsUri")
    return {"maps_uri": link} if isinstance(link, str) else {}
