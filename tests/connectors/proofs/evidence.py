"""What each platform's reconciliation takes for proof after a lost answer, in one table."""

from collections.abc import Iterator, Mapping

from chalicelib.domain.platforms.platform import NAMES, Platform

EVIDENCE: Mapping[Platform, tuple[str, str, str]] = {
    Platform.INSTAGRAM: (
        "the container says PUBLISHED, or one listed post has its kind, caption and time",
        "the container is not published 90 s after the call began, or is dead",
        "several listed posts fit; a container that cannot be read for 5 minutes",
    ),
    Platform.TIKTOK: (
        "the upload's own status, or a public post with the caption",
        "the upload's status is failed or lacks bytes; a list of videos that reaches back 6 h",
        "a photo that no list shows; a post in the inbox; a list that may not be read",
    ),
    Platform.YOUTUBE: (
        "the upload session names the video, or one upload has the title and time",
        "the session says that bytes are missing; it ended unfinished and no upload has the title",
        "the session is gone and several uploads fit, or none for less than 30 minutes",
    ),
    Platform.LINKEDIN: (
        "a page's list has the asset or the text; the refusal of a duplicate names the post",
        "a page's list lacks it after 90 s; a member's text is asked for by sending it once",
        "a member's second doubt; a file that was uploaded anew; after 20 hours",
    ),
    Platform.X: (
        "the timeline has the file's key, or the text with a link at each place",
        "the whole timeline lacks it 90 s after the call; X refuses the same text twice",
        "X called it a duplicate and does not show it; what went to a community alone",
    ),
    Platform.FACEBOOK: (
        "the video's own status; one listed post has the photo or the text",
        "the video's status is not accepted; no list shows it after 30 minutes",
        "no list shows it after 2 minutes; several fit; a story without its photo's id",
    ),
    Platform.THREADS: (
        "the container says PUBLISHED, or one listed post has its kind, text and time",
        "the container is not published 90 s after the call began, or is dead",
        "several listed posts fit; a container that cannot be read for 5 minutes",
    ),
    Platform.PINTEREST: (
        "a pin of the board has kind, link, title and description",
        "after 30 minutes the whole board has no pin of that time, but a newer one of the account",
        "no newer pin; any pin of that time; a board of which a part was read",
    ),
    Platform.BLUESKY: (
        "the record under the target's own key has the text",
        "nothing is under the key: at once, since writing the same record twice is writing it once",
        "never",
    ),
    Platform.REDDIT: (
        "the file's asset, or title, community and author, on the profile or in the community",
        "neither has it after 1.5 to 30.5 minutes, and the profile shows a newer post",
        "no newer post within 30 minutes; Reddit called it a duplicate and does not show it",
    ),
    Platform.GOOGLE_BUSINESS_PROFILE: (
        "a listed post has topic, text and time",
        "no page has it after 3 minutes, and the location has a newer post; one time only",
        "no newer post within 30 minutes; a second call that is nowhere",
    ),
}


def evidence_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | proves that it is there | proves that it is not | nobody can tell |"
    yield "|---|---|---|---|"
    for platform in Platform:
        yield f"| {NAMES[platform]} | {' | '.join(EVIDENCE[platform])} |"
