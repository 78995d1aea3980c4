"""X, step by step: docs.x.com/x-api/posts/manage-tweets, docs.x.com/x-api/media.

Uploads are invisible; POST /2/tweets is what everybody sees, and it takes no key that would make a
second call harmless. What became of a lost one is read from the account's timeline, and should
that lag behind, X itself refuses the same text again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
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
from chalicelib.connectors.shared.auth.oauth import OAuthClient
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.shared.reconciliation import (
    WITNESSES_REACH,
    all_posted,
    at_first_page,
    earliest,
    first_sent,
    noting_witness,
    turn_page,
)
from chalicelib.connectors.x import staged
from chalicelib.connectors.x.account import XHosts, oauth_configuration
from chalicelib.connectors.x.api import XApi
from chalicelib.connectors.x.errors import ERRORS, error_codes, names_of_gone, spent_window
from chalicelib.connectors.x.media import UNDESCRIBED, XMedia, first_step, is_forgotten
from chalicelib.connectors.x.metrics import BATCH, metrics_of
from chalicelib.connectors.x.post import comment_body, post_body, precheck
from chalicelib.connectors.x.reconciliation import (
    FIELDS,
    evidence_of_timeline,
    is_ours,
    made_at,
    question,
    timeline_since,
)
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.engine.absence import decide
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
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
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse, identifier_in

_NOT_FOUND = 404
NO_COMMENT = "The first comment may be missing: X did not confirm it."


class XConnector:
    """X, with OAuth 2 in the name of the account."""

    platform: ClassVar[Platform] = Platform.X
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish", "comment"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=20)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = BATCH
    metrics_calls: ClassVar[int] = 300
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: XHosts | None = None, *, clock: Clock = system_clock) -> None:
        self._hosts = hosts or XHosts()
        self._http = PlatformHttp(
            Platform.X, ERRORS, error_codes, reset_header=spent_window, clock=clock
        )
        self._api = XApi(self._http)
        self._media = XMedia(self._http, self._hosts.x)
        self.oauth = OAuthClient(oauth_configuration(self._hosts), clock=clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in."""
        del now
        response = self._http.send(
            Call(method="GET", url=f"{self._hosts.x}/2/users/me", token=tokens.access)
        )
        me, name = response.text("data", "id"), response.text("data", "username")
        return [Identity(remote_identity=me, handle=name, tokens=tokens)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the sign-in: each refresh token works once, the answer brings the next."""
        del account, now
        return self.oauth.refresh(tokens)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what X would refuse after an upload."""
        return precheck(publication) or Wait(first_step(publication.media))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names, or upload again what X has forgotten."""
        if is_forgotten(checkpoint.data, publication.now):
            return Wait(first_step(publication.media))
        steps = {**self._media.steps, "publish": self._publish, "comment": self._comment}
        return take_step(steps, publication, checkpoint)

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        try:
            response = self._http.send(
                Call(
                    method="POST",
                    url=f"{self._hosts.x}/2/tweets",
                    token=publication.account.token,
                    body=JsonBody(post_body(publication, data)),
                )
            )
        except RejectedError as error:
            # After a doubt that a look could not settle, this refusal says that it did go out.
            if error.code is FailureCode.DUPLICATE_CONTENT and "since" in data:
                return Unanswered(Checkpoint("publish", {**data, "looks": 0, "duplicate": True}))
            # A bare no may be that as well, in words that nobody has seen yet: look once more.
            is_bare = error.code is FailureCode.PERMISSION_MISSING and "refused" not in data
            if is_bare and "since" in data:
                return Unanswered(Checkpoint("publish", {**data, "looks": 0, "refused": True}))
            raise
        live = response.identifier("data", "id")
        note = UNDESCRIBED if data.get("undescribed") is True else None
        if publication.options.get("first_comment"):
            return Wait(Checkpoint("comment", {"live": live, "note": note}))
        return replace(self._as_done(publication.account, live), note=note)

    def _comment(self, publication: Publication, data: Data) -> Outcome:
        """Answer the live post once, as who posted; it stays live without."""
        done = self._as_done(publication.account, str(data["live"]))
        body = JsonBody(comment_body(publication, str(data["live"])))
        place, token = f"{self._hosts.x}/2/tweets", publication.account.token
        try:
            self._http.send(Call(method="POST", url=place, token=token, body=body)).text(
                "data", "id"
            )
        except PlatformError:
            return replace(done, note=NO_COMMENT)
        note = data.get("note")
        return replace(done, note=note if isinstance(note, str) else None)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look through the account's timeline since the call, page by page."""
        account = publication.account
        if checkpoint.step == "comment":
            return replace(self._as_done(account, str(checkpoint.data["live"])), note=NO_COMMENT)
        response = self._timeline(account, question(checkpoint, sent))
        posts = response.items("data")
        ours = (post for post in posts if is_ours(post, publication, checkpoint, sent))
        if (first := earliest(ours, made_at)) is not None:
            return self._as_done(account, identifier_in(first, "id"))
        made = map(made_at, posts)
        checkpoint = noting_witness(checkpoint, sent, made)
        page = response.find("meta", "next_token")
        if page is not None:
            known = at_first_page(checkpoint.data)
            known["since"] = first_sent(checkpoint.data, sent.at).isoformat()
            return Wait(Checkpoint(checkpoint.step, turn_page(known, page, sent)))
        return decide(evidence_of_timeline(publication, checkpoint, sent), publication.now)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the account's timeline has since then; None for what need not stand there."""
        if publication.options.get("community_id"):
            return None
        account = publication.account

        def read(page: Json) -> tuple[Iterator[Posted], Json]:
            response = self._timeline(account, timeline_since(since - WITNESSES_REACH, page))
            posts = (
                Posted(
                    live=self._as_done(account, identifier_in(post, "id")),
                    made=made_at(post),
                )
                for post in response.items("data")
            )
            return posts, response.find("meta", "next_token")

        return all_posted(read, since)

    def _timeline(self, account: ConnectedAccount, params: Mapping[str, str]) -> PlatformResponse:
        place = f"{self._hosts.x}/2/users/{account.remote_id}/tweets"
        response = self._api.posts(place, account.token, params, FIELDS)
        if response.find("meta", "result_count") is None:
            raise self._http.read_error(response)
        return response

    def _as_done(self, account: ConnectedAccount, post_id: str) -> Done:
        address = f"{self._hosts.x_web}/{account.handle}/status/{post_id}"
        return Done(remote_id=post_id, url=address)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return names, followers and picture: docs.x.com/x-api/users/user-lookup-me."""
        params = {"user.fields": "profile_image_url,public_metrics"}
        place = f"{self._hosts.x}/2/users/me"
        me = self._http.send(Call(method="GET", url=place, token=account.token, params=params))
        return SeenProfile.of(
            me.find("data", "public_metrics", "followers_count"),
            me.find("data", "profile_image_url"),
            me.find("data", "username"),
            me.find("data", "name"),
        )

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete a post."""
        response = self._http.send(
            Call(
                method="DELETE",
                url=f"{self._hosts.x}/2/tweets/{live.remote_id}",
                token=live.account.token,
                takes=frozenset({200, _NOT_FOUND}),
            )
        )
        is_gone = response.status == _NOT_FOUND or names_of_gone(response)
        if not is_gone and response.find("data", "deleted") is not True:
            raise RemovalError("X did not delete the post.")

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the public counts, None for posts that X no longer has."""
        return metrics_of(self._api, self._hosts, lives)


def make(deployed: Deployed) -> XConnector:
    """Return the connector of a deployment."""
    return XConnector(deployed.hosts(XHosts), clock=deployed.clock)
