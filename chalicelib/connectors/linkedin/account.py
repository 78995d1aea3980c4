"""Signing in to LinkedIn, for a member's profile or for the pages that the member runs.

learn.microsoft.com/linkedin/shared/authentication. LinkedIn refuses a sign-in that asks for more
than it approved of the application, so pages are a way of their own, and so are a member's figures
(learn.microsoft.com/linkedin/marketing/community-management/members/post-statistics: since July
2025 for applications that were approved for `r_member_postAnalytics`).

learn.microsoft.com/linkedin/marketing/community-management/organizations: "Organization Access
Control by Role" lists every page on which the member has a role, ten at a time unless asked for
more; "Organization Lookup" names pages, also those that the member does not administer.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from chalicelib.connectors.connector import ConnectedAccount, SeenProfile
from chalicelib.connectors.linkedin.api import LinkedInHosts, LinkedInRest, is_organization
from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity, SignInMethod
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import count, find

_MEMBER_SCOPES = ("openid", "profile", "w_member_social")
_COUNTED_SCOPES = (*_MEMBER_SCOPES, "r_member_postAnalytics")
_PAGE_SCOPES = (
    *_MEMBER_SCOPES,
    *("w_organization_social", "r_organization_social", "rw_organization_admin"),
)
_MAY_POST = frozenset(
    {
        "ADMINISTRATOR",
        "CONTENT_ADMINISTRATOR",
        "CONTENT_ADMIN",
        "DIRECT_SPONSORED_CONTENT_POSTER",
        "RECRUITING_POSTER",
    }
)
_ROLES_OF_CALL = 100
_MOST_CALLS = 20
_MAY_NOT = "Your role on this page is {0}, which cannot post. Ask to be made a content admin."


class LinkedInSignIn:
    """The ways to LinkedIn's page and back, and whom they lead to."""

    def __init__(
        self, http: PlatformHttp, rest: LinkedInRest, hosts: LinkedInHosts, clock: Clock
    ) -> None:
        self._http = http
        self._rest = rest
        self._hosts = hosts
        self.oauth = OAuthClient(_oauth_configuration(hosts, _MEMBER_SCOPES), clock=clock)
        ways = (
            ("member", _MEMBER_SCOPES, "your own profile"),
            ("page", _PAGE_SCOPES, "a company's page"),
            ("member-insights", _COUNTED_SCOPES, "your own profile with its figures"),
        )
        self.methods: Mapping[str, SignInMethod] = {
            name: SignInMethod(
                OAuthClient(_oauth_configuration(hosts, scopes), clock=clock),
                self.identities,
                label,
            )
            for name, scopes, label in ways
        }

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return a member's picture; a page's needs more than its sign-in may read."""
        if is_organization(account.remote_id):
            return SeenProfile()
        place = f"{self._hosts.linkedin}/v2/userinfo"
        me = self._http.send(Call(method="GET", url=place, token=account.token))
        return SeenProfile.of(None, me.find("picture"), me.find("name"))

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
        roles = self._roles(tokens)
        names = self._names(tuple(roles), tokens)
        pages = [_page(urn, names, having, tokens) for urn, having in roles.items()]
        return [member, *sorted(pages, key=lambda page: page.barred is not None)]

    def _roles(self, tokens: Tokens) -> dict[str, set[str]]:
        """Return the member's roles by page, none where the application may not ask."""
        found: dict[str, set[str]] = {}
        for call in range(_MOST_CALLS):
            start = call * _ROLES_OF_CALL
            query = f"q=roleAssignee&state=APPROVED&start={start}&count={_ROLES_OF_CALL}"
            try:
                told = self._rest.get(f"organizationAcls?{query}", tokens.access, finder=True)
            except RejectedError:
                return found
            shown = told.items("elements")
            for each in shown:
                urn = find(each, "organization") or find(each, "organizationalTarget")
                found.setdefault(str(urn), set()).add(str(find(each, "role")))
            if len(shown) < _ROLES_OF_CALL and start + len(shown) >= count(
                find(told.json(), "paging"), "total"
            ):
                break
        return found

    def _names(self, urns: Sequence[str], tokens: Tokens) -> dict[str, str]:
        """Return what pages are called; one that LinkedIn does not tell of is left out."""
        found: dict[str, str] = {}
        for first in range(0, len(urns), _ROLES_OF_CALL):
            ids = ",".join(_id_of(urn) for urn in urns[first : first + _ROLES_OF_CALL])
            try:
                told = self._rest.batch(f"organizationsLookup?ids=List({ids})", tokens.access)
            except PlatformError:
                continue  # nameless pages can be connected all the same
            results = told.find("results")
            for page_id, page in results.items() if isinstance(results, dict) else ():
                name = find(page, "vanityName") or find(page, "localizedName")
                if name:
                    found[page_id] = str(name)
        return found


def _page(urn: str, names: Mapping[str, str], roles: Collection[str], tokens: Tokens) -> Identity:
    barred = None
    if _MAY_POST.isdisjoint(roles):
        named = ", ".join(sorted(role.lower().replace("_", " ") for role in roles))
        barred = _MAY_NOT.format(named)
    name = names.get(_id_of(urn), f"Page {_id_of(urn)}")
    return Identity(remote_identity=urn, handle=name, tokens=tokens, barred=barred)


def _id_of(urn: str) -> str:
    return urn.rpartition(":")[2]


def _oauth_configuration(hosts: LinkedInHosts, scopes: tuple[str, ...]) -> OAuthConfiguration:
    return OAuthConfiguration(
        platform=Platform.LINKEDIN,
        authorize_url=f"{hosts.linkedin_oauth}/oauth/v2/authorization",
        token_url=f"{hosts.linkedin_oauth}/oauth/v2/accessToken",
        scopes=scopes,
        pkce=False,
    )
