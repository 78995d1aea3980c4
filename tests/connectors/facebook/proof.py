"""What is proven of the Facebook connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.FACEBOOK,
    lost=LostAnswer(
        there="the video's own status; one listed post has the photo or the text",
        absent="the video's status is not accepted; after 30 minutes lists show newer posts alone",
        unknown="no list shows it after 2 minutes; several fit; a story without its photo's id",
        read_after_restore="posts, videos, reels and stories, the newest 50 of each",
        unknown_after_restore="",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet; a lost answer of /feed may end as"
            " outcome_unknown, one of a video never does",
            test="connectors/facebook/test_publishing.py",
        ),
        Proof(
            claim="requests and answers of a photo, a text and a story, options as fields,"
            " refusals",
            against="the fact sheet's worked exchange and list of errors",
            test="connectors/facebook/test_publishing.py",
        ),
        Proof(
            claim="chunks that Facebook dictates; uploads that go on where they were cut off,"
            " begin anew or give up",
            against="the same fake, with scripted answers",
            test="connectors/facebook/test_uploads.py",
        ),
        Proof(
            claim="requests and answers of reels, films and stories, which kind a video is,"
            " processing that fails, links",
            against="the fact sheet's worked exchange and the same fake",
            test="connectors/facebook/test_videos.py",
        ),
        Proof(
            claim="every field of a reel is one that Meta names",
            against="the list of Meta's own client, facebook-business 25.0.2",
            test="connectors/shared/meta/test_parameters.py",
        ),
        Proof(
            claim="a lost text, photo, story or video is found; a refused second time leads"
            " back to the first; a video on its way is not finished again",
            against="the same fake, whose lists may lag",
            test="connectors/facebook/test_reconciliation.py",
        ),
        Proof(
            claim="Pages of the person's own and of businesses, their tokens and their loss;"
            " figures one by one, of which any may fail; removal of every kind of post",
            against="the same fake",
            test="connectors/facebook/test_accounts.py",
        ),
    ),
    unproven=(
        "searching places: Meta answers applications with Page Public Metadata or Content Access",
        "everything against Facebook itself: Meta has no server of it to run here",
        "how far a Page's lists lag: a text that they do not show is not sent again",
        "whether Facebook processes a video in chunks before it is finished",
        "removal of stories: the fact sheet names posts and videos only",
        "`publish_video`, which one of Meta's guides names beside the others: not asked for",
    ),
    corrections=(
        "`is_ai_generated` of videos, reels and stories (page.py of facebook-business 26.0.3)",
        "`permalink_url` of a reel is made absolute like that of a video",
        "new Pages name their tasks `PROFILE_PLUS_…` (page tasks in facebook-business 26.0.3)",
        "`MANAGE` may post too (Pages API, overview)",
        "processing may take 10 minutes, but long uploads share the 30 minutes of a step",
    ),
)
