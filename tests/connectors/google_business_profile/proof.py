"""What is proven of the Google Business Profile connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.GOOGLE_BUSINESS_PROFILE,
    lost=LostAnswer(
        there="a listed post has the same topic, text and time",
        absent="no page lists it after 3 minutes, and the location has a newer post; only once"
        " per post",
        unknown="no newer post within 30 minutes; a second call whose post is not found either",
        read_after_restore="the location's posts, up to 1,000",
        unknown_after_restore="a location without a newer post",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and Google's reference page for v4.9; no"
            " package describes posts, so they are checked against a strict schema of ours"
            " (`test_local_post_schema.py`)",
            test="connectors/google_business_profile/test_publishing.py",
        ),
        Proof(
            claim="the fake accepts what Google's client requests for accounts and locations,"
            " page by page; each such call of the connector, and each answer of the fake, matches"
            " Google's description",
            against="google-api-python-client 2.202.0 and the discovery documents in it"
            " (mybusinessaccountmanagement.v1, mybusinessbusinessinformation.v1 of 2026-10-26)",
            test="connectors/google_business_profile/test_official.py",
        ),
        Proof(
            claim="a lost post is found and its review followed, or it is sent once more after"
            " three minutes, but never a third time; one that Google refused in the meantime is"
            " not sent again",
            against="the same fake, with a list that lags, has pages and comes in any order",
            test="connectors/google_business_profile/test_reconciliation.py",
        ),
        Proof(
            claim="only a post with our text, topic and time is recognized as ours",
            against="the same fake",
            test="connectors/google_business_profile/test_matching.py",
        ),
        Proof(
            claim="fields, numbers and reasons of refusals; HTML pages; a project without"
            " approval; photos that the fake really fetches from loopback",
            against="recorded answers from Google and the fact sheet's list of errors",
            test="connectors/google_business_profile/test_refusals.py",
        ),
        Proof(
            claim="incompatible options, event times, and photos that are too small, too large or"
            " have too few bytes are refused before a call, with a sentence that says what to do",
            against="the fact sheet's rules and Google's reference page",
            test="connectors/google_business_profile/test_ahead.py",
        ),
        Proof(
            claim="sign-in, locations of all accounts, refresh, views, metrics that are gone for"
            " good or switched off, posts that were deleted or refused, deletion",
            against="the same fake",
            test="connectors/google_business_profile/test_accounts.py",
        ),
    ),
    unproven=(
        "the live platform: how far the list of posts lags, its order, how long reviews take",
        "whether Google still reports how often posts were viewed: if not, no figure is given",
        "which fields Google names in refusals beyond the few that were recorded",
        "whether the second of two identical posts is refused: if it is, that counts as proof",
        "a photo URL valid for one hour: in all recorded cases Google fetched it during the call",
    ),
    corrections=(
        "a photo that could not be fetched is refused with the number 1000 and without a field",
        "numbers 1301 and 1302 are about account and location, 1000 to 1099 about the photo",
        "an event's schedule must have both dates and both times, or it is not valid",
        "the states SCHEDULED and RECURRING exist; RECURRING counts as visible",
        "`hasVoiceOfMerchant` may be missing: only an explicit false is flagged at sign-in",
    ),
)
