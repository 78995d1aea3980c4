"""Pinterest, step by step: developers.pinterest.com/docs/api/v5, "Pins" and "Media".

POST /v5/pins is what everybody sees: with the photo in it, or with the id of a video that was
uploaded before. It takes no key that would make a second call harmless; what became of a lost one
is read from the board.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    Posted,
    Publication,
    RemovalError,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.pinterest import staged
from chalicelib.connectors.pinterest.account import identity_of, pinterest_choices, pinterest_oauth
from chalicelib.connectors.pinterest.api import PinterestApi, PinterestHosts
from chalicelib.connectors.pinterest.errors import ERRORS, error_codes, is_gone
from chalicelib.connectors.pinterest.media import PinterestVideos
from chalicelib.connectors.pinterest.metrics import PinterestStatistics
from chalicelib.connectors.pinterest.post import pin_body, precheck
from chalicelib.connectors.pinterest.reconciliation import (
    PinterestReconciliation,
    is_own,
    made_at,
    pins_posted,
)
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.reconciliation import all_posted
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import Checkpoint, Done, Outcome, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.choices import BOARD, WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import identifier_in

_NOT_FOUND = 404
_DELETED = frozenset({200, 204, _NOT_FOUND})


class PinterestConnector:
    """One account's boards."""

    platform: ClassVar[Platform] = Platform.PINTEREST
    irreversible: ClassVar[frozenset[str]] = frozenset({"pin"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=30)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 1
    metrics_calls: ClassVar[int] = 100
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: PinterestHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or PinterestHosts()
        self._web = hosts.pinterest_web
        self._http = PlatformHttp(Platform.PINTEREST, ERRORS, error_codes, clock=clock)
        self._api = PinterestApi(self._http, hosts.pinterest)
        self._videos = PinterestVideos(self._api)
        self._look = PinterestReconciliation(self._api)
        self._statistics = PinterestStatistics(self._api)
        self.oauth = pinterest_oauth(hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in."""
        del now
        return [identity_of(self._api, tokens)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the sign-in: the answer brings the next refresh token, too."""
        del account, now
        return self.oauth.refresh(tokens)

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return the account's boards, and the sections of one."""
        return pinterest_choices(self._api, account, query.chosen.get(BOARD))

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Pinterest would refuse; a photo goes along with its pin."""
        media = publication.media
        is_video = media is not None and media.kind is MediaKind.VIDEO
        return precheck(publication) or Wait(Checkpoint("upload" if is_video else "pin"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "upload": self._videos.upload,
            "processing": self._videos.processing,
            "pin": self._pin,
        }
        return take_step(steps, publication, checkpoint)

    def _pin(self, publication: Publication, data: Data) -> Outcome:
        body = pin_body(publication, data)
        made = self._api.post("pins", publication.account.token, body)
        return self._as_done(made.identifier("id"))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look through the board's pins since the call, page by page."""
        found = self._look.find(publication, checkpoint, sent)
        return self._as_done(found) if isinstance(found, str) else found

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return all the account's pins, on any board: in which order is not documented."""
        del since
        account = publication.account

        def read(bookmark: Json) -> tuple[Iterator[Posted], Json]:
            response = pins_posted(self._api, account, bookmark)
            own = (pin for pin in response.items("items") if is_own(pin))
            shown = (
                Posted(live=self._as_done(identifier_in(pin, "id")), made=made_at(pin))
                for pin in own
            )
            return shown, response.find("bookmark") or None

        return all_posted(read, None)

    def _as_done(self, pin: str) -> Done:
        return Done(remote_id=pin, url=f"{self._web}/pin/{pin}/")

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return followers and picture."""
        me = self._api.get("user_account", account.token)
        return SeenProfile.of(
            me.find("follower_count"), me.find("profile_image"), me.find("username")
        )

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete a pin."""
        try:
            response = self._api.delete(
                f"pins/{live.remote_id}", live.account.token, takes=_DELETED
            )
        except RejectedError as error:
            raise RemovalError(error.message) from error
        if response.status == _NOT_FOUND and not is_gone(response):
            raise RemovalError("Pinterest did not delete the pin.")

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of each pin."""
        return [self._statistics.of(live) for live in lives]


def make(deployed: Deployed) -> PinterestConnector:
    """Return the connector of a deployment."""
    return PinterestConnector(deployed.hosts(PinterestHosts), clock=deployed.clock)
