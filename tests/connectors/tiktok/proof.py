"""What is proven of the TikTok connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.TIKTOK,
    lost=LostAnswer(
        there="the upload's own status, or a public post with the caption",
        absent="the upload's status is failed or lacks bytes; a list of videos"
        " that reaches back 6 h",
        unknown="a photo that no list shows; a post in the inbox; a list that may not be read",
        read_after_restore="nothing: its list lacks photos and private posts",
        unknown_after_restore="every target",
    ),
    proofs=(
        Proof(
            claim=HARNESS + "; a lost answer for a photo may end as outcome_unknown, one for a"
            " video never does",
            against="a fake built from the fact sheet, once each for a video in one piece, in"
            " chunks, and a photo",
            test="connectors/tiktok/test_publishing.py",
        ),
        Proof(
            claim="requests and answers of a video in seven chunks and of a photo",
            against="the fact sheet's worked exchange",
            test="connectors/tiktok/test_publishing.py",
        ),
        Proof(
            claim="every option as a field, settings that changed since the draft, refusals,"
            " full days",
            against="the same fake, which knows what its creator allows",
            test="connectors/tiktok/test_settings.py",
        ),
        Proof(
            claim="every plan of chunks is one that TikTok takes, from 1 byte to 4 GB",
            against="the rules of TikTok's guide, as properties",
            test="connectors/tiktok/test_chunks.py",
        ),
        Proof(
            claim="uploads go on where they were cut off, and are begun anew only where nothing"
            " can come of the first",
            against="the same fake",
            test="connectors/tiktok/test_uploads.py",
        ),
        Proof(
            claim="every state and fail_reason, states that nobody knows, a status that cannot"
            " be read for an hour, posts that never get an id",
            against="the same fake",
            test="connectors/tiktok/test_processing.py",
        ),
        Proof(
            claim="lost answers: found, waited for, absent, untellable; after a restore",
            against="the same fake, with a list that lags and leaves photos out",
            test="connectors/tiktok/test_reconciliation.py",
        ),
        Proof(
            claim="sign-in of web and desktop applications, withheld scopes, rotation; counts,"
            " and ids that come late",
            against="the same fake",
            test="connectors/tiktok/test_accounts.py",
        ),
        Proof(
            claim="`GET /v1/accounts/{id}/tiktok` of a real account, and films cut to what the"
            " creator may post",
            against="the whole service over the same fake",
            test="api/resources/test_tiktok_creators.py",
        ),
    ),
    unproven=(
        "everything against TikTok itself: it has no server and no client to run here",
        "whether the list of videos shows photos, and how far it lags behind moderation",
        "links of posts that get their id late stay the profile's, though counts are found",
        "followers won by a post: TikTok tells an account's total alone, it is not asked for",
    ),
    corrections=(
        "a video for the inbox carries its source alone, a photo its text (Upload reference)",
        "an application with a loopback redirect needs PKCE, its challenge in hexadecimal",
        "the upload's Content-Range may mean a count or the last byte's place: both are read",
        "after a lost last chunk a new upload is safe once the first can't be completed",
        "a full day is tried again after 6 hours, not the next day: the count rolls",
        "`internal_error` with a status below 500 proves no more than one above",
    ),
)
