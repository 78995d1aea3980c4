"""What is proven of the Reddit connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.REDDIT,
    lost=LostAnswer(
        there="the file's asset, or title, community and author, on the profile"
        " or in the community",
        absent="neither shows it after 1.5 to 30.5 minutes, and the profile shows a newer post",
        unknown="no newer post within 30 minutes; Reddit called it a duplicate"
        " and does not show it",
        read_after_restore="the profile, up to 1,000 posts",
        unknown_after_restore="a profile without a newer post",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and tested with PRAW",
            test="connectors/reddit/test_publishing.py",
        ),
        Proof(
            claim="the fake accepts everything PRAW does (sign-in, text, link, image, video with"
            " its still, paged listings, counts), and PRAW reads its refusals; leases and"
            " submissions have exactly PRAW's fields and values; every path is one of PRAW's",
            against="Reddit's usual client, praw 8.0.3 with prawcore 4.0.0",
            test="connectors/reddit/test_official.py",
        ),
        Proof(
            claim="a post with a file, for which Reddit returns no id, is found by its asset; one"
            " that never appears fails, and its retry searches first",
            against="the same fake, which shows files late",
            test="connectors/reddit/test_finding.py",
        ),
        Proof(
            claim="a lost post is found by asset, or by community and title; it counts as absent"
            " only after the wait; a duplicate after a doubt is never sent again; a refused or"
            " garbled listing proves nothing; after a restore it is found by title",
            against="the same fake, with a listing that has pages",
            test="connectors/reddit/test_reconciliation.py",
        ),
        Proof(
            claim="a lost post is found even if the person hides it from the profile or a"
            " moderator removes it from the community",
            against="the same fake, whose two listings omit what Reddit's do",
            test="connectors/reddit/test_places.py",
        ),
        Proof(
            claim="leases stay out of checkpoints and logs; files go only to hosts under the"
            " buckets' domain and without the token; every refusal of S3",
            against="a bucket that requires a lease's fields in order and the file last",
            test="connectors/reddit/test_uploads.py",
        ),
        Proof(
            claim="options as fields, and what is refused before sending",
            against="the same fake, whose form rejects unknown fields",
            test="connectors/reddit/test_options.py",
        ),
        Proof(
            claim="sign-in with permissions checked, refresh, a revoked sign-in, counts, deleted"
            " posts; deletion, which is verified",
            against="the same fake",
            test="connectors/reddit/test_accounts.py",
        ),
    ),
    unproven=(
        "the live platform: Reddit's approval, its limits for young accounts",
        "how far its listing lags, how long videos take to process: 10 and 30 minutes here",
        "posts hidden from the profile and removed from the community at once: in no listing",
        "how long an uploaded file can be submitted",
        "videos over 15 minutes: Reddit's help pages forbid them, its API docs say nothing",
        "posts that a moderation bot hides within seconds: they count as live until next counted",
    ),
    corrections=(
        "texts are Markdown (reddit.com/wiki/markdown): escaped, with hard line breaks",
        "people can hide posts from their profile since 2025: its listing is not enough",
        "listings omit what the person hid, unless requested with `show=all`",
        "a lease holds for 15 minutes (recorded policies), not for hours",
        "an unknown flair now gets a bare 400, no longer a 500",
        "image and video answers may include the post (older notes): if so, it is used",
        "a wrong refresh token may also be called invalid_request (Reddit's old source)",
        "the first line of a caption is not repeated: the title is left out of the text",
    ),
)
