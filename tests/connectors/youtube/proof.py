"""What is proven of the YouTube connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.YOUTUBE,
    lost=LostAnswer(
        there="the upload session names the video, or one upload has the title and time",
        absent="the session lacks bytes at two looks; it ended at its first last bytes, or"
        " the uploads show a newer one, and none has the title",
        unknown="the session is gone and several uploads fit, or none and no newer one",
        read_after_restore="the newest 50 uploads, private ones too",
        unknown_after_restore="",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet, which Google's own client was run against",
            test="connectors/youtube/test_publishing.py",
        ),
        Proof(
            claim="the fake takes all that Google's client does (uploads in chunks and ones"
            " that were cut off, lists, playlists, channels, removal, Analytics); each call,"
            " body and permission of the connector is one that Google describes, and so is"
            " each answer of the fake",
            against="google-api-python-client 2.202.0 and the discovery documents in it"
            " (youtube.v3 of 2026-11-04, youtubeAnalytics.v2)",
            test="connectors/youtube/test_official.py",
        ),
        Proof(
            claim="uploads that are cut off go on at the byte that YouTube names: lost chunks,"
            " overlaps, pauses, sessions that move, end or stand still; no session is opened"
            " while another may have the last byte",
            against="the fact sheet's rules of resumable uploads",
            test="connectors/youtube/test_uploads.py",
        ),
        Proof(
            claim="lost last bytes are asked of their session; without it the video is found by"
            " title and time, or not sent again",
            against="the same fake, whose sessions end and whose uploads lag",
            test="connectors/youtube/test_reconciliation.py",
        ),
        Proof(
            claim="sign-in, permissions left unticked, no channel, renewal, counts of fifty"
            " videos in two calls, a day's quota, removal",
            against="the same fake",
            test="connectors/youtube/test_accounts.py",
        ),
        Proof(
            claim="titles, descriptions, tags, Shorts by shape, what is refused ahead",
            against="the fact sheet's limits, which Google's description does not have",
            test="connectors/youtube/test_post.py",
        ),
    ),
    unproven=(
        "the live platform: its lag, what it answers to bytes out of place, a session's life",
        "how YouTube counts a title's signs: code points are counted here",
        "a `cover`: it is not sent, since a post has one file and no address is fetched",
        "a playlist after a lost answer: the video is published and not put into it",
        "videos kept private though they were to be public: published, and a line in the log",
    ),
    corrections=(
        "`processingStatus` `terminated` says that no more is told; it is no failure",
        "`rejectionReason` `length` is video_too_long here, not media_rejected",
        "Google's client names no Content-Type for chunks; the fake must take them without",
        "`videos.list` by id takes no `maxResults`",
        "Analytics tells fifty videos at once (`dimensions=video`), not one by one",
        "Google now says that projects without an audit are not confined to private videos",
    ),
)
