"""What is proven of the Bluesky connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.BLUESKY,
    lost=LostAnswer(
        there="the record under the target's own key has the text",
        absent="nothing is under the key: at once, since writing the same record"
        " twice is writing it once",
        unknown="never",
        read_after_restore="the target's own key, which a changed text keeps",
        unknown_after_restore="no target",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and measured against the real server",
            test="connectors/bluesky/test_publishing.py",
        ),
        Proof(
            claim="videos of 16 MiB and more go in parts: parts that get lost, an upload that"
            " expires, a service that takes no parts (one request), the same file twice",
            against="the lexicons of `app.bsky.video` (startUpload, uploadPart, finishUpload,"
            " getUploadStatus, abortUpload), played by a fake",
            test="connectors/bluesky/test_videos.py",
        ),
        Proof(
            claim="the whole product, from `account connect` with an app password: photo,"
            " video, text with facets, gates, schedule, lost answers without a second post,"
            " unpublish, renewal, a revoked session, `account reconnect`",
            against="Bluesky's own server, @atproto/pds 0.4.217 (video service and public view"
            " are played)",
            test="connectors/bluesky/test_server.py",
        ),
        Proof(
            claim="sign-in by browser (PAR, PKCE, DPoP), publishing, removal and rotation with"
            " it, a replayed refresh token, a forged answer",
            against="the same server's own sign-in page and token endpoint",
            test="connectors/bluesky/test_oauth.py",
        ),
        Proof(
            claim="links, mentions, tags and cashtags of 3,000 texts",
            against="detectFacets of Bluesky's own client, @atproto/api 0.19.19",
            test="connectors/bluesky/test_text.py",
        ),
        Proof(
            claim="posts, threadgates and postgates as they are written",
            against="the official lexicons in @atproto/api 0.19.19",
            test="connectors/bluesky/test_text.py",
        ),
    ),
    unproven=(
        "sign-in by browser as a confidential client: this one is public (two weeks, renewed)",
        "the live video service, in one request and in parts: no server of it can be had",
        "the live public view: neither can one of that",
        "videos over 100 MB: the lexicons at hand are older than that limit",
    ),
    corrections=(
        "a post and its gates in one `applyWrites` may be repeated: it is refused as a whole",
        "the official client also points out cashtags (`$AAPL`), as tags",
        "images above 1,000,000 bytes: Bluesky's own servers take them, @atproto/pds 0.4.217 not",
    ),
)
