"""A target in a worker's hands: what it is now, the post it stands on, and the lease that holds it.

Everything that a run keeps goes through here or through `attempts.py`, under the lease.
"""

from datetime import timedelta

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.workers.publishing.leases import Hold


class ClaimedTarget:
    """One target that this worker alone may change."""

    def __init__(self, hold: Hold, post: Post, target: Target) -> None:
        self._hold = hold
        self.post = post
        self.target = target

    @property
    def ref(self) -> TargetRef:
        """The target's name, as the wake message had it."""
        return self._hold.ref

    @property
    def token(self) -> str:
        """The lease's token, which every write is conditional on."""
        return self._hold.token

    @property
    def lease_left(self) -> timedelta:
        """How long nobody else may touch the target."""
        return self._hold.lease_left

    def become(self, target: Target) -> None:
        """Go on with another state that need not be kept yet."""
        self.target = target

    def save(self, target: Target) -> None:
        """Keep progress and go on holding. Raises LeaseLostError."""
        self.target = self._hold.save(target)

    def release(self, target: Target) -> None:
        """Keep progress and let go: the target wakes again at its own time."""
        self._hold.release(target)

    def require(self) -> None:
        """Raise LeaseLostError unless the target is still held."""
        self._hold.require()
