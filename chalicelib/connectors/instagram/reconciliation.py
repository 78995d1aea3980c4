"""How a post of ours is found in the account's own lists again: by caption, kind and time.

Stories have no caption, so what is found of them is known for ours only when their container says
that it was published.
"""

from datetime import datetime, timedelta
from functools import partial

from chalicelib.connectors.connector import Posted, Publication
from chalicelib.connectors.instagram.api import NEWEST, InstagramApi
from chalicelib.connectors.instagram.post import is_story, product_of
from chalicelib.connectors.shared.meta.reconciliation import (
    ContainerReconciliation,
    as_done,
    as_posted,
    is_since,
)
from chalicelib.connectors.shared.reconciliation import newest_posted, shows_text
from chalicelib.domain.outcome import Done, Sent
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

# developers.facebook.com/docs/instagram-platform/reference/ig-user/stories lists 24 hours of them.
_STORY_LASTS = timedelta(hours=24)


def container_reconciliation(api: InstagramApi) -> ContainerReconciliation:
    """Return what looks for posts after a lost answer."""
    return ContainerReconciliation(
        api, partial(_find_posts, api), is_telling=lambda publication: not is_story(publication)
    )


def posts_since(
    api: InstagramApi, publication: Publication, since: datetime
) -> list[Posted] | None:
    """Return the account's posts and stories since then; None where the list does not tell."""
    account = publication.account
    if is_story(publication) and publication.now - since > _STORY_LASTS:
        return None
    found: list[Posted] = []
    for edge in ("media", "stories"):
        shown = as_posted(api.posts(account, edge), api.profile(account))
        whole = newest_posted(shown, NEWEST, since)
        if whole is None:
            return None
        found += whole
    return found


def _find_posts(api: InstagramApi, publication: Publication, sent: Sent) -> list[Done]:
    edge = "stories" if is_story(publication) else "media"
    account = publication.account
    ours = [post for post in api.posts(account, edge) if _fits(post, publication, sent)]
    return [as_done(post, api.profile(account)) for post in ours]


def _fits(post: Json, publication: Publication, sent: Sent) -> bool:
    is_of_kind = find(post, "media_product_type") == product_of(publication)
    says_ours = shows_text(find(post, "caption"), sent)
    return is_since(post, sent) and is_of_kind and (says_ours or is_story(publication))
