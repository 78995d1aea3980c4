"""What is proven of the Facebook connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.FACEBOOK,
    lost=LostAnswer(
        there="the video's own status; one listed post has the photo or the text",
        absent="the video's status is not accepted; after 30 minutes the lists show only newer"
        " posts",
        unknown="no list shows it after 2 minutes; several posts match; a story without its"
        " photo's id",
        read_after_restore="posts, videos, reels and stories, the newest 50 of each",
        unknown_after_restore="",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet; a lost answer of /feed may end as"
            " outcome_unknown, that of a video never does",
            test="connectors/facebook/test_publishing.py",
        ),
        Proof(
            claim="requests and answers for a photo, a text and a story; options as fields;"
            " refusals",
            against="the fact sheet's worked exchange and list of errors",
            test="connectors/facebook/test_publishing.py",
        ),
        Proof(
            claim="chunk sizes set by Facebook; interrupted uploads that resume, restart or give"
            " up",
            against="the same fake, with scripted answers",
            test="connectors/facebook/test_uploads.py",
        ),
        Proof(
            claim="requests and answers for reels, films and stories; which kind a video becomes;"
            " failed processing; links",
            against="the fact sheet's worked exchange and the same fake",
            test="connectors/facebook/test_videos.py",
        ),
        Proof(
            claim="every field of a reel, a post and a photo is one that Meta lists",
            against="the list of Meta's own client, facebook-business 26.0.3 (`make meta-fields`)",
            test="connectors/shared/meta/test_parameters.py",
        ),
        Proof(
            claim="a lost text, photo, story or video is found; if a second attempt is refused,"
            " the first is found; a video in processing is not finished again",
            against="the same fake, whose lists may lag",
            test="connectors/facebook/test_reconciliation.py",
        ),
        Proof(
            claim="Pages owned by the person and by businesses, their tokens, and losing them;"
            " each metric on its own, any of which may fail; deletion of every kind of post",
            against="the same fake",
            test="connectors/facebook/test_accounts.py",
        ),
    ),
    unproven=(
        "place search: Meta requires Page Public Metadata or Page Public Content Access",
        "anything against Facebook itself: Meta offers no server to run here",
        "how far a Page's lists lag: a text missing from them is not sent again",
        "whether Facebook processes a video in chunks before it is finished",
        "deletion of stories: the fact sheet mentions only posts and videos",
        "`publish_video`, which one of Meta's guides also lists: not requested",
    ),
    corrections=(
        "`is_ai_generated` of videos, reels and stories (page.py of facebook-business 26.0.3)",
        "a reel's `permalink_url` is made absolute, as for a video",
        "new Pages name their tasks `PROFILE_PLUS_…` (page tasks in facebook-business 26.0.3)",
        "`MANAGE` may post too (Pages API, overview)",
        "processing may take 10 minutes, but long uploads share the 30 minutes of a step",
    ),
)
