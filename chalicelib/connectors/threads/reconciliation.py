"""How a post of ours is found in the Threads profile's own list again: by text, kind and time."""

from datetime import datetime
from functools import partial

from chalicelib.connectors.connector import Posted, Publication
from chalicelib.connectors.shared.meta.reconciliation import (
    CLOCKS_DIFFER,
    ContainerReconciliation,
    as_done,
    as_posted,
    is_since,
)
from chalicelib.connectors.shared.reconciliation import WITNESSES_REACH, newest_posted, shows_text
from chalicelib.connectors.threads.api import PAGE, ThreadsApi
from chalicelib.domain.outcome import Done, Sent
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

_KINDS = {None: "TEXT_POST", MediaKind.IMAGE: "IMAGE", MediaKind.VIDEO: "VIDEO"}


def container_reconciliation(api: ThreadsApi) -> ContainerReconciliation:
    """Return what looks for posts after a lost answer."""
    return ContainerReconciliation(api, partial(_find_posts, api))


def posts_since(api: ThreadsApi, publication: Publication, since: datetime) -> list[Posted] | None:
    """Return the profile's posts since then, None if there are too many for one page."""
    account = publication.account
    shown = api.posts(account, since - WITNESSES_REACH)
    return newest_posted(as_posted(shown, api.profile(account)), PAGE, since)


def _find_posts(api: ThreadsApi, publication: Publication, sent: Sent) -> list[Done]:
    account, since = publication.account, sent.at - CLOCKS_DIFFER
    ours = [post for post in api.posts(account, since) if _fits(post, publication, sent)]
    return [as_done(post, api.profile(account)) for post in ours]


def _fits(post: Json, publication: Publication, sent: Sent) -> bool:
    kind = _KINDS[None if publication.media is None else publication.media.kind]
    is_of_kind = find(post, "media_type") == kind
    return is_since(post, sent) and is_of_kind and shows_text(find(post, "text"), sent)
