"""What is read of a workspace before something is decided about a post: a plain value.

`storage/posts/known` reads it in one round trip; drafts, edits, schedules and checks use it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field

from chalicelib.domain.errors import PlanLimit
from chalicelib.domain.media.media import Media
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.plans import Use, allowance_message
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Connected accounts and postable files by id, counters by name, and a repeated key's post."""

    accounts: Mapping[str, Account] = field(default_factory=dict)
    media: Mapping[str, Media] = field(default_factory=dict)
    counters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    made_post_id: str | None = None
    made_of: str | None = None
    """The fingerprint of the draft that the key was sent with; rows of earlier versions lack it."""

    def require_room(self, uses: Iterable[Use]) -> None:
        """Check that the uses would fit, without using anything up. Raises PlanLimit."""
        asked: dict[tuple[str, str], int] = {}
        for use in uses:
            name = (use.counter, use.unit)
            asked[name] = asked.get(name, 0) + use.units
            used = self.counters.get(use.counter, {}).get(use.unit, 0)
            if use.limit is not None and used + asked[name] > use.limit:
                raise PlanLimit(allowance_message(use))
