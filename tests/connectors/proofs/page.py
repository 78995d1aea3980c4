"""The page about what is proven of each connector, and against what.

Each platform's folder has a `proof.py`; what a connector can do is read off the registry.
"""

from collections.abc import Iterator, Mapping

from chalicelib.bootstrap.connectors import real_connectors
from chalicelib.connectors.shared.abilities import Ability, abilities_of
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.bluesky import proof as bluesky
from tests.connectors.facebook import proof as facebook
from tests.connectors.google_business_profile import proof as google_business_profile
from tests.connectors.instagram import proof as instagram
from tests.connectors.linkedin import proof as linkedin
from tests.connectors.pinterest import proof as pinterest
from tests.connectors.reddit import proof as reddit
from tests.connectors.threads import proof as threads
from tests.connectors.tiktok import proof as tiktok
from tests.connectors.x import proof as x
from tests.connectors.youtube import proof as youtube


def ability_table() -> Iterator[str]:
    """Yield the lines of the table: platforms down, abilities across."""
    connectors = real_connectors({}, system_clock)
    yield f"| platform | {' | '.join(Ability)} |"
    yield f"|---|{'---|' * len(Ability)}"
    for platform in Platform:
        able = abilities_of(connectors[platform])
        marks = ("yes" if ability in able else "—" for ability in Ability)
        yield f"| {FACTS[platform].name} | {' | '.join(marks)} |"


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


AFTER_RESTORE: Mapping[Platform, tuple[str, str]] = {
    Platform.INSTAGRAM: ("the newest 50 posts and 50 stories", "a story, a day after the backup"),
    Platform.TIKTOK: ("nothing: its list lacks photos and private posts", "every target"),
    Platform.YOUTUBE: ("the newest 50 uploads, private ones too", ""),
    Platform.LINKEDIN: ("a page's posts, up to 500", "a member's posts, which nobody can list"),
    Platform.X: ("the timeline, up to 1,000 posts", "a post to a community"),
    Platform.FACEBOOK: ("posts, videos, reels and stories, the newest 50 of each", ""),
    Platform.THREADS: ("the newest 100 posts", ""),
    Platform.PINTEREST: ("the pins of all boards, up to 2,500", "a board without a newer pin"),
    Platform.BLUESKY: ("the target's own key, which a changed text keeps", "no target"),
    Platform.REDDIT: ("the profile, up to 1,000 posts", "a profile without a newer post"),
    Platform.GOOGLE_BUSINESS_PROFILE: (
        "the location's posts, up to 1,000",
        "a location without a newer post",
    ),
}
_RESTORED = """## After a restore from a backup

What went out after the backup is found as above. But its text may have been changed after the
backup, so that "not found" says less here: except under a key of its own, a target is taken for
absent only if the account's own list shows a post that is known to be ours and none of the time
between the backup and `engine resume` that is not; and if a post of ours is newer than the resume,
or half an hour has passed since. Else it ends as `outcome_unknown`, as does what is named here."""


def restore_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | what is read | what nobody can tell besides |"
    yield "|---|---|---|"
    for platform in Platform:
        yield f"| {FACTS[platform].name} | {' | '.join(AFTER_RESTORE[platform])} |"


def evidence_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | proves that it is there | proves that it is not | nobody can tell |"
    yield "|---|---|---|---|"
    for platform in Platform:
        yield f"| {FACTS[platform].name} | {' | '.join(EVIDENCE[platform])} |"


_TRYING = """## Trying a connector on its live platform

What stands below as not proven can be proven with an account of your own:

    .venv/bin/python -m chalicelib connector try bluesky --account ID --media MEDIA_ID

It makes a real post, looks for it as after a lost answer, reads its metrics and deletes it, twice:
one post for a text, where the platform takes one, and one for each `--media`, a file of the
account's workspace (`POST /v1/media`). YouTube's posts are private, TikTok's `SELF_ONLY`, those of
LinkedIn members for their connections, Reddit's on the account's own profile; on all others they
are public for some seconds. Instagram and TikTok let no application delete posts: delete those by
hand. `--option NAME=VALUE` sets an option of the target (a Pinterest board, say), `--keep` deletes
nothing. On X each post counts against the application's own quota.

It asks before it posts (`--yes` does not), ends with status 1 if a step was not good, and saves a
report (`--report FILE`): each step's requests and answers, with tokens, passwords, signatures and
the queries of addresses cut out. Compare it with `tests/connectors/<platform>/requests/`."""

_ROOMS = (
    bluesky,
    facebook,
    google_business_profile,
    instagram,
    linkedin,
    pinterest,
    reddit,
    threads,
    tiktok,
    x,
    youtube,
)
_ORDER = list(Platform)
PROVEN = sorted((room.PROVEN for room in _ROOMS), key=lambda one: _ORDER.index(one.platform))


def page() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# What is proven of the connectors"
    yield ""
    yield "Made by `python -m tests.connectors.proofs`; the tests named are below `tests/`."
    yield ""
    yield "## What each can do"
    yield ""
    yield "Made from the registry. `tests/connectors/shared/test_abilities.py` does all of it"
    yield "through the HTTP API and the engine, on the fakes of the eleven platforms, which lag and"
    yield "refuse as the real ones do (`tests/connectors/support/limits.py`); what is not claimed"
    yield "is refused."
    yield ""
    yield from ability_table()
    yield ""
    yield "## After a lost answer"
    yield ""
    yield "What is not there is sent again, what nobody can tell ends as `outcome_unknown`."
    yield ""
    yield from evidence_table()
    yield ""
    yield from _RESTORED.splitlines()
    yield ""
    yield from restore_table()
    yield ""
    yield from _TRYING.splitlines()
    for proven in PROVEN:
        yield ""
        yield f"## {FACTS[proven.platform].name}"
        yield ""
        yield "| proven | against | test |"
        yield "|---|---|---|"
        for proof in proven.proofs:
            yield f"| {proof.claim} | {proof.against} | `{proof.test}` |"
        yield from _list("Not proven", proven.unproven)
        yield from _list("Where the fact sheet was wrong or silent", proven.corrections)


def _list(heading: str, entries: tuple[str, ...]) -> Iterator[str]:
    if entries:
        yield ""
        yield f"{heading}:"
        yield ""
        for entry in entries:
            yield f"- {entry}"
