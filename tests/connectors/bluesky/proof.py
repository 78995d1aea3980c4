"""What is proven of the Bluesky connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.BLUESKY,
    lost=LostAnswer(
        there="the record under the target's own key has the text",
        absent="there is no record under the key; decided at once, since writing the same record"
        " twice creates only one",
        unknown="never",
        read_after_restore="the target's own key, which stays the same when the text changes",
        unknown_after_restore="none",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and measured against the real server",
            test="connectors/bluesky/test_publishing.py",
        ),
        Proof(
            claim="videos of 16 MiB and more are uploaded in parts: lost parts, an upload that"
            " expires, a service that does not accept parts (one request), the same file twice",
            against="the lexicons of `app.bsky.video` (startUpload, uploadPart, finishUpload,"
            " getUploadStatus, abortUpload), simulated by a fake",
            test="connectors/bluesky/test_videos.py",
        ),
        Proof(
            claim="the whole product, from `account connect` with an app password: photo, video,"
            " text with facets, gates, schedule, lost answers without a second post, unpublish,"
            " refresh, a revoked session, `account reconnect`",
            against="Bluesky's own server, @atproto/pds 0.4.217 (video service and public view"
            " are simulated)",
            test="connectors/bluesky/test_server.py",
        ),
        Proof(
            claim="browser sign-in (PAR, PKCE, DPoP), and publishing, deletion and token rotation"
            " with it; a replayed refresh token; a forged answer",
            against="the same server's own sign-in page and token endpoint",
            test="connectors/bluesky/test_oauth.py",
        ),
        Proof(
            claim="links, mentions, tags and cashtags in 3,000 texts",
            against="detectFacets of Bluesky's own client, @atproto/api 0.19.19",
            test="connectors/bluesky/test_text.py",
        ),
        Proof(
            claim="the format of posts, threadgates and postgates",
            against="the official lexicons in @atproto/api 0.19.19",
            test="connectors/bluesky/test_text.py",
        ),
        Proof(
            claim="a post and its first comment are there once each, at whichever call the process"
            " dies and whichever answer is lost",
            against="Bluesky's own account server, @atproto/pds 0.4.217",
            test="connectors/bluesky/test_comments.py",
        ),
    ),
    unproven=(
        "browser sign-in as a confidential client: ours is public (two weeks, renewed)",
        "the live video service, in one request and in parts: there is no server to run here",
        "the live public view: there is no server to run here either",
        "videos over 100 MB: the lexicons used here predate that limit",
    ),
    corrections=(
        "a post and its gates in one `applyWrites` can be resent: a repeat is refused as a whole",
        "the official client also marks cashtags (`$AAPL`), as tags",
        "images over 1,000,000 bytes: Bluesky's servers take them, @atproto/pds 0.4.217 does not",
    ),
)
