"""What is proven of the Instagram connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.INSTAGRAM,
    lost=LostAnswer(
        there="the container says PUBLISHED, or one listed post has its kind, caption and time",
        absent="the container is not published 90 s after the call began, or is dead",
        unknown="several listed posts fit; a container that cannot be read for 5 minutes",
        read_after_restore="the newest 50 posts and 50 stories",
        unknown_after_restore="a story, a day after the backup",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet, once per host: accounts that signed in"
            " by Instagram and by Facebook",
            test="connectors/instagram/test_publishing.py",
        ),
        Proof(
            claim="requests and answers of a reel, options as fields, stories, reels that are"
            " sent and not fetched",
            against="the fact sheet's worked exchange and list of errors",
            test="connectors/instagram/test_publishing.py",
        ),
        Proof(
            claim="every field and metric is one that Meta names (`is_ai_generated` is newer)",
            against="the lists of Meta's own client, facebook-business 25.0.2",
            test="connectors/shared/meta/test_parameters.py",
        ),
        Proof(
            claim="containers that fail, expire, are not ready or cannot be read; a full day;"
            " figures are left alone near the end of a quota",
            against="the same fake and Threads', with scripted answers",
            test="connectors/shared/meta/test_containers.py",
        ),
        Proof(
            claim="a lost post is found by container, caption, kind and time; a container that"
            " cannot be read proves nothing; a spam block that took the post all the same",
            against="the same two fakes",
            test="connectors/shared/meta/test_containers_reconciliation.py",
        ),
        Proof(
            claim="every trade of tokens in both ways to sign in, a Page that was lost; metrics"
            " by kind of post, one that fails costs only itself, stories for a day",
            against="the same fake, which refuses a metric that its kind of post has not",
            test="connectors/instagram/test_accounts.py",
        ),
    ),
    unproven=(
        "everything against Instagram itself: Meta has no server of it to run here",
        "publishing one container twice: it is never done, so what it would do stays unknown",
        "Pages that only a business shows may need `ads_read` to publish: it is not asked for",
    ),
    corrections=(
        "`upload_type` and `is_ai_generated` by either sign-in (facebook-business 26.0.3)",
        "partners and places by Facebook's sign-in alone (`IGUser.create_media` of the same)",
        "`/me` may come in a list, as code exchanges do: both shapes are read",
        "limits are called transient too: what passes counts after the code, but for 100",
    ),
)
