"""What is proven of the Picnic connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.PICNIC,
    lost=LostAnswer(
        there="the account's list has the photo or the text",
        absent="the list lacks it 60 s after the call, and has a newer post",
        unknown="no newer post within 30 minutes",
        read_after_restore="the account's list",
        unknown_after_restore="",
    ),
    proofs=(Proof(claim=HARNESS, against="a fake", test="connectors/picnic/test_publishing.py"),),
    unproven=("that there is such a platform",),
)
