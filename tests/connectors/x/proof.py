"""What is proven of the X connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.X,
    lost=LostAnswer(
        there="the timeline has the file's key, or the text with a link in each place",
        absent="the whole timeline lacks a text 90 s after the call (X would refuse a duplicate);"
        " a post with only a file, only if there is a newer post",
        unknown="X called it a duplicate but does not show it; a post sent only to a community; a"
        " file without a text and no newer post within 30 minutes",
        read_after_restore="the timeline, up to 1,000 posts",
        unknown_after_restore="a post to a community",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and tested with X's own client",
            test="connectors/x/test_publishing.py",
        ),
        Proof(
            claim="the fake accepts everything X's client does (sign-in, text, photo, video in"
            " segments, alt text, counts, deletion); neither the connector's requests nor the"
            " fake's timeline have fields unknown to X's models",
            against="X's own client and its models, xdk 0.10.6, generated from X's OpenAPI",
            test="connectors/x/test_official.py",
        ),
        Proof(
            claim="a lost post is found by its file's key or by its text with shortened links;"
            " one that shows only after the read lag is not sent twice; after a restore it is found"
            " by text",
            against="the same fake, with a timeline that lags and has pages",
            test="connectors/x/test_reconciliation.py",
        ),
    ),
    unproven=(
        "the live platform: credits, its timeline's real lag, how long it refuses duplicates",
        "posts only to a community: whether the timeline shows them; a lost one ends as unknown",
        "followers gained through a post: they cost one more paid call and are not requested",
        "the reset of the 24-hour limits: retries follow the 15-minute one",
    ),
    corrections=(
        "content warnings go in the file's metadata: no `possibly_sensitive` in posts (xdk 0.10.6)",
        "`entities.urls` must have `start` and `end` (its models refuse the sheet's example)",
        "`text` is sent even when empty: the backend refuses a post without it",
        "`errors[].parameters` names the rejected field, sometimes as `$.media.media_ids`",
        "OpenAPI's `post.fields` is what X's client sends; its pages keep `tweet.fields`",
        "only pictures can have a description (Create Media Metadata): a video's `alt` is not sent",
        "refusals say either Tweet or post: matched by part of the text (public reports)",
        "`share_with_followers` belongs to `community_id`, whatever the models' comment says",
    ),
)
