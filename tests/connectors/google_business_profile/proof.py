"""What is proven of the Google Business Profile connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.GOOGLE_BUSINESS_PROFILE,
    lost=LostAnswer(
        there="a listed post has topic, text and time",
        absent="no page has it after 3 minutes, and the location has a newer post; one time only",
        unknown="no newer post within 30 minutes; a second call that is nowhere",
        read_after_restore="the location's posts, up to 1,000",
        unknown_after_restore="a location without a newer post",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and Google's reference page of v4.9; no"
            " package describes posts, so that they are held against a strict schema of our"
            " own (`test_local_post_schema.py`)",
            test="connectors/google_business_profile/test_publishing.py",
        ),
        Proof(
            claim="the fake takes what Google's client asks of accounts and locations, page by"
            " page; each such call of the connector is one that Google describes, and so is"
            " each answer of the fake",
            against="google-api-python-client 2.202.0 and the discovery documents in it"
            " (mybusinessaccountmanagement.v1, mybusinessbusinessinformation.v1 of 2026-10-26)",
            test="connectors/google_business_profile/test_official.py",
        ),
        Proof(
            claim="a lost post is found and its review watched, or sent once more after three"
            " minutes and no third time; one that Google refused meanwhile is not sent again",
            against="the same fake, with a list that lags, has pages and any order",
            test="connectors/google_business_profile/test_reconciliation.py",
        ),
        Proof(
            claim="only a post with our text, topic and time is taken for ours",
            against="the same fake",
            test="connectors/google_business_profile/test_matching.py",
        ),
        Proof(
            claim="fields, numbers and reasons of refusals, pages of HTML, a project without"
            " approval, photos that the fake really fetches from loopback",
            against="recorded answers of Google's and the fact sheet's list of errors",
            test="connectors/google_business_profile/test_refusals.py",
        ),
        Proof(
            claim="options that do not go together, times of events, photos too small, large"
            " or light: refused before a call, in a sentence that says what to do",
            against="the fact sheet's rules and Google's reference page",
            test="connectors/google_business_profile/test_ahead.py",
        ),
        Proof(
            claim="sign-in, locations of all accounts, renewal, views, figures that are gone"
            " for good or switched off, posts that were deleted or refused;"
            " removal",
            against="the same fake",
            test="connectors/google_business_profile/test_accounts.py",
        ),
    ),
    unproven=(
        "the live platform: how far the list of posts lags, its order, how long reviews take",
        "whether Google still tells how often posts were seen: if not, nothing is reported",
        "which fields Google names in refusals beyond the few that were recorded",
        "whether the second of two equal posts is refused: if it is, that counts as proof",
        "a photo's address of one hour: Google fetched at the call wherever it was recorded",
    ),
    corrections=(
        "a photo that could not be fetched is refused with the number 1000 and without a field",
        "numbers 1301 to 1399 are about the location or account, 1000 to 1099 about the photo",
        "an event's schedule must have both dates and both times, or it is not valid",
        "states SCHEDULED and RECURRING exist; RECURRING is shown",
        "`hasVoiceOfMerchant` may be left out: only a plain false marks a location at sign-in",
    ),
)
