"""What is looked at before a claimed target's run: may it go out, is it its turn, what goes out.

The publish worker calls `open` right after the claim, and `run` once there is a place for it; None
tells that the target was put off or failed on the spot.
"""

from datetime import timedelta

from chalicelib.connectors.connector import MediaFile, Publication, as_connected
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.outcome import Failed, FailureCode, Sent
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.engine.catch_up import CatchUpRepository
from chalicelib.storage.engine.switch import SwitchState
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.workers.media.preparing import Preparation
from chalicelib.workers.media.shared_copies import BeingMadeError, NotPreparedError
from chalicelib.workers.publishing.endings import DELETED, Endings, Tools
from chalicelib.workers.publishing.leases import ClaimedTarget
from chalicelib.workers.publishing.run import Run
from chalicelib.workers.publishing.signed_connector import SignedConnector

TOO_LATE = timedelta(hours=24)
CATCHING_UP = timedelta(minutes=10)
CONVERSION_TIMEOUT = timedelta(hours=1)
_NEAR, _UNHURRIED_WAIT = timedelta(seconds=15), timedelta(seconds=1)
"""What is due later than that looks for its copy less often: each look costs a claim."""
_LEAST_GAP = timedelta(minutes=2)
"""How long before the engine went on a restored target may have been sent, at the least."""


_GONE = Failed(
    code=FailureCode.ACCOUNT_REMOVED,
    message="The account was disconnected before the post went out."
    " Connect it and make a new post.",
)
_UNTOLD = Failed(
    code=FailureCode.OUTCOME_UNKNOWN,
    message="The account was disconnected while the post was being sent. Check the platform.",
)
_LATE = Failed(
    code=FailureCode.TOO_LATE,
    message="The service was down for more than a day when this was due."
    " Schedule it for a new time.",
)
_NOT_CONVERTED = Failed(
    code=FailureCode.PROCESSING_TIMEOUT,
    message="The file was not converted for the platform within an hour."
    " Retry, or upload a smaller one.",
)
_NO_CONNECTOR = Failed(
    code=FailureCode.PERMISSION_MISSING,
    message="This deployment cannot publish to the platform yet.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflight:
    """Opens runs over claimed targets."""

    tools: Tools
    targets: TargetRepository
    posts: PostRepository
    accounts: AccountRepository
    catch_up: CatchUpRepository
    preparation: Preparation
    connectors: Connectors
    tokens: TokenKeeper

    def open(self, endings: Endings, switch: SwitchState) -> Account | None:
        """Return the account that a held target goes on to, or None when it rests or ended."""
        claimed, post = endings.claimed, endings.claimed.post
        claimed.become(suspect(post, claimed.target, switch))
        account = self.accounts.get(post.workspace_id, claimed.target.account_id)
        stop = self.stop(claimed.target, account)
        if post.deleted_at is not None and _waits_for_a_try(claimed.target):
            stop = DELETED
        if stop is not None:
            endings.fail(stop)
            return None
        return None if self._waits_its_turn(claimed) else account

    def run(self, endings: Endings, account: Account) -> Run | None:
        """Return the run with the file as it goes to this platform; None while there is none."""
        claimed, attachment = endings.claimed, endings.claimed.post.attachment
        if attachment is None:
            return self._run(endings, account, None)
        try:
            going = self.preparation.file_for(claimed.post, attachment, claimed.target, account)
        except BeingMadeError as error:
            self._wait_for_copy(endings, error.wait)
            return None
        except NotPreparedError as error:
            endings.retry_or_fail(error.failed)
            return None
        claimed.become(claimed.target.sending_as(going.recipe, trims=going.trims))
        return self._run(endings, account, going.file)

    def _run(self, endings: Endings, account: Account, media: MediaFile | None) -> Run:
        claimed = endings.claimed
        publication = self.publication(claimed.post, claimed.target, account, media)
        return Run(endings, self.signed_connector(account), publication)

    def _wait_for_copy(self, endings: Endings, wait: timedelta) -> None:
        """Rest while the convert lane makes the file, but not for ever."""
        now = self.tools.clock()
        if now > endings.due_at + CONVERSION_TIMEOUT:
            endings.fail(_NOT_CONVERTED)
        else:
            is_near = now > endings.due_at - _NEAR
            endings.rest_for(wait if is_near else max(wait, _UNHURRIED_WAIT))

    def signed_connector(self, account: Account) -> SignedConnector:
        """Return the account's connector, which signs in by itself. Raises NoConnectorError."""
        serving = self.connectors.serving(as_connected(account))
        return SignedConnector(serving, account, self.tokens)

    def stop(self, target: Target, account: Account | None) -> Failed | None:
        """Return why a target cannot go out at all, or None."""
        if account is None:
            return _UNTOLD if target.is_in_doubt else _GONE
        try:
            self.connectors.serving(as_connected(account))
        except NoConnectorError:
            return _NO_CONNECTOR
        if target.is_in_doubt:
            return None
        due_at = target.due_at or self.tools.clock()
        if self.tools.clock() > due_at + TOO_LATE and target.progress.tries == 0:
            return _LATE
        return None

    def _waits_its_turn(self, claimed: ClaimedTarget) -> bool:
        """Put off a target that is found late after an outage until its account's next place."""
        now, target = self.tools.clock(), claimed.target
        late_since = max(claimed.ref.wake_at, target.due_at or now)
        is_missed = now - late_since > CATCHING_UP
        if not is_missed or target.progress.catching_up or target.is_in_doubt:
            return False
        place = self.catch_up.take_place(target.account_id, now=now)
        if place <= now:
            return False
        claimed.release(target.queue_up(place))
        return True

    def publication(
        self, post: Post, target: Target, account: Account, media: MediaFile | None
    ) -> Publication:
        """Return all that a connector needs to publish a target."""
        now = self.tools.clock()
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


def _waits_for_a_try(target: Target) -> bool:
    """Tell whether a new try begins: after a refusal, or after a worker that died."""
    is_new = target.progress.retries or target.progress.wakes > 1
    return is_new and not target.is_in_doubt


def suspect(post: Post, target: Target, switch: SwitchState) -> Target:
    """Return a target of a restored backup as one to look for before it is sent.

    Whatever its row says: it may have been moved, or sent at once, after the backup. What was in
    doubt in the backup may have been settled since, edited, and sent again.
    """
    since, own = switch.confirm_since, target.progress.sent
    if since is None:
        return target
    until, looked_for = switch.confirm_until or since, target.progress.looked_for
    is_newer = post.created_at > until or (own is not None and own.at > until)
    if is_newer or (looked_for is not None and looked_for >= until):
        return target
    text = target.caption(post.caption) if own is None else own.text
    media_ids = post.media_ids if own is None else own.media_ids
    at = min(since, until - _LEAST_GAP, until if own is None else own.at)
    return target.suspect(Sent(text=text, media_ids=media_ids, at=at, not_after=until))
