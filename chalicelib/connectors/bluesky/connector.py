"""Bluesky, step by step: docs.bsky.app/docs/advanced-guides/posts, atproto.com/lexicons.

Uploads are invisible; the record is what everybody sees. It is written under a key that follows
from the target, with what is to be written kept beforehand, so that writing again changes nothing,
and looking under the key tells for certain what became of a write.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar

from chalicelib.connectors.bluesky import staged
from chalicelib.connectors.bluesky.account import BlueskyHosts, BlueskySessions
from chalicelib.connectors.bluesky.api import AccountCalls, BlueskyRepository
from chalicelib.connectors.bluesky.comments import (
    BlueskyComments,
    as_done,
    comments_on,
    is_comment,
    unfit_comment,
)
from chalicelib.connectors.bluesky.errors import ERRORS, error_codes
from chalicelib.connectors.bluesky.media import BlueskyVideo, blob_of, most_bytes
from chalicelib.connectors.bluesky.media_parts import PARTS_FROM, VideoUpload
from chalicelib.connectors.bluesky.metrics import metrics_of
from chalicelib.connectors.bluesky.oauth import BlueskyOAuth
from chalicelib.connectors.bluesky.people import people_of
from chalicelib.connectors.bluesky.post import POST, card_embed, gates, post_record, record_key
from chalicelib.connectors.bluesky.profile import profile_of
from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    Publication,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.shared.auth.dpop import ProvenCalls
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.hosts import Deployed, origins_of
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call, PlatformHttp
from chalicelib.connectors.shared.link_cards import LinkCard, LinkCards
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import (
    Checkpoint,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Wait,
)
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.texts.bluesky_facets import mentions
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.domain.version import USER_AGENT
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import BytesBody, FileBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.guarded import GuardedFetch, guarded_session
from chalicelib.kit.transport.responses import find


class BlueskyConnector:
    """Bluesky and every other server of the AT Protocol that holds Bluesky accounts."""

    platform: ClassVar[Platform] = Platform.BLUESKY
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=15)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 25
    metrics_calls: ClassVar[int] = 300
    stage = staticmethod(staged.stage)

    def __init__(
        self,
        hosts: BlueskyHosts | None = None,
        *,
        clock: Clock = system_clock,
        trusted: frozenset[str] = frozenset(),
        parts_from_bytes: int = PARTS_FROM,
    ) -> None:
        self._hosts = hosts or BlueskyHosts()
        trusted |= origins_of(self._hosts)
        self._cards = LinkCards(GuardedFetch(trusted, user_agent=USER_AGENT))
        self._http = PlatformHttp(
            Platform.BLUESKY,
            ERRORS,
            error_codes,
            reset_header="RateLimit-Reset",
            clock=clock,
            session=guarded_session(trusted),
        )
        self._sessions = BlueskySessions(self._http, self._hosts, trusted)
        proven = ProvenCalls(self._http)
        self._calls = AccountCalls(self._http, proven, self._sessions)
        self._repository = BlueskyRepository(self._http, self._calls)
        service = BlueskyVideo(self._http, self._calls, self._hosts.bluesky_video)
        self._videos = VideoUpload(service, parts_from_bytes)
        self._comments = BlueskyComments(self._repository, self._sessions.did_of)
        self.oauth = BlueskyOAuth(self._http, proven, self._sessions, clock)

    # Signing in.

    def sign_in(self, handle: str, app_password: str, now: datetime) -> Identity:
        """Open a session with an app password."""
        return self._sessions.open(handle.removeprefix("@"), app_password, now)

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the one account that a browser signed in to."""
        del now
        return [self.oauth.identity(tokens)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the session, or the browser's sign-in."""
        if "dpop_key" in tokens.extra:
            return self.oauth.refresh(tokens)
        return self._sessions.renew(account, tokens, now)

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return who can be mentioned, found by words."""
        del account
        return people_of(self._http, self._hosts.bluesky_appview, query)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what is too large, and see who is mentioned before anything is uploaded."""
        media, unfit = publication.media, unfit_comment(publication)
        if unfit is not None:
            return unfit
        if media is not None and media.size_bytes > most_bytes(media):
            return refuse(Platform.BLUESKY, FailureCode.MEDIA_TOO_LARGE)
        return Wait(Checkpoint("mentions", {"people": {}}))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "mentions": self._mentions,
            "photo": self._photo,
            **self._videos.steps(),
            "card": self._card,
            "record": self._record,
            "publish": self._publish,
            **self._comments.steps(),
        }
        return take_step(steps, publication, checkpoint)

    def _mentions(self, publication: Publication, data: Data) -> Outcome:
        """Find out who goes by one of the mentioned handles; nobody is no hindrance."""
        people = _texts(data["people"])
        unknown = [handle for handle in mentions(publication.text) if handle not in people]
        if unknown:
            people[unknown[0]] = self._sessions.did_of(unknown[0]) or ""
            return Wait(Checkpoint("mentions", {"people": dict(people)}))
        known: Data = {"people": {h: did for h, did in people.items() if did}}
        return Wait(Checkpoint(_first_upload(publication), known))

    def _card(self, publication: Publication, data: Data) -> Outcome:
        kept = self._cards.prepare(publication, data, partial(self._upload, publication))
        return Wait(Checkpoint("record", kept))

    def read_card(self, link: str) -> LinkCard | None:
        """Return the preview of a link, None if its page cannot be read."""
        return self._cards.read(link)

    def _photo(self, publication: Publication, data: Data) -> Outcome:
        media = publication.require_media()
        blob = self._upload(publication, FileBody(file=media, mime=media.mime))
        return Wait(Checkpoint("record", {**data, "blob": blob}))

    def _subtitles(self, publication: Publication) -> list[Json]:
        """Upload a video's captions; return them as its embed names them."""
        given, media = publication.options.get("video_captions"), publication.media
        if not isinstance(given, list) or media is None or media.kind is not MediaKind.VIDEO:
            return []
        return [
            {
                "lang": find(one, "language"),
                "file": self._upload(
                    publication, BytesBody(str(find(one, "text")).encode(), "text/vtt")
                ),
            }
            for one in given
        ]

    def _upload(self, publication: Publication, body: FileBody | BytesBody) -> Json:
        call = Call(
            method="POST",
            url=self._calls.address(publication.account, "com.atproto.repo.uploadBlob"),
            body=body,
            deadline=UPLOAD_DEADLINE,
        )
        blob = blob_of(self._calls.send(publication.account, call).find("blob"))
        if blob is None:
            raise UnansweredError("The upload's answer names no blob.")
        return blob

    def _record(self, publication: Publication, data: Data) -> Outcome:
        """Decide everything that will be written, so that writing it twice is writing it once."""
        people = _texts(data.get("people"))
        record = post_record(publication, people, data.get("blob"), self._subtitles(publication))
        embed = card_embed(data)
        if embed is not None:
            record["embed"] = embed
        key = record_key(publication)
        uri = f"at://{publication.account.remote_id}/{POST}/{key}"
        beside = gates(publication.options, uri, record["createdAt"])
        kept: Mapping[str, Json] = {**data, "key": key, "record": record, "gates": beside}
        return Wait(Checkpoint("publish", kept))

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        """Write the record, alone or in one commit with its gates."""
        account = publication.account
        key, beside = str(data["key"]), data.get("gates")
        try:
            if isinstance(beside, dict) and beside:
                self._repository.write_together(account, key, {POST: data["record"], **beside})
            else:
                self._repository.write_post(account, key, data["record"])
        except RejectedError as error:
            return self._read_refusal(publication, data, error)
        return self._after_post(publication, key)

    def _after_post(self, publication: Publication, key: str) -> Outcome:
        done = as_done(publication.account, key)
        return self._comments.begin(key) if comments_on(publication) else done

    def _read_refusal(self, publication: Publication, data: Data, error: RejectedError) -> Outcome:
        """Upload again, once, what the server has swept; see whose post stands in the way."""
        if error.code is FailureCode.MEDIA_UNAVAILABLE and "again" not in data:
            step = _first_upload(publication)
            kept: Mapping[str, Json] = {"people": data.get("people"), "again": True}
            return Wait(Checkpoint(step, kept))
        if error.code is FailureCode.DUPLICATE_CONTENT:
            found = self._repository.find_post(publication.account, str(data["key"]))
            if found is not None and found.find("value", "text") == publication.text:
                return self._after_post(publication, str(data["key"]))
        raise error

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Read the target's key, which is ours alone: what is not there can be written again.

        After a restore whatever stands under the key is the target's post, under a later text too.
        """
        key = str(checkpoint.data.get("key") or record_key(publication))
        if is_comment(checkpoint):
            return as_done(publication.account, key)
        found = self._repository.find_post(publication.account, key)
        is_ours = sent.is_suspicion or (found and found.find("value", "text") == sent.text)
        if found is not None and is_ours:
            done = as_done(publication.account, key)
            # After a restore the comment may stand there under a later text, too: it is left alone.
            goes_on = comments_on(publication) and not sent.is_suspicion
            return replace(done, then=self._comments.begin(key).checkpoint) if goes_on else done
        # Writing the same record under the same key once more changes nothing, so that nobody need
        # wait for a call that may still be under way.
        return decide(Evidence(own_key=True, is_idempotent=True), publication.now)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return followers and picture."""
        return profile_of(self._http, self._hosts.bluesky_appview, account)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post and its gates; deleting what is gone is no error there."""
        self._repository.delete_post(live.account, live.remote_id)

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the counts that everybody sees; Bluesky counts no views."""
        return metrics_of(self._http, self._hosts.bluesky_appview, lives)


def _first_upload(publication: Publication) -> str:
    """Return the step after it is known who is mentioned."""
    if publication.media is not None:
        return "video" if publication.media.kind is MediaKind.VIDEO else "photo"
    has_link = link_of(publication.options, publication.text) is not None
    return "card" if has_link else "record"


def _texts(value: Json) -> dict[str, str]:
    return {key: str(text) for key, text in value.items()} if isinstance(value, dict) else {}


def make(deployed: Deployed) -> BlueskyConnector:
    """Return the connector of a deployment."""
    return BlueskyConnector(
        deployed.hosts(BlueskyHosts), clock=deployed.clock, trusted=deployed.trusted
    )
