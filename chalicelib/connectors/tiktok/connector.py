"""TikTok, step by step: developers.tiktok.com/doc/content-posting-api-get-started.

The creator's settings are read first. A video is uploaded in chunks, of which the last publishes
it; a photo is fetched by TikTok after the one call that publishes it. There is no idempotency key,
but an upload tells how far it is. Posts cannot be deleted.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    LivePost,
    Publication,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.shared.auth.sign_in import Identity, SignInMethod
from chalicelib.connectors.shared.calls.failures import RejectedError, refusal_of
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.prechecks import refuse_unreachable_media
from chalicelib.connectors.tiktok import staged
from chalicelib.connectors.tiktok.account import (
    DRAFT_SCOPES,
    TikTokSignIn,
    identity,
    name_fields,
    name_of,
    scopes_of,
)
from chalicelib.connectors.tiktok.api import TikTokApi, TikTokHosts
from chalicelib.connectors.tiktok.errors import ERRORS, error_codes
from chalicelib.connectors.tiktok.media import LAST_CHUNK, TikTokMedia
from chalicelib.connectors.tiktok.metrics import metrics_of
from chalicelib.connectors.tiktok.post import (
    ChunkSizes,
    allowed_interactions,
    creator_options,
    find_creator_problem,
    is_draft,
    photo_address,
    photo_body,
    precheck,
)
from chalicelib.connectors.tiktok.processing import PROCESSING, processing, step_after_upload
from chalicelib.connectors.tiktok.reconciliation import reconcile
from chalicelib.connectors.tiktok.refusals import TikTokRefusal
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    Checkpoint,
    Failed,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Wait,
)
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import NotSentError, UnansweredError
from chalicelib.kit.transport.responses import count

PHOTO = "photo"
_FRESH_FOR = timedelta(minutes=15)


class TikTokConnector:
    """One creator's account."""

    platform: ClassVar[Platform] = Platform.TIKTOK
    irreversible: ClassVar[frozenset[str]] = frozenset({LAST_CHUNK, PHOTO})
    step_timeout: ClassVar[timedelta] = timedelta(hours=24)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 20
    metrics_calls: ClassVar[int] = 1_000
    stage = staticmethod(staged.stage)

    def __init__(
        self,
        hosts: TikTokHosts | None = None,
        *,
        clock: Clock = system_clock,
        sizes: ChunkSizes | None = None,
    ) -> None:
        hosts = hosts or TikTokHosts()
        self._http = PlatformHttp(Platform.TIKTOK, ERRORS, error_codes, clock=clock)
        self._api = TikTokApi(self._http, hosts)
        self._media = TikTokMedia(self._api, sizes or ChunkSizes())
        self.oauth = TikTokSignIn(hosts, clock)
        drafting = TikTokSignIn(hosts, clock, DRAFT_SCOPES)
        self.methods: Mapping[str, SignInMethod] = {
            "direct": SignInMethod(self.oauth, self.identities, "publish by itself"),
            "draft": SignInMethod(drafting, self.identities, "drafts to your inbox too"),
        }

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in."""
        del now
        return [identity(self._api, tokens)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the sign-in."""
        del account, now
        return self.oauth.refresh(tokens)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return the picture; followers need a scope that the sign-in does not ask for."""
        names = name_fields(scopes_of(account.extra))
        me = self._api.user(account.token or "", f"open_id,avatar_url,{names}")
        return SeenProfile.of(None, me.find("data", "user", "avatar_url"), name_of(me))

    # Publishing.

    def read_creator(self, account: ConnectedAccount, now: datetime) -> CreatorOptions:
        """Return what the creator can choose for the next post."""
        del now
        return creator_options(account, self._api.creator(account))

    def start(self, publication: Publication) -> Outcome:
        """Refuse a file that TikTok does not take or cannot fetch, and drafts without leave."""
        if is_draft(publication) and publication.account.settings.get("login") == "direct":
            return TikTokRefusal.NO_DRAFTS.end()
        return precheck(publication.require_media()) or Wait(Checkpoint("creator"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "creator": self._creator,
            "init": self._init,
            "chunk": self._media.chunk,
            LAST_CHUNK: self._media.last_chunk,
            "resync": self._media.resync,
            PHOTO: self._photo,
            PROCESSING: self._processing,
        }
        return take_step(steps, publication, checkpoint)

    def _creator(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Hold the post against what the creator offers now."""
        checked = self._apply_creator_settings(publication, data)
        if isinstance(checked, Failed):
            return checked
        is_video = publication.require_media().kind is MediaKind.VIDEO
        return Wait(Checkpoint("init" if is_video else PHOTO, checked))

    def _apply_creator_settings(
        self, publication: Publication, data: dict[str, Json]
    ) -> dict[str, Json] | Failed:
        """Return what is known with the creator's settings, or why they forbid this post."""
        response = self._api.creator(publication.account)
        creator = creator_options(publication.account, response)
        if not creator.can_post:
            raise self._api.read_error(response)
        return find_creator_problem(creator, publication) or {
            **data,
            "username": creator.handle,
            "may": allowed_interactions(creator),
            "checked_at": publication.now.isoformat(),
        }

    def _init(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Open the upload, under settings that are fresh."""
        if _is_stale(data, publication.now):
            return Wait(Checkpoint("creator", data))
        return self._media.init(publication, data)

    def _photo(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Let TikTok fetch the photo and publish it, under settings that are fresh."""
        address = photo_address(publication.require_media())
        if address is None:
            return refuse_unreachable_media(Platform.TIKTOK)
        checked = self._with_fresh_settings(publication, data)
        if isinstance(checked, Failed):
            return checked
        try:
            body = photo_body(publication, checked, address)
            publish_id = self._api.init_photo(publication.account, body)
        except RejectedError as error:
            # An address that was not verified stays so until the operator sees to it.
            is_final = error.code is FailureCode.MEDIA_UNAVAILABLE
            return refusal_of(error, final=is_final)
        inits = count(checked, "inits") + 1
        return step_after_upload({**checked, "publish_id": publish_id, "inits": inits})

    def _with_fresh_settings(
        self, publication: Publication, data: dict[str, Json]
    ) -> dict[str, Json] | Failed:
        """Read old settings anew; that they cannot be read leaves no doubt about the photo."""
        if not _is_stale(data, publication.now):
            return data
        try:
            return self._apply_creator_settings(publication, data)
        except UnansweredError as error:
            raise NotSentError(str(error)) from error

    def _processing(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Ask how far TikTok is."""
        return processing(self._api, publication, data)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Ask TikTok what became of the call."""
        is_upload = checkpoint.step == LAST_CHUNK
        lasts = self._media.last_deadline(publication) if is_upload else CALL_DEADLINE
        return reconcile(self._api, publication, checkpoint, sent, lasts)

    # What is live.

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the counts of public posts; nothing is told of others, even whether they are."""
        return metrics_of(self._api, lives)


def _is_stale(data: Mapping[str, Json], now: datetime) -> bool:
    checked_at = data.get("checked_at")
    return not isinstance(checked_at, str) or now > datetime.fromisoformat(checked_at) + _FRESH_FOR


def make(deployed: Deployed) -> TikTokConnector:
    """Return the connector of a deployment."""
    return TikTokConnector(deployed.hosts(TikTokHosts), clock=deployed.clock)
