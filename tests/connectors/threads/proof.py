"""What is proven of the Threads connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.THREADS,
    lost=LostAnswer(
        there="the container says PUBLISHED, or one listed post has its kind, text and time",
        absent="the container is not published 90 s after the call began, or is dead",
        unknown="several listed posts fit; a container that cannot be read for 5 minutes",
        read_after_restore="the newest 100 posts",
        unknown_after_restore="",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet",
            test="connectors/threads/test_publishing.py",
        ),
        Proof(
            claim="requests and answers for a video; options as fields; refusals told apart by"
            " their wording",
            against="the fact sheet's worked exchange and list of errors",
            test="connectors/threads/test_publishing.py",
        ),
        Proof(
            claim="containers that fail, expire, are not ready, cannot be read or have no status;"
            " a used-up daily limit; a file URL that is valid for a day; metrics are not read"
            " near the end of a quota",
            against="the same fake and Instagram's, with scripted answers",
            test="connectors/shared/meta/test_containers.py",
        ),
        Proof(
            claim="a lost post is found by container, text, kind and time; a container that"
            " cannot be read proves nothing; a spam block that took the post all the same",
            against="the same two fakes",
            test="connectors/shared/meta/test_containers_reconciliation.py",
        ),
        Proof(
            claim="both token exchanges and their refresh; a metric that fails affects only"
            " itself; deletion, and a deletion that had no effect",
            against="the same fake",
            test="connectors/threads/test_accounts.py",
        ),
        Proof(
            claim="the file is fetched with HEAD and GET from the URL given to the container",
            against="the whole service and the same fake, which here really fetches it",
            test="workers/publishing/test_pulled_media.py",
        ),
    ),
    unproven=(
        "names of fields against a description: Threads publishes none, nor a client made of one",
        "place search: until Meta approves threads_location_tagging it only covers Menlo Park",
        "anything against Threads itself: Meta offers no server or SDK to run here",
        "whether every path accepts the token as a header: Meta's examples use a parameter",
        "whether Threads sends HEAD first: our own server answers it, an S3 link does not",
    ),
    corrections=("a file's URL is valid for a day, as the container is, not just for an hour",),
)
