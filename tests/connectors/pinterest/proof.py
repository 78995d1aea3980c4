"""What is proven of the Pinterest connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.PINTEREST,
    lost=LostAnswer(
        there="a pin of the board has kind, link, title and description",
        absent="after 30 minutes the whole board has no pin of that time, but a"
        " newer one of the account",
        unknown="no newer pin; any pin of that time; a board of which a part was read",
        read_after_restore="the pins of all boards, up to 2,500",
        unknown_after_restore="a board without a newer pin",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet, which a client made from Pinterest's own"
            " OpenAPI was run against; a lost answer may end as outcome_unknown",
            test="connectors/pinterest/test_publishing.py",
        ),
        Proof(
            claim="the fake takes all that this client does (account, boards, photo with nulls,"
            " video, lists, figures, removal, tokens); the connector's bodies have no field"
            " that its models do not know, nor has what the fake answers",
            against="pinterestsdk 2.1.0, made from Pinterest's OpenAPI 5.28.0",
            test="connectors/pinterest/test_official.py",
        ),
        Proof(
            claim="a pin that was taken is found whatever was lost; one that was not taken is"
            " never sent again by itself; only a whole board without any pin of that time,"
            " half an hour later, says that there is none; after a restore, too",
            against="the same fake, with boards that lag and have pages",
            test="connectors/pinterest/test_once.py",
        ),
        Proof(
            claim="what is taken for ours: text, title, link, kind, owner and time",
            against="the same fake",
            test="connectors/pinterest/test_reconciliation.py",
        ),
        Proof(
            claim="options and files that Pinterest cannot take are refused unsent, with a"
            " sentence; answers are told by status and number; spam from rate",
            against="the fact sheet's list of errors, corrected by OpenAPI 5.23.0's examples",
            test="connectors/pinterest/test_refusals.py",
        ),
        Proof(
            claim="sign-in, rotation of both tokens, idle accounts, dead sign-ins; removal;"
            " figures with any of them missing",
            against="the same fake",
            test="connectors/pinterest/test_accounts.py",
        ),
        Proof(
            claim="a file inside JSON is the same bytes as if put together in memory",
            against="base64 and json of Python, all lengths around the pieces' bounds",
            test="connectors/shared/transport/test_bodies.py",
        ),
    ),
    unproven=(
        "the live platform: how far boards lag and in which order they list their pins",
        "what Pinterest makes of texts: a lost pin that shows another one ends as unknown",
        "how small a photo may be (100 pixels a side are asked for), and how large",
        "which of its messages name a field: two forms that OpenAPI shows are read",
        "for how long a processed video can still be pinned",
        "quotas of the figures' calls, and applications on trial with 1,000 calls a day",
    ),
    corrections=(
        "`ai_disclosures` takes AI_MODIFIED and SYNTHETIC_PERFORMER (pinterestsdk 2.1.0)",
        "a missing scope is 401 with code 3, not 403: a new token does not help",
        "code 30 is a rate limit at 429 only, else an unknown user: codes go with statuses",
        "code 1104 is about the token of a report, not of the account",
        "a dead refresh token is code 283, with `code` and `message` and without `error`",
        "`continuous_refresh` belongs to the token form as such, refreshes included",
        "lifetime figures are whole numbers, those of the asked days need not be",
        "a section's pins have a list of their own, which is read for a lost pin there",
    ),
)
