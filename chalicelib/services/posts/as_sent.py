"""A target as it will be sent: what its platform's own connector would send now, without sending.

The same steps say what a test account's platform received (`connectors/shared/staging`). The file
is described as it was uploaded; the copy that goes out is made later.
"""

from datetime import datetime

from chalicelib.connectors.connector import MediaFile, Publication, as_connected
from chalicelib.connectors.shared.prechecks import UnreadFile, refusal_ahead
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.connectors.shared.staging import Staged, sent_content
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class AsSent:
    """Says what would be sent of a target."""

    connectors: Connectors

    def of(self, post: Post, target: Target, account: Account, now: datetime) -> Json:
        """Return text, body and what goes beside them; None while the platform would refuse it."""
        file = post.attachment
        lacks_file = file is None and FACTS[target.platform].limits.needs_media
        connector = self.connectors.real.get(target.platform)
        if lacks_file or not isinstance(connector, Staged):
            return None
        publication = Publication(
            target_id=target.id,
            account=as_connected(account),
            text=target.caption(post.caption),
            media=None if file is None else MediaFile.of(file, UnreadFile()),
            options=target.options,
            due_at=target.scheduled_at or now,
            now=now,
        )
        if refusal_ahead(connector, publication) is not None:
            return None
        return sent_content(connector, publication)
