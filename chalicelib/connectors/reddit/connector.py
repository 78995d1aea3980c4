"""Reddit, step by step: reddit.com/dev/api, and PRAW where that page is silent.

Files go to a bucket unseen; POST /api/submit is what everybody sees, and it takes no key that
would make a second call harmless. It does not even name a post with a file, which is made later:
such a post, like one whose answer was lost, is found in the listing of what the account posted.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    MediaFile,
    Posted,
    Publication,
    RemovalError,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.reddit import staged
from chalicelib.connectors.reddit.account import RedditSignIn, identity, reddit_choices
from chalicelib.connectors.reddit.api import RedditApi, RedditHosts, caller
from chalicelib.connectors.reddit.errors import ERRORS, error_codes
from chalicelib.connectors.reddit.media import BUCKET_ERRORS, RedditMedia, bucket_codes
from chalicelib.connectors.reddit.metrics import BATCH, is_up, metrics_of
from chalicelib.connectors.reddit.post import Kind, form, kind_of, precheck
from chalicelib.connectors.reddit.reconciliation import (
    FIND,
    PLACES,
    SUBMIT,
    by_account,
    late_reconciliations,
    made_at,
    name_of,
    pause,
    reconcile,
    wanted_post,
    window,
)
from chalicelib.connectors.reddit.refusals import RedditRefusal
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.reconciliation import (
    WITNESS_WITHIN,
    all_posted,
    at_first_page,
    first_sent,
    has_witness,
    keep_witness,
    page_of,
    turn_page,
)
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    Checkpoint,
    Done,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms.choices import SUBREDDIT, WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import count, find

PATIENCE = timedelta(minutes=10)
"""How long a post with a file may stay away before the target fails; a retry looks on."""

_SOON = timedelta(seconds=1)
_WITNESS_POLL = timedelta(minutes=5)
_FIRST_STEPS: Mapping[Kind, str] = {
    Kind.SELF: SUBMIT,
    Kind.LINK: SUBMIT,
    Kind.IMAGE: "image",
    Kind.VIDEO: "video",
}


class RedditConnector:
    """Reddit, in the name of the account."""

    platform: ClassVar[Platform] = Platform.REDDIT
    irreversible: ClassVar[frozenset[str]] = frozenset({SUBMIT})
    # Only limits keep a step waiting for long; the search for a post has its own PATIENCE.
    step_timeout: ClassVar[timedelta] = timedelta(hours=26)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = BATCH
    # A fifth of what Reddit allows an application in five minutes, whatever accounts it serves.
    metrics_calls: ClassVar[int] = 100
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: RedditHosts | None = None, *, clock: Clock = system_clock) -> None:
        self._hosts = hosts or RedditHosts()
        self._http = PlatformHttp(
            Platform.REDDIT, ERRORS, error_codes, reset_header="x-ratelimit-reset", clock=clock
        )
        bucket = PlatformHttp(Platform.REDDIT, BUCKET_ERRORS, bucket_codes, clock=clock)
        self._api = RedditApi(self._http, self._hosts.reddit)
        self._media = RedditMedia(self._api, bucket, self._hosts.reddit_uploads)
        self.oauth = RedditSignIn(self._hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in."""
        return [identity(self._api, tokens, now)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the access token; the refresh token stays the same."""
        del now
        return self.oauth.refresh(account, tokens)

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return the account's communities, and one's flairs."""
        return reddit_choices(self._api, account, query.chosen.get(SUBREDDIT))

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Reddit would refuse after an upload."""
        first = Checkpoint(_FIRST_STEPS[kind_of(publication)])
        return precheck(publication) or Wait(first)

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "image": self._image,
            "video": self._video,
            "poster": self._poster,
            SUBMIT: self._submit,
            FIND: self._find,
        }
        return take_step(steps, publication, checkpoint)

    def _image(self, publication: Publication, data: Data) -> Outcome:
        del data
        return self._upload(publication, SUBMIT)

    def _video(self, publication: Publication, data: Data) -> Outcome:
        del data
        return self._upload(publication, "poster")

    def _upload(self, publication: Publication, following: str) -> Wait:
        upload = self._media.upload(caller(publication.account), publication.require_media())
        return Wait(Checkpoint(following, {"asset": upload.asset, "url": upload.url}))

    def _poster(self, publication: Publication, data: Data) -> Outcome:
        """Put the still beside the video; Reddit shows it until the video plays."""
        problem = precheck(publication)
        if problem is not None:  # the still may be gone since the start
            return problem
        still = _require_poster(publication.require_media())
        upload = self._media.upload(caller(publication.account), still)
        return Wait(Checkpoint(SUBMIT, {**data, "poster": upload.url}))

    def _submit(self, publication: Publication, data: Data) -> Outcome:
        fields = form(publication, data)
        try:
            response = self._api.post(caller(publication.account), "/api/submit", fields)
        except RejectedError as error:
            return _on_refusal(publication, data, error)
        taken = response.find("json", "data")
        if isinstance(taken, dict) and "asset" in data and "name" not in taken:
            known: Data = {name: data[name] for name in ("asset", "since") if name in data}
            accepted = publication.now.isoformat()
            return Wait(Checkpoint(FIND, {**known, "accepted": accepted}), pause(0))
        return self._as_done(taken)

    def _find(self, publication: Publication, data: Data) -> Outcome:
        """Look for a post that Reddit took and is still making."""
        since = first_sent(data, publication.now)
        page = reconcile(self._api, publication, data)
        post = page.find(wanted_post(publication, Checkpoint(FIND, data), publication.text, since))
        if post is not None:
            return self._as_done(post)
        if publication.now >= datetime.fromisoformat(str(data["accepted"])) + PATIENCE:
            return RedditRefusal.NEVER_SHOWN.open_end()
        looks = count(data, "looks") + 1
        return Wait(Checkpoint(FIND, {**data, "looks": looks}), max(pause(looks), page.breather))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look through what was posted since the call, page by page, in one place after another."""
        data, since = checkpoint.data, first_sent(checkpoint.data, sent.at)
        page = reconcile(self._api, publication, data, page_of(data, sent))
        post = page.find(wanted_post(publication, checkpoint, sent.text, since))
        if post is not None:
            return self._as_done(post)
        known = at_first_page(data)
        # Even a late look leaves its mark: a later refusal as a duplicate is read by it.
        known["since"] = since.isoformat()
        if page.has_witness(sent):
            keep_witness(known, sent)
        after = page.next(since)
        if after is not None:
            return Wait(Checkpoint(checkpoint.step, turn_page(known, after, sent)))
        left = sent.begun_by + window(publication, checkpoint) - publication.now
        late = late_reconciliations(data, sent) + 1 if left <= timedelta(0) else 0
        looks = count(known, "looks")
        marks = {**known, "looks": looks + 1, "late": late, "late_for": sent.at.isoformat()}
        delay = _WITNESS_POLL if late >= PLACES else min(pause(looks), max(left, _SOON))
        evidence = Evidence(
            next_look=Wait(Checkpoint(checkpoint.step, marks), max(delay, page.breather)),
            gives_up_at=_last_poll(sent),
            looks_left=late < PLACES,
            witness=has_witness(known, sent),
            duplicate_refused=data.get("duplicate") is True,
        )
        return decide(evidence, publication.now)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the account's profile has since then."""

        def read(after: Json) -> tuple[Iterator[Posted], Json]:
            page = by_account(self._api, publication, after)
            posts = (find(post, "data") for post in page.posts)
            return (Posted(live=self._as_done(p), made=made_at(p)) for p in posts), page.after

        return all_posted(read, since)

    def _as_done(self, post: Json) -> Done:
        """Return a post as live: a listing has its place, a submission's answer its address."""
        name, url, place = name_of(post), find(post, "url"), find(post, "permalink")
        web = self._hosts.reddit_web
        if isinstance(place, str):
            return Done(remote_id=name, url=f"{web}{place}")
        if isinstance(url, str) and url.startswith(f"{web}/"):
            return Done(remote_id=name, url=url)
        return Done(remote_id=name, url=f"{web}/comments/{name.removeprefix('t3_')}/")

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return who follows the profile, and its picture."""
        me = self._api.get(caller(account), "/api/v1/me")
        picture = me.find("icon_img") or me.find("snoovatar_img")
        return SeenProfile.of(me.find("subreddit", "subscribers"), picture)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post; Reddit answers well whatever it did, so that it is looked up."""
        try:
            self._api.post(caller(live.account), "/api/del", {"id": live.remote_id})
        except RejectedError as error:
            raise RemovalError(error.message) from error
        if is_up(self._api, live):
            raise RemovalError("Reddit still has the post.")

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the public counts, None for posts that nobody can see any more."""
        return metrics_of(self._api, lives)


def _on_refusal(
    publication: Publication, data: Mapping[str, Json], error: RejectedError
) -> Unanswered:
    """Tell what a refusal means where its code is not all there is to it."""
    if error.code is FailureCode.DUPLICATE_CONTENT:
        # After a doubt that a look could not settle, this says that the first call did arrive.
        if "since" in data:
            return Unanswered(Checkpoint(SUBMIT, {**data, "looks": 0, "duplicate": True}))
        if "asset" in data:  # A new file cannot be there already: this is how NO_VIDEOS looks.
            raise RedditRefusal.NO_FILES.error() from error
    if error.code is FailureCode.UNKNOWN and publication.options.get("flair_id"):
        raise RedditRefusal.PROBABLY_FLAIR.error() from error
    raise error


def _last_poll(sent: Sent) -> datetime:
    return sent.begun_by + CALL_DEADLINE + WITNESS_WITHIN


def _require_poster(video: MediaFile) -> MediaFile:
    if video.poster is None:
        raise AssertionError("Only a publication with a still comes to this step.")
    return video.poster


def make(deployed: Deployed) -> RedditConnector:
    """Return the connector of a deployment."""
    return RedditConnector(deployed.hosts(RedditHosts), clock=deployed.clock)
