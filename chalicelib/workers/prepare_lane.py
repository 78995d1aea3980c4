"""Handles a message of the prepare queue: checks a target ahead of its time, or works on it."""

from collections.abc import Callable

from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.risks import PostRisks
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.workers.publishing.worker import PublishWorker


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareLane:
    """Does everything that targets wake for, except their visible call at the second."""

    risks: PostRisks
    worker: PublishWorker
    read_switch: Callable[[], SwitchState]

    def run(self, ref: TargetRef) -> None:
        """Check a target that is due soon, or work on it unless the engine is paused."""
        if ref.kind.is_check:
            self.risks.check(ref)
        else:
            self.worker.run(ref, self.read_switch())
