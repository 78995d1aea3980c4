"""What is proven of the Instagram connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.INSTAGRAM,
    lost=LostAnswer(
        there="the container says PUBLISHED, or one listed post has its kind, caption and time",
        absent="the container is not published 90 s after the call began, or is dead",
        unknown="several listed posts match; a container that cannot be read for 5 minutes",
        read_after_restore="the newest 50 posts and 50 stories",
        unknown_after_restore="a story, a day after the backup",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet, once per host: accounts that signed in"
            " with Instagram and with Facebook",
            test="connectors/instagram/test_publishing.py",
        ),
        Proof(
            claim="requests and answers for a reel; options as fields; stories; reels that are"
            " uploaded instead of fetched",
            against="the fact sheet's worked exchange and list of errors",
            test="connectors/instagram/test_publishing.py",
        ),
        Proof(
            claim="every field and metric is one that Meta lists",
            against="the lists of Meta's own client, facebook-business 26.0.3 (`make meta-fields`)",
            test="connectors/shared/meta/test_parameters.py",
        ),
        Proof(
            claim="containers that fail, expire, are not ready or cannot be read; a used-up daily"
            " limit; metrics are not read near the end of a quota",
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
            claim="every token exchange for both ways to sign in; a lost Page; metrics by kind of"
            " post (one that fails affects only itself); metrics of stories for a day",
            against="the same fake, which refuses a metric that the kind of post does not have",
            test="connectors/instagram/test_accounts.py",
        ),
    ),
    unproven=(
        "anything against Instagram itself: Meta offers no server to run here",
        "publishing one container twice: the connector never does, so the effect is unknown",
        "Pages visible only through a business may need `ads_read` to publish: not requested",
    ),
    corrections=(
        "`upload_type` and `is_ai_generated` with either sign-in (facebook-business 26.0.3)",
        "partners and places only with Facebook sign-in (`IGUser.create_media` of the same)",
        "`/me` may return a list, as code exchanges do: both forms are accepted",
        "limits are also marked transient: the code counts before that flag, except for 100",
    ),
)
