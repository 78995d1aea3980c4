"""How posts do: learn.microsoft.com/linkedin, "Share statistics" and "Post statistics".

An organization's posts are asked about together; a member's one by one, one count per call, and
only with a permission that few applications have. What is not told is left out, never zero.
"""

from collections.abc import Sequence

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.linkedin.api import (
    LinkedInRest,
    encode_list,
    encode_urn,
    is_organization,
)
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count, find

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
        asked = "".join(f"&{kind}={encode_list(some)}" for kind, some in kinds.items() if some)
        who = f"q=organizationalEntity&organizationalEntity={encode_urn(account.remote_id or '')}"
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
        entity = f"({name}:{encode_urn(urn)})"
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
