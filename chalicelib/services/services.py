"""Everything a request can call, in one place: `bootstrap` builds it, endpoints pick from it."""

from dataclasses import dataclass

from chalicelib.services.analytics.analytics import Analytics
from chalicelib.services.health import Health
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.fetched_uploads import FetchedUploads
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.golden_hours import GoldenHours
from chalicelib.services.posts.live_posts import LivePosts
from chalicelib.services.posts.queue_slots import QueueSlots
from chalicelib.services.posts.reading import PostsReader
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.services.workspace.accounts import Accounts
from chalicelib.services.workspace.authentication import Authentication
from chalicelib.services.workspace.choices import AccountChoices


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The use cases of the API, one object per resource."""

    authentication: Authentication
    accounts: Accounts
    choices: AccountChoices
    media_library: MediaLibrary
    direct_uploads: DirectUploads
    fetched_uploads: FetchedUploads
    drafts: Drafts
    checks: PostChecks
    posts_reader: PostsReader
    scheduling: Scheduling
    live_posts: LivePosts
    golden_hours: GoldenHours
    queue_slots: QueueSlots
    analytics: Analytics
    health: Health
