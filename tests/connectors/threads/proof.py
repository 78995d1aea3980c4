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
            claim="requests and answers of a video, options as fields, refusals told apart by"
            " their wording",
            against="the fact sheet's worked exchange and list of errors",
            test="connectors/threads/test_publishing.py",
        ),
        Proof(
            claim="containers that fail, expire, are not ready, cannot be read or tell no"
            " status; a full day; an address of the file that holds for a day; figures are"
            " left alone near the end of a quota",
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
            claim="both trades of tokens and their renewal; a metric that fails costs only"
            " itself; removal, and a removal that was none",
            against="the same fake",
            test="connectors/threads/test_accounts.py",
        ),
        Proof(
            claim="the file is fetched by HEAD and GET at the address that the container got",
            against="the whole service and the same fake, which here goes and gets it",
            test="workers/publishing/test_pulled_media.py",
        ),
    ),
    unproven=(
        "searching places: before Meta approves threads_location_tagging it knows Menlo Park alone",
        "everything against Threads itself: Meta has no server or SDK of it to run here",
        "whether every path takes the token as a header: Meta's examples show a parameter",
        "whether Threads asks by HEAD first: our own door answers it, a link of S3 does not",
    ),
    corrections=(
        "the address of a file holds for a day, as the container does, not for an hour only",
    ),
)
