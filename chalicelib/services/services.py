"""Everything a request can call, in one place: `bootstrap` builds it, endpoints pick from it.

Each part is built, and imported, when a request first asks for it: a request needs few of them,
and the first one of a new process waits for what it needs.
"""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chalicelib.services.analytics import Analytics
    from chalicelib.services.health import Health
    from chalicelib.services.media.direct_uploads import DirectUploads
    from chalicelib.services.media.fetched_uploads import FetchedUploads
    from chalicelib.services.media.library import MediaLibrary
    from chalicelib.services.posts.checks import PostChecks
    from chalicelib.services.posts.drafts import Drafts
    from chalicelib.services.posts.live_posts import LivePosts
    from chalicelib.services.posts.reading import PostsReader
    from chalicelib.services.posts.scheduling import Scheduling
    from chalicelib.services.posts.times import GoldenHours, QueueSlots
    from chalicelib.services.workspace.accounts import Accounts
    from chalicelib.services.workspace.authentication import Authentication
    from chalicelib.services.workspace.choices import AccountChoices


class Services(Protocol):
    """The use cases of the API, one object per resource."""

    @property
    def authentication(self) -> "Authentication":
        """Return who calls."""
        ...

    @property
    def accounts(self) -> "Accounts":
        """Return connected accounts."""
        ...

    @property
    def choices(self) -> "AccountChoices":
        """Return what accounts offer."""
        ...

    @property
    def media_library(self) -> "MediaLibrary":
        """Return a workspace's files."""
        ...

    @property
    def direct_uploads(self) -> "DirectUploads":
        """Return uploads that go straight to S3."""
        ...

    @property
    def fetched_uploads(self) -> "FetchedUploads":
        """Return uploads that we fetch from an address."""
        ...

    @property
    def drafts(self) -> "Drafts":
        """Return posts as they are written."""
        ...

    @property
    def checks(self) -> "PostChecks":
        """Return checks of posts ahead of their time."""
        ...

    @property
    def posts_reader(self) -> "PostsReader":
        """Return posts as they are read."""
        ...

    @property
    def scheduling(self) -> "Scheduling":
        """Return when posts go out."""
        ...

    @property
    def live_posts(self) -> "LivePosts":
        """Return removal of live posts."""
        ...

    @property
    def golden_hours(self) -> "GoldenHours":
        """Return the best hours."""
        ...

    @property
    def queue_slots(self) -> "QueueSlots":
        """Return queue times."""
        ...

    @property
    def analytics(self) -> "Analytics":
        """Return results."""
        ...

    @property
    def health(self) -> "Health":
        """Return whether the service can keep what it is told."""
        ...
