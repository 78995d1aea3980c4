"""How LinkedIn's versioned REST API is called: learn.microsoft.com/linkedin/marketing/versioning.

Every call names a version, of which each lives a year. Rest.li writes lists and records into the
query with literal brackets and commas, so the addresses are put together here and encoded once.

How posts do ("share statistics", "post statistics"): an organization's posts are asked about
together; a member's one by one, one count per call, and only with a permission that few
applications have. What is not told is left out, never zero.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import quote

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.transport.bodies import JsonBody
from chalicelib.connectors.shared.transport.failures import RejectedError, UnansweredError
from chalicelib.connectors.shared.transport.hosts import LINKEDIN_VERSION
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import PlatformResponse, count, find
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.outcome import FailureCode, Json

_GOOD = frozenset({200, 201, 204})


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedInHosts:
    """Where LinkedIn answers: its API, its sign-in, and the site that people see."""

    linkedin: str = "https://api.linkedin.com"
    linkedin_oauth: str = "https://www.linkedin.com"
    linkedin_web: str = "https://www.linkedin.com"
    linkedin_version: str = LINKEDIN_VERSION


class LinkedInRest:
    """Calls below /rest; safe to share between threads."""

    def __init__(self, http: PlatformHttp, hosts: LinkedInHosts) -> None:
        self._http = http
        self._host = hosts.linkedin
        self._version = hosts.linkedin_version

    def get(self, path: str, token: str | None, *, finder: bool = False) -> PlatformResponse:
        """Read something; a finder is a search."""
        method = {"X-RestLi-Method": "FINDER"} if finder else {}
        return self._send(Call(method="GET", url=self._address(path), token=token, headers=method))

    def post(
        self, path: str, token: str | None, body: Json, *, takes: frozenset[int] = _GOOD
    ) -> PlatformResponse:
        """Make something, or ask for an action."""
        return self._send(
            Call(
                method="POST",
                url=self._address(path),
                token=token,
                body=JsonBody(body),
                takes=takes,
            )
        )

    def delete(self, path: str, token: str | None, *, takes: frozenset[int]) -> PlatformResponse:
        """Delete something."""
        method = {"X-RestLi-Method": "DELETE"}
        call = Call(
            method="DELETE", url=self._address(path), token=token, headers=method, takes=takes
        )
        return self._send(call)

    def _address(self, path: str) -> str:
        return f"{self._host}/rest/{path}"

    def _send(self, call: Call) -> PlatformResponse:
        versions = {"LinkedIn-Version": self._version, "X-Restli-Protocol-Version": "2.0.0"}
        return self._http.send(replace(call, headers={**versions, **call.headers}))


def is_organization(urn: str | None) -> bool:
    """Tell an organization from a member."""
    return urn is not None and urn.startswith("urn:li:organization:")


def encoded(urn: str) -> str:
    """Return a URN as it stands in paths and queries."""
    return quote(urn, safe="")


def listed(urns: Iterable[str]) -> str:
    """Return URNs as a Rest.li list."""
    return f"List({','.join(encoded(urn) for urn in urns)})"


_SHARE = "urn:li:share:"
_COUNTS = {"views": "IMPRESSION", "likes": "REACTION", "comments": "COMMENT", "shares": "RESHARE"}


class LinkedInStatistics:
    """Asks how posts of one account do."""

    def __init__(self, rest: LinkedInRest) -> None:
        self._rest = rest

    def of(self, lives: Sequence[LivePost]) -> list[Metrics | None]:
        """Return the figures of each post."""
        if is_organization(lives[0].account.remote_id):
            return list(self._of_organization(lives))
        return list(self._of_member(lives))

    def _of_organization(self, lives: Sequence[LivePost]) -> list[Metrics]:
        account = lives[0].account
        urns = [live.remote_id for live in lives]
        kinds = {
            "shares": [urn for urn in urns if urn.startswith(_SHARE)],
            "ugcPosts": [urn for urn in urns if not urn.startswith(_SHARE)],
        }
        asked = "".join(f"&{kind}={listed(some)}" for kind, some in kinds.items() if some)
        who = f"q=organizationalEntity&organizationalEntity={encoded(account.remote_id or '')}"
        path = f"organizationalEntityShareStatistics?{who}{asked}"
        response = self._rest.get(path, account.token, finder=True)
        found = {_urn(element): _metrics(element) for element in response.items("elements")}
        return [found.get(urn, Metrics()) for urn in urns]

    def _of_member(self, lives: Sequence[LivePost]) -> list[Metrics]:
        told: list[Metrics] = []
        for live in lives:
            try:
                told.append(self._of_post(live))
            except RejectedError as error:
                if error.code is not FailureCode.PERMISSION_MISSING:
                    raise
                return [Metrics()] * len(lives)
        return told

    def _of_post(self, live: LivePost) -> Metrics:
        """Ask count by count; one that LinkedIn does not answer is left out."""
        return Metrics(**{name: self._count(live, kind) for name, kind in _COUNTS.items()})

    def _count(self, live: LivePost, kind: str) -> int | None:
        urn = live.remote_id
        name = "share" if urn.startswith(_SHARE) else "ugc"
        entity = f"({name}:{encoded(urn)})"
        query = f"q=entity&entity={entity}&queryType={kind}&aggregation=TOTAL"
        path = f"memberCreatorPostAnalytics?{query}"
        try:
            return _total(self._rest.get(path, live.account.token, finder=True))
        except UnansweredError:
            return None


def _total(response: PlatformResponse) -> int | None:
    """Read the first element; some say `count`, some `value`."""
    for name in ("count", "value"):
        if isinstance(response.find("elements", 0, name), int):
            return count(response.find("elements", 0), name)
    return None


def _urn(element: Json) -> str:
    return str(find(element, "share") or find(element, "ugcPost"))


def _metrics(element: Json) -> Metrics:
    counts = find(element, "totalShareStatistics")
    if not isinstance(counts, dict):
        return Metrics()
    return Metrics(
        views=count(counts, "impressionCount"),
        likes=count(counts, "likeCount"),
        comments=count(counts, "commentCount"),
        shares=count(counts, "shareCount"),
    )
