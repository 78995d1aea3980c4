"""Everything a request can call, in one place: `bootstrap` builds it, endpoints pick from it."""

from dataclasses import dataclass

from chalicelib.services.accounts import Accounts
from chalicelib.services.authentication import Authentication
from chalicelib.services.direct_uploads import DirectUploads
from chalicelib.services.drafts import Drafts
from chalicelib.services.golden_hours import GoldenHours
from chalicelib.services.live_posts import LivePosts
from chalicelib.services.media_library import MediaLibrary
from chalicelib.services.posts_reader import PostsReader
from chalicelib.services.queue_slots import QueueSlots
from chalicelib.services.results import Results
from chalicelib.services.scheduling import Scheduling


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The use cases of the API, one object per resource."""

    authentication: Authentication
    accounts: Accounts
    media_library: MediaLibrary
    direct_uploads: DirectUploads
    drafts: Drafts
    posts_reader: PostsReader
    scheduling: Scheduling
    live_posts: LivePosts
    golden_hours: GoldenHours
    queue_slots: QueueSlots
    results: Results
