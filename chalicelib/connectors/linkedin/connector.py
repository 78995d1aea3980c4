"""LinkedIn, step by step: learn.microsoft.com/linkedin, "Posts API", "Images API", "Videos API".

Bytes are pushed, then POST /rest/posts makes the post visible. It takes no key that would make a
second call harmless, but LinkedIn refuses the same post again and names the first: where posts
cannot be read (a member's), that is how a lost answer is settled.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar
from urllib.parse import unquote

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    Posted,
    Publication,
    SeenProfile,
    Step,
    take_step,
)
from chalicelib.connectors.linkedin import staged
from chalicelib.connectors.linkedin.account import LinkedInSignIn
from chalicelib.connectors.linkedin.api import (
    LinkedInHosts,
    LinkedInRest,
    encode_urn,
)
from chalicelib.connectors.linkedin.errors import ERRORS, error_codes
from chalicelib.connectors.linkedin.media import LinkedInMedia, first_step
from chalicelib.connectors.linkedin.mentions import ask_one, by_mentions, known_mentions, pages_of
from chalicelib.connectors.linkedin.metrics import LinkedInStatistics
from chalicelib.connectors.linkedin.post import post_body, precheck
from chalicelib.connectors.linkedin.reconciliation import LinkedInLook, as_done, duplicate_of
from chalicelib.connectors.shared.auth.sign_in import Identity, SignInMethod
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.link_cards import LinkCard, LinkCards
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
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
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.domain.version import USER_AGENT
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json, is_identifier
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.kit.transport.responses import PlatformResponse

NO_MENTION = "LinkedIn knows nobody called {0}: the name stays plain text."
NO_COMMENT = "The first comment may be missing: LinkedIn did not confirm it."
_FRESH_FILE = timedelta(seconds=30)
_UNPROCESSABLE = 422
_ANSWERED = frozenset({201, _UNPROCESSABLE})
_BARE = frozenset({FailureCode.PERMISSION_MISSING, FailureCode.UNKNOWN})
_DELETED = frozenset({200, 204, 404})


class LinkedInConnector:
    """LinkedIn, in the name of a member or of an organization's page."""

    platform: ClassVar[Platform] = Platform.LINKEDIN
    irreversible: ClassVar[frozenset[str]] = frozenset({"post", "comment"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=20)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 20
    metrics_calls: ClassVar[int] = 20
    stage = staticmethod(staged.stage)

    def __init__(
        self,
        hosts: LinkedInHosts | None = None,
        *,
        clock: Clock = system_clock,
        trusted: frozenset[str] = frozenset(),
    ) -> None:
        self._hosts = hosts or LinkedInHosts()
        self._http = PlatformHttp(Platform.LINKEDIN, ERRORS, error_codes, clock=clock)
        self._rest = LinkedInRest(self._http, self._hosts, clock)
        self._cards = LinkCards(GuardedFetch(trusted, user_agent=USER_AGENT))
        self._media = LinkedInMedia(self._http, self._rest)
        self._look = LinkedInLook(self._rest, self._hosts)
        self._statistics = LinkedInStatistics(self._rest)
        self._sign_in = LinkedInSignIn(self._http, self._rest, self._hosts, clock)
        self.oauth = self._sign_in.oauth
        self.methods: Mapping[str, SignInMethod] = self._sign_in.methods

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the member who signed in, and the pages that this member runs."""
        return self._sign_in.identities(tokens, now)

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Renew the sign-in of an approved application; others have nothing to renew it with."""
        del account, now
        return self.oauth.refresh(tokens)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return what is told of how the account looks."""
        return self._sign_in.profile(account)

    # Publishing.

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return pages that can be mentioned, found by words."""
        return pages_of(self._rest, account.token, query)

    def start(self, publication: Publication) -> Outcome:
        """Refuse what LinkedIn would refuse after an upload."""
        problem = precheck(publication)
        if problem is not None:
            return problem
        has_link = link_of(publication.options, publication.text) is not None
        if publication.media is None and has_link:
            return Wait(Checkpoint("card"))
        return by_mentions(publication, Wait(first_step(publication.media)))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps: Mapping[str, Step] = {
            **self._media.steps,
            "card": self._card,
            "mentions": partial(ask_one, self._rest),
            "post": self._post,
            "comment": self._comment,
        }
        return by_mentions(publication, take_step(steps, publication, checkpoint))

    def _card(self, publication: Publication, data: Data) -> Outcome:
        upload = partial(self._media.upload_picture, publication.account)
        kept = self._cards.prepare(publication, data, upload)
        return Wait(Checkpoint("post", kept), _FRESH_FILE if "thumbnail" in kept else timedelta(0))

    def read_card(self, link: str) -> LinkCard | None:
        """Return the preview of a link, None if its page cannot be read."""
        return self._cards.read(link)

    def _post(self, publication: Publication, data: Data) -> Outcome:
        token = publication.account.token
        try:
            response = self._rest.post(
                "posts", token, post_body(publication, data), takes=_ANSWERED
            )
            if response.status == _UNPROCESSABLE:
                return self._read_refusal(data, response)
        except RejectedError as error:
            # After a doubt a bare no may say that it is there, in words that nobody has seen yet.
            if error.code in _BARE and "since" in data and "refused" not in data:
                return Unanswered(Checkpoint("post", {**data, "looks": 0, "refused": True}))
            # A file is out of bounds for some seconds after its upload, now and then.
            is_denied = error.code is FailureCode.PERMISSION_MISSING
            if not is_denied or "asset" not in data or "denied" in data:
                raise
            return Wait(Checkpoint("post", {**data, "denied": True}), _FRESH_FILE)
        urn = _new_id(response)
        lost = [handle for handle, one in known_mentions(data).items() if one is None]
        note = NO_MENTION.format(", ".join(lost)) if lost else None
        if publication.options.get("first_comment"):
            return Wait(Checkpoint("comment", {"live": urn, "note": note}))
        return replace(self._as_done(urn), note=note)

    def _comment(self, publication: Publication, data: Data) -> Outcome:
        """Comment once, as who posted: …/community-management/shares/comments-api."""
        account, urn = publication.account, str(data["live"])
        body: Json = {
            "actor": account.remote_id,
            "object": urn,
            "message": {"text": str(publication.options.get("first_comment"))},
        }
        try:
            self._rest.post(f"socialActions/{encode_urn(urn)}/comments", account.token, body)
        except PlatformError:
            return replace(self._as_done(urn), note=NO_COMMENT)
        note = data.get("note")
        return replace(self._as_done(urn), note=note if isinstance(note, str) else None)

    def _read_refusal(self, data: Data, response: PlatformResponse) -> Outcome:
        """Take a duplicate for what it proves: after a doubt, that the first call did arrive."""
        error = self._http.read_error(response)
        is_duplicate = (
            isinstance(error, RejectedError) and error.code is FailureCode.DUPLICATE_CONTENT
        )
        if not is_duplicate or "since" not in data:
            raise error
        return Unanswered(Checkpoint("post", {**data, "there": duplicate_of(response)}))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look through a page's posts; wait for when a member's may be asked for by sending."""
        if checkpoint.step == "comment":
            return replace(self._as_done(str(checkpoint.data["live"])), note=NO_COMMENT)
        return self._look.reconcile(publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what a page's list has since then; None for a member, whose posts nobody lists."""
        return self._look.posts_since(publication, since)

    def _as_done(self, urn: str) -> Done:
        return as_done(self._hosts, urn)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete a post; one that is gone is deleted like any other."""
        path = f"posts/{encode_urn(live.remote_id)}"
        self._rest.delete(path, live.account.token, takes=_DELETED)

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of posts of one account."""
        return self._statistics.of(lives)


def _new_id(response: PlatformResponse) -> str:
    named = response.headers.get("x-restli-id") or response.headers.get("x-linkedin-id")
    urn = unquote(named or "")
    if not is_identifier(urn):
        raise response.unreadable("did not name the new post")
    return urn


def make(deployed: Deployed) -> LinkedInConnector:
    """Return the connector of a deployment."""
    return LinkedInConnector(
        deployed.hosts(LinkedInHosts), clock=deployed.clock, trusted=deployed.trusted
    )
