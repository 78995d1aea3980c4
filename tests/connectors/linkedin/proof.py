"""What is proven of the LinkedIn connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.LINKEDIN,
    lost=LostAnswer(
        there="a page's list has the asset or the text; the refusal of a duplicate names the post",
        absent="a page's list lacks it after 90 s and has a newer post; a text is checked by"
        " sending it once more",
        unknown="a second lost answer; a file without a text, or uploaded again; after 20 hours",
        read_after_restore="a page's posts, up to 500",
        unknown_after_restore="a member's posts, which nobody can list",
    ),
    proofs=(
        Proof(
            claim=HARNESS + "; as a page and as a member",
            against="a fake built from the fact sheet, which LinkedIn's own Rest.li client"
            " (linkedin-api-client 0.3.0, proprietary, not kept here) was run through once",
            test="connectors/linkedin/test_publishing.py",
        ),
        Proof(
            claim="a page's lost post is found by its asset or text; a member's is named by"
            " LinkedIn's refusal of the second; two lost answers end as outcome_unknown",
            against="the same fake, which lets nobody read a member's posts",
            test="connectors/linkedin/test_reconciliation.py",
        ),
        Proof(
            claim="lists in queries are encoded as in LinkedIn's own client; counts of members"
            " and pages, deletion, sign-in for both",
            against="what that client printed, and the same fake",
            test="connectors/linkedin/test_accounts.py",
        ),
        Proof(
            claim="any text comes back unchanged, including every reserved character of little"
            " text",
            against="generated texts and a fake that cuts at the first unescaped reserved"
            " character",
            test="connectors/linkedin/test_publishing.py",
        ),
    ),
    unproven=(
        "names of fields against a description: LinkedIn publishes none, nor a client made of one",
        "the live platform: how long it refuses duplicates (the connector relies on 20 hours)",
        "whether the refusal names the right post after a deletion",
        "status 999 for restricted members: above 500 it counts as no answer here",
        "followers gained through a post, and page followers: not requested",
        "WebP photos and MOV videos, which LinkedIn does not take: refused, not converted",
    ),
    corrections=(
        "a mention is `@[full name]` with the URN in parentheses, the name exactly as on LinkedIn",
        "comments go to `socialActions/{urn}/comments` under the post's own URN (Comments API)",
        "the duplicate's message begins with a Java exception: the id has no fixed place",
        "roles come in pages of ten, and content admins may post (Organization Access Control)",
        "`organizationsLookup` looks up many pages at once, administered or not (its own page)",
        "after a deletion the refusal may name posts that do not exist (one report)",
    ),
)
