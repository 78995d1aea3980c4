"""How a Threads post of ours is found in the profile's own list: text, kind and time must fit."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.meta.reconciliation import (
    CLOCKS_DIFFER,
    ContainerReconciliation,
    is_since,
    listed,
)
from chalicelib.connectors.text_comparison import is_same_text
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.connectors.transport.responses import PlatformResponse, find
from chalicelib.domain.outcome import Done, Json, Sent
from chalicelib.domain.platforms.platform import MediaKind

_KINDS = {None: "TEXT_POST", MediaKind.IMAGE: "IMAGE", MediaKind.VIDEO: "VIDEO"}


def status_of(response: PlatformResponse) -> str | None:
    """Read a container's status."""
    told = response.find("status")
    return told if isinstance(told, str) else None


def container_reconciliation(api: ThreadsApi) -> ContainerReconciliation:
    """Return what looks for posts after a lost answer."""
    return ContainerReconciliation(
        api, status_of, lambda publication, sent: _found(api, publication, sent)
    )


def _found(api: ThreadsApi, publication: Publication, sent: Sent) -> list[Done]:
    account, since = publication.account, sent.at - CLOCKS_DIFFER
    ours = [post for post in api.posts(account, since) if _fits(post, publication, sent)]
    return [listed(post, api.profile(account)) for post in ours]


def _fits(post: Json, publication: Publication, sent: Sent) -> bool:
    kind = _KINDS[None if publication.media is None else publication.media.kind]
    is_of_kind = find(post, "media_type") == kind
    return is_since(post, sent) and is_of_kind and is_same_text(find(post, "text"), sent.text)
