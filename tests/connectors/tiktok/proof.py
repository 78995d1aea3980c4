"""What is proven of the TikTok connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.TIKTOK,
    lost=LostAnswer(
        there="the upload's own status, or a public post with the caption",
        absent="the upload's status is failed or reports missing bytes; a list of videos that"
        " reaches back 6 h",
        unknown="a photo that no list shows; a post in the inbox; a list that the connector may"
        " not read",
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
            claim="requests and answers for a video in seven chunks and for a photo",
            against="the fact sheet's worked exchange",
            test="connectors/tiktok/test_publishing.py",
        ),
        Proof(
            claim="every option as a field, settings that changed since the draft, refusals,"
            " used-up daily limits",
            against="the same fake, which knows what its creator allows",
            test="connectors/tiktok/test_settings.py",
        ),
        Proof(
            claim="every chunk plan is valid for TikTok, from 1 byte to 4 GB",
            against="the rules of TikTok's guide, as properties",
            test="connectors/tiktok/test_chunks.py",
        ),
        Proof(
            claim="interrupted uploads resume where they stopped, and restart only if the first"
            " can no longer become a post",
            against="the same fake",
            test="connectors/tiktok/test_uploads.py",
        ),
        Proof(
            claim="every state and fail_reason, unknown states, a status that cannot be read for"
            " an hour, posts that never get an id",
            against="the same fake",
            test="connectors/tiktok/test_processing.py",
        ),
        Proof(
            claim="lost answers: found, waited for, absent, undecidable; after a restore",
            against="the same fake, with a list that lags and omits photos",
            test="connectors/tiktok/test_reconciliation.py",
        ),
        Proof(
            claim="sign-in for web and desktop applications, withheld scopes, token rotation;"
            " counts, and ids that arrive late",
            against="the same fake",
            test="connectors/tiktok/test_accounts.py",
        ),
        Proof(
            claim="`GET /v1/accounts/{id}/tiktok` for a real account, and videos trimmed to what"
            " the creator may post",
            against="the whole service over the same fake",
            test="api/resources/test_tiktok_creators.py",
        ),
    ),
    unproven=(
        "names of fields against a description: TikTok publishes none, nor a client made of one",
        "anything against TikTok itself: it offers no server or client to run here",
        "whether the list of videos shows photos, and how far it lags behind moderation",
        "posts that get their id late still link to the profile, though counts are found",
        "followers gained through a post: TikTok reports only an account's total; not requested",
    ),
    corrections=(
        "a video for the inbox carries only its source, a photo its text (Upload reference)",
        "an application with a loopback redirect needs PKCE with a hexadecimal challenge",
        "the upload's Content-Range may mean a count or the last byte's offset: both are read",
        "after a lost last chunk a new upload is safe once the first cannot be completed",
        "a used-up daily limit is retried after 6 hours, not the next day: the limit is rolling",
        "`internal_error` with a status below 500 proves no more than one above",
    ),
)
