"""What is proven of the LinkedIn connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.LINKEDIN,
    lost=LostAnswer(
        there="a page's list has the asset or the text; the refusal of a duplicate names the post",
        absent="a page's list lacks it after 90 s and has a newer post; a text is asked for by"
        " sending it once",
        unknown="a second doubt; a file without a text, or uploaded anew; after 20 hours",
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
            claim="lists in queries are spelled as LinkedIn's own client does; members' and"
            " pages' counts, removal, sign-in for either",
            against="what that client printed, and the same fake",
            test="connectors/linkedin/test_accounts.py",
        ),
        Proof(
            claim="any text comes back whole, every reserved sign of little text",
            against="generated texts and a fake that cuts at the first bare reserved sign",
            test="connectors/linkedin/test_publishing.py",
        ),
    ),
    unproven=(
        "the live platform: for how long it refuses duplicates (20 hours are relied on)",
        "whether the refusal names the right post after a removal",
        "status 999 of restricted members: above 500 it is a missing answer here",
        "followers won by a post and page followers: not asked for",
        "WebP photos and MOV videos, which LinkedIn does not take: refused, not converted",
    ),
    corrections=(
        "a mention is `@[full name]` and its urn in parentheses, the name as LinkedIn has it",
        "comments go to `socialActions/{urn}/comments` under the post's own URN (Comments API)",
        "the duplicate's message begins with a Java exception: the id has no fixed place",
        "roles come ten at a time, and content admins may post (Organization Access Control)",
        "`organizationsLookup` names pages, many at once, administered or not (its own page)",
        "after a removal the refusal may name posts that do not exist (one report)",
    ),
)
