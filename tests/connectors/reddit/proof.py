"""What is proven of the Reddit connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.REDDIT,
    lost=LostAnswer(
        there="the file's asset, or title, community and author, on the profile"
        " or in the community",
        absent="neither has it after 1.5 to 30.5 minutes, and the profile shows a newer post",
        unknown="no newer post within 30 minutes; Reddit called it a duplicate"
        " and does not show it",
        read_after_restore="the profile, up to 1,000 posts",
        unknown_after_restore="a profile without a newer post",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet, which PRAW was run against",
            test="connectors/reddit/test_publishing.py",
        ),
        Proof(
            claim="the fake takes all that PRAW does (sign-in, text, link, image, video with"
            " its still, listings with pages, counts), and PRAW reads its refusals; the"
            " connector's leases and submissions have the very fields and values of PRAW's;"
            " every path is one of PRAW's",
            against="the usual client of Reddit, praw 8.0.3 with prawcore 4.0.0",
            test="connectors/reddit/test_official.py",
        ),
        Proof(
            claim="a post with a file, whose id Reddit does not tell, is found by its asset;"
            " one that never shows fails, and its retry looks first",
            against="the same fake, which shows files late",
            test="connectors/reddit/test_finding.py",
        ),
        Proof(
            claim="a lost post is found by asset, or by community and title; it is absent only"
            " after its time; a duplicate after a doubt is never sent again; a refused or"
            " garbled listing proves nothing; after a restore it is found by title",
            against="the same fake, with a listing that has pages",
            test="connectors/reddit/test_reconciliation.py",
        ),
        Proof(
            claim="a lost post is found though the person keeps it off the profile or a"
            " moderator off the community",
            against="the same fake, whose two listings leave out what Reddit's do",
            test="connectors/reddit/test_places.py",
        ),
        Proof(
            claim="leases stay out of checkpoints and logs, files go to hosts of the buckets'"
            " domain alone and without the token, every no of S3",
            against="a bucket that wants a lease's fields in order and the file last",
            test="connectors/reddit/test_uploads.py",
        ),
        Proof(
            claim="options as fields, and what is refused unsent",
            against="the same fake, whose form is a closed set of fields",
            test="connectors/reddit/test_options.py",
        ),
        Proof(
            claim="sign-in with its permissions checked, renewal, a withdrawn sign-in, counts,"
            " what is gone; removal, which is looked up",
            against="the same fake",
            test="connectors/reddit/test_accounts.py",
        ),
    ),
    unproven=(
        "the live platform: Reddit's approval, its limits for young accounts",
        "how far its listing lags, how long videos are in the making: 10 and 30 minutes here",
        "posts kept off the profile and removed from the community at once: in no listing",
        "for how long an uploaded file can be submitted",
        "videos over 15 minutes: Reddit's help pages say no, its API's say nothing",
        "posts that a moderator's robot hides within seconds: they are live here until counted",
    ),
    corrections=(
        "texts are Markdown (reddit.com/wiki/markdown): escaped, each line break hard",
        "people can keep posts off their profile since 2025: its listing is not enough",
        "listings leave out what the person hid, unless asked to `show=all`",
        "a lease holds for 15 minutes (recorded policies), not for hours",
        "an unknown flair is answered with a bare 400 by now, no longer with 500",
        "image and video answers may name the post after all (older notes): it is taken then",
        "a wrong refresh token may also be called invalid_request (Reddit's old source)",
        "the first line of a caption is not said twice: what is the title is not in the text",
    ),
)
