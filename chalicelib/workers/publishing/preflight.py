"""The checks before a claimed target's run: may it go out, is it its turn, is its file ready.

The publish worker calls `open` right after the claim, and `run` once there is a place for it. None
means that the target was postponed or has failed.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from chalicelib.connectors.connector import MediaFile, Publication, as_connected
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.engine.admission import (
    excuse_step,
    find_deletion,
    find_refusal,
    is_near,
    must_catch_up,
    note_lateness,
    suspect,
    without_copy,
)
from chalicelib.domain.engine.decision import Over
from chalicelib.domain.engine.holds import Holds
from chalicelib.domain.engine.verdicts import after, reminder
from chalicelib.domain.outcome import Failed
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.reminders import as_planned
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.engine.catch_up import CatchUpRepository
from chalicelib.storage.engine.switch import EngineSwitch, SwitchState
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.workers.media.preparing import OutgoingMedia, Preparation
from chalicelib.workers.media.shared_copies import BeingMadeError, NotPreparedError
from chalicelib.workers.publishing.application_gate import ApplicationGate
from chalicelib.workers.publishing.leases import ClaimedTarget
from chalicelib.workers.publishing.run import Run
from chalicelib.workers.publishing.signed_connector import SignedConnector
from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper

_AT_ONCE, _LOOKS = timedelta(seconds=1), 6
"""A shorter wait for a copy is spent here: a message would come no earlier, and cost more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflight:
    """Opens runs over claimed targets; `plan_of` reads which plan a workspace has now."""

    keeper: VerdictKeeper
    targets: TargetRepository
    posts: PostRepository
    accounts: AccountRepository
    catch_up: CatchUpRepository
    preparation: Preparation
    connectors: Connectors
    tokens: TokenKeeper
    switch: EngineSwitch
    plan_of: Callable[[str], Plan | None]
    wait: Callable[[float], None] = time.sleep

    def open(self, claimed: ClaimedTarget, switch: SwitchState) -> Account | None:
        """Return the account of a held target, or None if the target was postponed or has ended."""
        post = claimed.post
        claimed.become(suspect(post, claimed.target, switch.confirm_since, switch.confirm_until))
        if self._is_reminded(claimed):
            return None
        woken_for, now = claimed.ref.wake_at, self.keeper.clock()
        excused = excuse_step(claimed.target, woken_for, now)
        claimed.become(note_lateness(excused, woken_for, now))
        account = self.accounts.get(post.workspace_id, claimed.target.account_id)
        refusal = find_deletion(claimed.target, post) or self.refusal(claimed.target, account)
        if refusal is not None:
            self.keeper.keep(claimed, Over(target=claimed.target, failed=refusal))
            return None
        return None if self._waits_its_turn(claimed) else account

    def _is_reminded(self, claimed: ClaimedTarget) -> bool:
        """Save what follows for a target that is only a reminder; return whether it is one."""
        if claimed.target.reminder is None:
            return False
        plan = self.plan_of(claimed.post.workspace_id)
        claimed.become(as_planned(claimed.target, plan))
        verdict = reminder(claimed.target, self.keeper.facts())
        if verdict is not None:
            self.keeper.keep(claimed, verdict)
        return verdict is not None

    def run(self, claimed: ClaimedTarget, account: Account, holds: Holds = ()) -> Run | None:
        """Return the run with the file as this platform gets it; None while it is not ready."""
        attachment, facts = claimed.post.attachment, self.keeper.facts
        if attachment is None:
            return self.run_of(claimed.post, claimed.target, account, None, holds)
        try:
            going = self._file_for(claimed, attachment, account)
        except BeingMadeError as error:
            waits = without_copy(claimed.target, error.since, error.wait, facts())
            self.keeper.keep(claimed, waits)
            return None
        except NotPreparedError as error:
            self.keeper.keep(claimed, after(claimed.target, error.failed, facts()))
            return None
        claimed.become(claimed.target.sending_as(going.recipe, trims=going.trims))
        return self.run_of(claimed.post, claimed.target, account, going.file, holds)

    def _file_for(
        self, claimed: ClaimedTarget, attachment: Attachment, account: Account
    ) -> OutgoingMedia:
        """Return the file that goes out; near the target's second, wait a little for its copy.

        Raises NotPreparedError, BeingMadeError.
        """
        find = self.preparation.file_for
        for _ in range(_LOOKS):
            try:
                return find(claimed.post, attachment, claimed.target, account)
            except BeingMadeError as error:
                if error.wait >= _AT_ONCE or not is_near(claimed.target, self.keeper.clock()):
                    raise
                self.wait(error.wait.total_seconds())
        return find(claimed.post, attachment, claimed.target, account)

    def run_of(
        self,
        post: Post,
        target: Target,
        account: Account,
        media: MediaFile | None,
        holds: Holds = (),
    ) -> Run:
        """Return the run of a target with the file that goes out. Raises NoConnectorError."""
        publication = self.publication(post, target, account, media)
        return Run(self.keeper, self.signed_connector(account, holds), publication)

    def signed_connector(self, account: Account, holds: Holds = ()) -> SignedConnector:
        """Return the account's connector, which signs in by itself. Raises NoConnectorError."""
        serving = self.connectors.serving(as_connected(account))
        make_gate = partial(ApplicationGate, self.switch, account, holds, self.keeper.clock)
        gate = make_gate() if holds else None
        return SignedConnector(serving, account, self.tokens, make_gate, gate)

    def refusal(self, target: Target, account: Account | None) -> Failed | None:
        """Return why a target cannot go out at all, or None."""
        return find_refusal(
            target,
            has_account=account is not None,
            is_served=account is None or self.connectors.can_serve(as_connected(account)),
            now=self.keeper.clock(),
        )

    def _waits_its_turn(self, claimed: ClaimedTarget) -> bool:
        """Postpone a target that is late after an outage to its account's next place in line."""
        now, target = self.keeper.clock(), claimed.target
        if not must_catch_up(target, claimed.ref.wake_at, now):
            return False
        place = self.catch_up.take_place(target.account_id, now=now)
        if place <= now:
            return False
        claimed.release(target.queue_up(place, now=now))
        return True

    def publication(
        self, post: Post, target: Target, account: Account, media: MediaFile | None
    ) -> Publication:
        """Return all that a connector needs to publish a target."""
        now = self.keeper.clock()
        return Publication(
            target_id=target.id,
            account=as_connected(account),
            text=target.caption(post.caption),
            media=media,
            options=target.options,
            due_at=target.due_at or now,
            now=now,
            tries=target.progress.tries,
        )
