"""What is proven of the X connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.X,
    lost=LostAnswer(
        there="the timeline has the file's key, or the text with a link at each place",
        absent="the whole timeline lacks a text 90 s after the call, which X would refuse twice;"
        " a file alone, only beside a newer post",
        unknown="X called it a duplicate and does not show it; what went to a community alone;"
        " a file without a text, and no newer post within 30 minutes",
        read_after_restore="the timeline, up to 1,000 posts",
        unknown_after_restore="a post to a community",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet, which X's own client was run against",
            test="connectors/x/test_publishing.py",
        ),
        Proof(
            claim="the fake takes all that X's client does (sign-in, text, photo, video in"
            " segments, alt text, counts, removal); what the connector sends and what the"
            " fake's timeline answers has no field that X's models do not know",
            against="X's own client and its models, xdk 0.10.6, made from X's OpenAPI",
            test="connectors/x/test_official.py",
        ),
        Proof(
            claim="a lost post is found by its file's key or by its text with shortened links;"
            " one beyond the read lag is not sent twice; after a restore it is found by text",
            against="the same fake, with a timeline that lags and has pages",
            test="connectors/x/test_reconciliation.py",
        ),
    ),
    unproven=(
        "the live platform: credits, its timeline's real lag, how long it refuses duplicates",
        "posts to a community alone: whether the timeline shows them, so a lost one is unknown",
        "followers won by a post: they take one more paid call and are not asked for",
        "the reset of the 24-hour limits: retries follow the 15-minute one",
    ),
    corrections=(
        "warnings go with the file's metadata: no `possibly_sensitive` in posts (xdk 0.10.6)",
        "`entities.urls` must have `start` and `end` (its models refuse the sheet's example)",
        "`text` goes along even when empty: the backend refuses a post without it",
        "`errors[].parameters` names the blamed field, at times as `$.media.media_ids`",
        "OpenAPI's `post.fields` is what X's client sends; its pages keep `tweet.fields`",
        "pictures alone can be described (Create Media Metadata): a video's `alt` is not sent",
        "texts of refusals say Tweet or post by turns: known by a part of them (public reports)",
        "`share_with_followers` belongs to `community_id`, whatever the models' comment says",
    ),
)
