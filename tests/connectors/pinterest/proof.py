"""What is proven of the Pinterest connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.PINTEREST,
    lost=LostAnswer(
        there="a pin on the board has the same kind, link, title and description",
        absent="after 30 minutes the whole board has no pin from that time, and the account has a"
        " newer pin",
        unknown="no newer pin; any other pin from that time; a board that was only partly read",
        read_after_restore="the pins of all boards, up to 2,500",
        unknown_after_restore="a board without a newer pin",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and tested with a client generated from"
            " Pinterest's own OpenAPI; a lost answer may end as outcome_unknown",
            test="connectors/pinterest/test_publishing.py",
        ),
        Proof(
            claim="the fake accepts everything this client does (account, boards, photo with"
            " nulls, video, lists, metrics, deletion, tokens); neither the connector's bodies nor"
            " the fake's answers have fields unknown to its models",
            against="pinterestsdk 2.1.0, generated from Pinterest's OpenAPI 5.28.0",
            test="connectors/pinterest/test_official.py",
        ),
        Proof(
            claim="an accepted pin is found whatever was lost; one that was not accepted is never"
            " resent automatically; only a whole board without any pin from that time, half an"
            " hour later, proves that there is none; the same after a restore",
            against="the same fake, with boards that lag and have pages",
            test="connectors/pinterest/test_once.py",
        ),
        Proof(
            claim="which pins are recognized as ours: text, title, link, kind, owner and time",
            against="the same fake",
            test="connectors/pinterest/test_reconciliation.py",
        ),
        Proof(
            claim="options and files that Pinterest does not accept are refused before sending,"
            " with a sentence; answers are told apart by status and number, and spam from rate"
            " limits",
            against="the fact sheet's list of errors, corrected by OpenAPI 5.23.0's examples",
            test="connectors/pinterest/test_refusals.py",
        ),
        Proof(
            claim="sign-in, rotation of both tokens, idle accounts, dead sign-ins; deletion;"
            " metrics with any of them missing",
            against="the same fake",
            test="connectors/pinterest/test_accounts.py",
        ),
        Proof(
            claim="a file streamed inside JSON has the same bytes as one assembled in memory",
            against="Python's base64 and json, for all lengths around the chunk boundaries",
            test="kit/transport/test_bodies.py",
        ),
    ),
    unproven=(
        "the live platform: how far boards lag and in which order they list their pins",
        "how Pinterest changes texts: a lost pin with a different text ends as unknown",
        "how small a photo may be (100 pixels per side are required here), and how large",
        "which of its messages name a field: two forms shown by OpenAPI are recognized",
        "how long a processed video can still be pinned",
        "quotas of the metrics calls, and trial applications with 1,000 calls a day",
    ),
    corrections=(
        "`ai_disclosures` takes AI_MODIFIED and SYNTHETIC_PERFORMER (pinterestsdk 2.1.0)",
        "a missing scope is 401 with code 3, not 403: a new token does not help",
        "code 30 is a rate limit only with 429, otherwise an unknown user: the status decides",
        "code 1104 is about the token of a report, not of the account",
        "a dead refresh token is code 283, with `code` and `message` and without `error`",
        "`continuous_refresh` belongs in every token request, including refreshes",
        "lifetime metrics are whole numbers; those for a date range need not be",
        "a section's pins have their own list, which is searched for a lost pin there",
    ),
)
