"""How a post of ours is found on LinkedIn again: learn.microsoft.com/linkedin, "Posts API".

The posts of an organization can be read; those of a member cannot. There the same post sent once
more is the question: if it is there, LinkedIn refuses the second as a duplicate and names the
first. How long it remembers is not documented, so that this is asked within hours, and once.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.connector import ConnectedAccount, Posted, Publication
from chalicelib.connectors.linkedin.api import (
    LinkedInHosts,
    LinkedInRest,
    encode_urn,
    is_organization,
)
from chalicelib.connectors.linkedin.mentions import known_mentions, read_back
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.reconciliation import (
    all_posted,
    earliest,
    evidence_of_list,
    first_sent,
    noting_witness,
    page_of,
    shows_text,
    turn_page,
)
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Checkpoint, Done, FailureCode, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import (
    PlatformResponse,
    count,
    find,
    identifier_in,
    of_epoch,
)

PAGE = 50
_BEFORE = timedelta(minutes=1)
_MEMORY = timedelta(hours=20)
_URN = re.compile(r"urn:li:(?:share|ugcPost):\d+")


def as_done(hosts: LinkedInHosts, urn: str) -> Done:
    """Return that a post is live."""
    return Done(remote_id=urn, url=f"{hosts.linkedin_web}/feed/update/{urn}/")


class LinkedInLook:
    """Looks for posts where LinkedIn lets them be read."""

    def __init__(self, rest: LinkedInRest, hosts: LinkedInHosts) -> None:
        self._rest = rest
        self._hosts = hosts

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look through a page's posts; wait for when a member's may be asked for by sending."""
        there = checkpoint.data.get("there")
        if isinstance(there, str):
            return self._as_done(there)
        start = count(page_of(checkpoint.data, sent))
        posts = self._posts(publication.account, start)
        if posts is None:
            return decide(evidence_without_list(publication, checkpoint, sent), publication.now)
        found = find_in(posts, publication, checkpoint, sent)
        if found is not None:
            return self._as_done(found)
        checkpoint = noting_witness(checkpoint, sent, map(made_at, posts.items("elements")))
        if has_more(posts, checkpoint, sent):
            return Wait(Checkpoint(checkpoint.step, turn_page(checkpoint.data, start + PAGE, sent)))
        return decide(evidence_of_silence(publication, checkpoint, sent), publication.now)

    def posts_since(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what a page's list has since then; None for a member, whose posts nobody lists."""
        account = publication.account
        if self._posts(account, 0) is None:
            return None

        def read(page: Json) -> tuple[Iterator[Posted], Json]:
            start = int(page) if isinstance(page, int) else 0
            response = self._posts(account, start)
            posts = [] if response is None else response.items("elements")
            shown = (
                Posted(live=self._as_done(identifier_in(p, "id")), made=made_at(p)) for p in posts
            )
            return shown, start + PAGE if len(posts) >= PAGE else None

        return all_posted(read, since)

    def _posts(self, account: ConnectedAccount, start: int) -> PlatformResponse | None:
        """Return a page of the account's posts, None where they may not be read."""
        author = account.remote_id or ""
        if not is_organization(author):
            return None
        try:
            response = self._rest.get(question(author, start), account.token, finder=True)
        except RejectedError as error:
            if error.code is FailureCode.PERMISSION_MISSING and not error.is_bare:
                return None
            raise
        response.require_list("elements")
        return response

    def _as_done(self, urn: str) -> Done:
        return as_done(self._hosts, urn)


def question(author: str, start: int) -> str:
    """Return what to ask for a page of an organization's posts, newest first."""
    page = f"&start={start}" if start else ""
    return f"posts?author={encode_urn(author)}&q=author&count={PAGE}&sortBy=CREATED{page}"


def find_in(
    response: PlatformResponse, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> str | None:
    """Return the id of the first post on a page that is what was sent."""
    since = _ms(first_sent(checkpoint.data, sent.at) - _BEFORE)
    newer = (post for post in response.items("elements") if _made_ms(post) >= since)
    ours = [post for post in newer if _is_ours(post, publication, checkpoint, sent)]
    return identifier_in(earliest(ours, made_at), "id") if ours else None


def has_more(response: PlatformResponse, checkpoint: Checkpoint, sent: Sent) -> bool:
    """Tell whether the next page may still reach back to the call."""
    posts = response.items("elements")
    since = _ms(first_sent(checkpoint.data, sent.at) - _BEFORE)
    return len(posts) >= PAGE and _made_ms(posts[-1]) >= since


def duplicate_of(response: PlatformResponse) -> str | None:
    """Return the post that LinkedIn says is there already; only its sentence has the id."""
    named = _URN.search(str(response.find("message")))
    return named[0] if named else None


def evidence_of_silence(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Evidence:
    """Return what it says that no post was found: LinkedIn refuses the same text twice.

    learn.microsoft.com/linkedin, "Posts API": a member's posts cannot be read to look for it.
    """
    # A text alone can be asked for by sending it, whatever became of an older checkpoint.
    is_member = not is_organization(publication.account.remote_id)
    has_link = link_of(publication.options, publication.text) is not None
    is_text = publication.media is None and is_member and not has_link
    asked = Checkpoint("post", checkpoint.data) if is_text else checkpoint
    seen = evidence_of_list(Platform.LINKEDIN, publication, asked, sent)
    is_safe = _may_ask_by_sending(publication, checkpoint, sent)
    return replace(seen, repeat_is_refused=is_safe)


def evidence_without_list(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Evidence:
    """Return what is known of a member's post: there is no newer one to see or to wait for."""
    seen = evidence_of_silence(publication, checkpoint, sent)
    return replace(seen, gives_up_at=sent.at, witness=False, is_restored=False)


def _may_ask_by_sending(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> bool:
    """Tell whether to send the same again is safe: once, soon, with a text and the same file."""
    first = first_sent(checkpoint.data, sent.at)
    is_same = publication.media is None or "asset" in checkpoint.data
    is_first = sent.at - first < _BEFORE
    is_soon = publication.now - first < _MEMORY
    is_step = checkpoint.step == "post"
    has_text = bool(sent.text.strip())
    return has_text and is_same and is_first and is_soon and is_step


def _is_ours(post: Json, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> bool:
    asset, theirs = checkpoint.data.get("asset"), find(post, "content", "media", "id")
    if asset is not None and asset == theirs:
        return True
    if asset is not None and checkpoint.step == "post":
        return False
    has_file = publication.media is not None
    text = read_back(str(find(post, "commentary") or ""), known_mentions(checkpoint.data))
    return (theirs is not None) == has_file and shows_text(text, sent)


def made_at(post: Json) -> datetime | None:
    """Return when a post was made, None for a time that no calendar has."""
    return of_epoch(_made_ms(post) // 1000)


def _made_ms(post: Json) -> int:
    return count(post, "publishedAt") or count(post, "createdAt")


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
