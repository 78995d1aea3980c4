"""Picnic, step by step: a photo goes up unseen, then the post appears at once."""

from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    Posted,
    Publication,
    take_step,
)
from chalicelib.connectors.picnic import staged
from chalicelib.connectors.picnic.account import (
    PicnicHosts,
    blankets_of,
    identity_of,
    picnic_oauth,
)
from chalicelib.connectors.picnic.api import PicnicApi
from chalicelib.connectors.picnic.errors import ERRORS, error_codes
from chalicelib.connectors.picnic.metrics import BATCH, metrics_of
from chalicelib.connectors.picnic.post import post_body, precheck
from chalicelib.connectors.picnic.reconciliation import done, list_since, reconcile
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import Checkpoint, Outcome, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens


class PicnicConnector:
    """One person's Picnic account."""

    platform: ClassVar[Platform] = Platform.PICNIC
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=5)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = BATCH
    metrics_calls: ClassVar[int] = 100
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: PicnicHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or PicnicHosts()
        self._http = PlatformHttp(Platform.PICNIC, ERRORS, error_codes, clock=clock)
        self._api = PicnicApi(self._http, hosts.picnic)
        self.oauth = picnic_oauth(hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in."""
        del now
        return [identity_of(self._api, tokens)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the sign-in."""
        del account, now
        return self.oauth.refresh(tokens)

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return the account's blankets."""
        del query
        return blankets_of(self._api, account)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Picnic would refuse."""
        first = "publish" if publication.media is None else "photo"
        return precheck(publication) or Wait(Checkpoint(first))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {"photo": self._photo, "publish": self._publish}
        return take_step(steps, publication, checkpoint)

    def _photo(self, publication: Publication, data: Data) -> Outcome:
        photo = self._api.upload(publication.account, publication.require_media())
        return Wait(Checkpoint("publish", {**data, "photo": photo}))

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        return done(self._api.publish(publication.account, post_body(publication, data)))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look through what the account has posted."""
        return reconcile(self._api, publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the account has posted since then."""
        return list_since(self._api, publication, since)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post."""
        self._api.delete(live.account, live.remote_id)

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return how often posts were seen and liked."""
        return metrics_of(self._api, lives)


def make(deployed: Deployed) -> PicnicConnector:
    """Return the connector of a deployment."""
    return PicnicConnector(deployed.hosts(PicnicHosts), clock=deployed.clock)
