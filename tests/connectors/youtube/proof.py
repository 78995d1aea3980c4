"""What is proven of the YouTube connector, and against what."""

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.proof import HARNESS, LostAnswer, Proof, Proven

PROVEN = Proven(
    platform=Platform.YOUTUBE,
    lost=LostAnswer(
        there="the upload session names the video, or one upload has the title and time",
        absent="the session lacks bytes in two checks; or none has the title and either the"
        " session ended at its first last bytes or the uploads show a newer one",
        unknown="the session is gone and several uploads match, or none matches and there is no"
        " newer one",
        read_after_restore="the newest 50 uploads, including private ones",
        unknown_after_restore="",
    ),
    proofs=(
        Proof(
            claim=HARNESS,
            against="a fake built from the fact sheet and tested with Google's own client",
            test="connectors/youtube/test_publishing.py",
        ),
        Proof(
            claim="the fake accepts everything Google's client does (chunked and interrupted"
            " uploads, lists, playlists, channels, deletion, Analytics); each call, body and"
            " permission of the connector, and each answer of the fake, matches Google's"
            " description",
            against="google-api-python-client 2.202.0 and the discovery documents in it"
            " (youtube.v3 of 2026-11-04, youtubeAnalytics.v2)",
            test="connectors/youtube/test_official.py",
        ),
        Proof(
            claim="interrupted uploads resume at the byte that YouTube names: lost chunks,"
            " overlaps, pauses, sessions that move, end or stall; no session is opened while"
            " another may have the last byte",
            against="the fact sheet's rules of resumable uploads",
            test="connectors/youtube/test_uploads.py",
        ),
        Proof(
            claim="if the last bytes are lost, their session is queried; without it the video is"
            " found by title and time, or not sent again",
            against="the same fake, whose sessions end and whose uploads lag",
            test="connectors/youtube/test_reconciliation.py",
        ),
        Proof(
            claim="sign-in, permissions left unticked, no channel, refresh, counts of fifty"
            " videos in two calls, a day's quota, deletion",
            against="the same fake",
            test="connectors/youtube/test_accounts.py",
        ),
        Proof(
            claim="titles, descriptions, tags, Shorts by shape, what is refused in advance",
            against="the fact sheet's limits, which Google's description does not contain",
            test="connectors/youtube/test_post.py",
        ),
    ),
    unproven=(
        "the live platform: its lag, its answer to bytes out of place, how long a session lives",
        "how YouTube counts a title's characters: code points are counted here",
        "a `cover`: not sent, since a post has one file and no URL is fetched",
        "a playlist after a lost answer: the video is published but not added to the playlist",
        "videos kept private against the request: counted as published, with a line in the log",
    ),
    corrections=(
        "`processingStatus` `terminated` means that no more is reported; it is not a failure",
        "`rejectionReason` `length` is video_too_long here, not media_rejected",
        "Google's client sends no Content-Type for chunks; the fake must accept that",
        "`videos.list` by id takes no `maxResults`",
        "Analytics reports fifty videos at once (`dimensions=video`), not one by one",
        "Google now says that projects without an audit are not limited to private videos",
    ),
)
