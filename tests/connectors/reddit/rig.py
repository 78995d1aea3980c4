"""The Reddit connector over its fake, signed in as fakeuser: for every test of it."""

from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.reddit.api import RedditHosts
from chalicelib.connectors.reddit.connector import RedditConnector
from chalicelib.connectors.reddit.errors import ERRORS
from chalicelib.domain.outcome import Checkpoint, Reconciliation, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.reddit.answers import a_refusal, refused
from tests.connectors.reddit.fake import (
    CLIENT_ID,
    CLIENT_SECRET,
    SCOPE,
    USER_ID,
    USERNAME,
    FakeReddit,
)
from tests.connectors.reddit.fake_uploads import SIGNATURE
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Rye & spelt\n\nBaked <today>, with *love*."
IN_TEST: dict[str, Json] = {"subreddit": "test"}
COMMON = {
    "api_type": "json",
    "sr": "test",
    "nsfw": "false",
    "spoiler": "false",
    "sendreplies": "true",
    "resubmit": "true",
    "validate_on_submit": "true",
}
"""What every submission to r/test has in its form."""

RedditRig = Rig[RedditConnector, FakeReddit]


# Reddit slows young accounts down; it says for how long.
QUOTA = Quota(
    10,
    timedelta(minutes=10),
    r"POST /api/submit",
    refused(("RATELIMIT", "Take a break for 9 minutes before trying again.", "ratelimit")),
)


def a_rig() -> RedditRig:
    """Return the connector over a fake with fakeuser's account, signed in for two days."""
    clock = FrozenClock()
    platform = FakeReddit(clock)
    url = platform.url
    hosts = RedditHosts(reddit=url, reddit_sign_in=url, reddit_uploads=url)
    connector = RedditConnector(hosts, clock=clock)
    account = an_account(Platform.REDDIT, USERNAME, USER_ID)
    tokens = Tokens(
        access="AT1",
        refresh="RT1",
        expires_at=NOON + timedelta(days=2),
        extra={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "scope": SCOPE},
    )
    link: dict[str, Json] = {**IN_TEST, "kind": "link", "link": "https://bakery.example/menu"}
    shapes = {
        "text": a_publication(account, TEXT, None, IN_TEST),
        "link": a_publication(account, "Our menu", None, link),
        "photo": a_publication(account, "Harbour", a_photo(), IN_TEST),
        "video": a_publication(account, "The oven", a_film(), IN_TEST),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=["Bearer AT", "RT1", CLIENT_SECRET, SIGNATURE],
        http=connector._http,
        refusals={code: a_refusal(code) for code in ERRORS},
        cannot_tell=True,
    )


def a_film() -> MediaFile:
    """Return a video with the still that was cut out of it."""
    return replace(a_video(), poster=replace(a_photo(1_500), id="poster", filename="poster.jpg"))


def signed(rig: RedditRig, shape: str, after: timedelta = timedelta(0)) -> Publication:
    """Return a publication as it gets to the connector: with a token, at a time after noon."""
    rig.clock.now = NOON + after
    account = rig.keeper.sign_in(rig.account, rig.connector)
    return replace(rig.shapes[shape], account=account, now=rig.clock())


def reconcile(
    rig: RedditRig,
    shape: str,
    checkpoint: Checkpoint | None = None,
    *,
    after: timedelta = timedelta(seconds=2),
) -> Reconciliation:
    """Ask what became of a call made at noon."""
    return rig.ask(shape, checkpoint or Checkpoint("submit"), after=after)


def post_newer(rig: RedditRig, after: timedelta = timedelta(minutes=45)) -> str:
    """Let the person post something else after the call: the profile is up to date."""
    before = rig.clock.now
    rig.clock.now = NOON + after
    post_id = rig.platform.post_as_a_person("Something newer")
    rig.clock.now = before
    return post_id


def to_the_end(rig: RedditRig, shape: str, checkpoint: Checkpoint) -> Reconciliation:
    """Look, long after the call, until there is nothing to wait for."""
    for _ in range(5):
        found = reconcile(rig, shape, checkpoint, after=timedelta(hours=1))
        if not isinstance(found, Wait):
            return found
        checkpoint = found.checkpoint
    raise AssertionError("It looks for ever.")
