"""Signing in to LinkedIn, for a member's profile or for the pages that the member runs.

learn.microsoft.com/linkedin/shared/authentication. LinkedIn refuses a sign-in that asks for more
than it approved of the application, so pages are a way of their own.
"""

from collections.abc import Mapping
from datetime import datetime

from chalicelib.connectors.linkedin.api import LinkedInHosts, LinkedInRest
from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity, SignInMethod
from chalicelib.connectors.shared.transport.failures import RejectedError
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import find
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens

_MEMBER_SCOPES = ("openid", "profile", "w_member_social")
_PAGE_SCOPES = (
    *_MEMBER_SCOPES,
    *("w_organization_social", "r_organization_social", "rw_organization_admin"),
)


class LinkedInSignIn:
    """The ways to LinkedIn's page and back, and whom they lead to."""

    def __init__(
        self, http: PlatformHttp, rest: LinkedInRest, hosts: LinkedInHosts, clock: Clock
    ) -> None:
        self._http = http
        self._rest = rest
        self._hosts = hosts
        self.oauth = OAuthClient(_oauth_configuration(hosts, _MEMBER_SCOPES), clock=clock)
        self.methods: Mapping[str, SignInMethod] = {
            "member": SignInMethod(self.oauth, self.identities),
            "page": SignInMethod(
                OAuthClient(_oauth_configuration(hosts, _PAGE_SCOPES), clock=clock), self.identities
            ),
        }

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the member who signed in, and the pages that this member runs."""
        del now
        place = f"{self._hosts.linkedin}/v2/userinfo"
        me = self._http.send(Call(method="GET", url=place, token=tokens.access))
        member = Identity(
            remote_identity=f"urn:li:person:{me.text('sub')}",
            handle=me.text("name"),
            tokens=tokens,
        )
        return [member, *(self._page(urn, tokens) for urn in self._pages(tokens))]

    def _pages(self, tokens: Tokens) -> list[str]:
        """Return the pages, none where the application may not ask."""
        path = "organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED"
        try:
            response = self._rest.get(path, tokens.access, finder=True)
        except RejectedError:
            return []
        found = response.items("elements")
        return [str(find(e, "organization") or find(e, "organizationalTarget")) for e in found]

    def _page(self, urn: str, tokens: Tokens) -> Identity:
        response = self._rest.get(f"organizations/{urn.rpartition(':')[2]}", tokens.access)
        name = response.find("vanityName") or response.text("localizedName")
        return Identity(remote_identity=urn, handle=str(name), tokens=tokens)


def _oauth_configuration(hosts: LinkedInHosts, scopes: tuple[str, ...]) -> OAuthConfiguration:
    return OAuthConfiguration(
        platform=Platform.LINKEDIN,
        authorize_url=f"{hosts.linkedin_oauth}/oauth/v2/authorization",
        token_url=f"{hosts.linkedin_oauth}/oauth/v2/accessToken",
        scopes=scopes,
        pkce=False,
    )
