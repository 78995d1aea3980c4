"""Google Business Profile, step by step: developers.google.com/my-business/content/posts-data.

One call makes a post, and Google fetches the photo itself; then it reviews the post, which is
watched for a quarter of an hour. What became of a lost call the location's posts tell.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    Posted,
    Publication,
    RemovalError,
    take_step,
)
from chalicelib.connectors.google_business_profile import staged
from chalicelib.connectors.google_business_profile.account import (
    google_business_oauth,
    identities,
)
from chalicelib.connectors.google_business_profile.api import (
    NOT_FOUND,
    GoogleBusinessProfileApi,
    GoogleBusinessProfileHosts,
    is_gone,
)
from chalicelib.connectors.google_business_profile.errors import ERRORS, error_codes
from chalicelib.connectors.google_business_profile.metrics import BATCH, metrics
from chalicelib.connectors.google_business_profile.post import (
    local_post,
    photo_address,
    photo_refusal,
    precheck,
)
from chalicelib.connectors.google_business_profile.reconciliation import (
    leave_refusal_to_step,
    posts_since,
    reconcile,
    rejection,
    taken_data,
    verdict,
)
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError, refusal_of
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError

_FETCHES = 3


class GoogleBusinessProfileConnector:
    """One location of a business."""

    platform: ClassVar[Platform] = Platform.GOOGLE_BUSINESS_PROFILE
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish"})
    # Watching ends by itself; a worker that was away must not fail what Google has taken.
    step_timeout: ClassVar[timedelta] = timedelta(hours=24)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = BATCH
    metrics_calls: ClassVar[int] = 200
    stage = staticmethod(staged.stage)

    def __init__(
        self, hosts: GoogleBusinessProfileHosts | None = None, *, clock: Clock = system_clock
    ) -> None:
        hosts = hosts or GoogleBusinessProfileHosts()
        self._http = PlatformHttp(
            Platform.GOOGLE_BUSINESS_PROFILE, ERRORS, error_codes, clock=clock
        )
        self._api = GoogleBusinessProfileApi(self._http, hosts)
        self.oauth = google_business_oauth(hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the locations that the person may post for."""
        del now
        return list(identities(self._api, tokens))

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the access token; the refresh token stays the same."""
        del account, now
        return self.oauth.refresh(tokens)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Google would refuse, or could not fetch."""
        problem = precheck(publication) or photo_refusal(publication.media)
        if problem is not None:
            return problem
        address = photo_address(publication)
        return address if isinstance(address, Failed) else Wait(Checkpoint("publish"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {"publish": self._publish, "review": self._review}
        return take_step(steps, publication, checkpoint)

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        """Make the post, unless a look has found that Google refused it."""
        if data.get("rejected") is True:
            return rejection(publication)
        address = photo_address(publication)
        if isinstance(address, Failed):
            return address
        try:
            response = self._api.create(publication.account, local_post(publication, address))
        except RejectedError as error:
            return _read_refusal(publication, data, error)
        return verdict(
            publication, response.json(), taken_data(response.identifier("name"), publication.now)
        )

    def _review(self, publication: Publication, data: Data) -> Done | Wait | Failed:
        """See how far Google is; the post is made, so that no trouble in asking can fail it."""
        post: Json = None
        with suppress(PlatformError):
            post = self._api.read(publication.account, str(data["name"])).json()
        return verdict(publication, post, data)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look whether the location has the post, and then how far its review is."""
        if checkpoint.data.get("rejected") is True:
            return decide(Evidence(made_nothing=True), publication.now)
        if checkpoint.step == "review":
            return leave_refusal_to_step(self._review(publication, dict(checkpoint.data)))
        return reconcile(self._api, publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return all that the location has."""
        del since
        return posts_since(self._api, publication)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post."""
        try:
            response = self._api.delete(live.account, live.remote_id)
        except RejectedError as error:
            raise RemovalError(error.message) from error
        if response.status == NOT_FOUND and not is_gone(response):
            raise RemovalError("Google did not find its way to the post.")

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of posts of one location."""
        return metrics(self._api, lives)


def _read_refusal(publication: Publication, data: Data, error: RejectedError) -> Outcome:
    """Return what a refusal of a post means beyond its row in the table."""
    # After a call whose answer was lost, "you have it already" says that it did arrive.
    if error.code is FailureCode.DUPLICATE_CONTENT and "since" in data:
        return Unanswered(Checkpoint("publish", data))
    is_last_fetch = error.code is FailureCode.MEDIA_UNAVAILABLE and (
        publication.tries + 1 >= _FETCHES
    )
    is_set_up_wrong = error.code is FailureCode.PLATFORM_UNAVAILABLE
    final = is_last_fetch or is_set_up_wrong
    return refusal_of(error, final=final)


def make(deployed: Deployed) -> GoogleBusinessProfileConnector:
    """Return the connector of a deployment."""
    return GoogleBusinessProfileConnector(
        deployed.hosts(GoogleBusinessProfileHosts), clock=deployed.clock
    )
