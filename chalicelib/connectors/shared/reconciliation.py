"""What all reconciliations share: when to ask again, what is certain, which texts agree.

The time of the first call is kept for good: its post may appear late. The page up to which a list
was read belongs to one doubt: after another call, reading begins at the first page again, where the
newest posts are.

A reading without the post proves something only after a call that was still under way would have
ended and its post would be listed: `certain_from` is that time. Platforms document none of these
lags; unmeasured ones are careful guesses.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta

from chalicelib.connectors.connector import MOST_PAGES, Posted, Publication, wait_at
from chalicelib.domain.engine.absence import Evidence
from chalicelib.domain.outcome import CALL_DEADLINE, Checkpoint, Sent, Wait
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import count


def certain_from(
    platform: Platform, sent: Sent, *, call_lasts: timedelta = CALL_DEADLINE
) -> datetime:
    """Return the time from which on a reading would show the post.

    `call_lasts` is for calls that differ from the platform's usual ones.
    """
    return sent.begun_by + call_lasts + FACTS[platform].read_lag


def normalize_text(text: str) -> str:
    """Return a text in one Unicode form, with one space between its words."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_same_text(shown: Json, ours: Json) -> bool:
    """Tell whether two texts are the same; one that is missing is an empty one."""
    return normalize_text(_read(shown)) == normalize_text(_read(ours))


def tells_by_text(sent: Sent) -> bool:
    """Tell whether a post of a list may be known for ours by its text alone.

    On a mere suspicion it may not by an empty one: anybody's post of those hours may have none.
    """
    return not sent.is_suspicion or bool(normalize_text(sent.text))


def shows_text(shown: Json, sent: Sent) -> bool:
    """Tell whether a post of a list is known for ours by the text that was sent."""
    return tells_by_text(sent) and is_same_text(shown, sent.text)


def _read(text: Json) -> str:
    return "" if text is None else str(text)


_NEVER = datetime.max.replace(tzinfo=UTC)


def earliest(posts: Iterable[Json], made: Callable[[Json], datetime | None]) -> Json:
    """Return the first that was made of posts that fit, None for none; lists show it last.

    What was made later with the same text, such as the next of a series, is another target's.
    """
    return min(posts, key=lambda post: made(post) or _NEVER, default=None)


SOON = timedelta(seconds=1)
WITNESS_WITHIN = timedelta(minutes=30)
"""How long a list is read for a witness before the outcome is unknown."""

_WITNESS_EVERY = timedelta(minutes=5)
_WITNESS = "witness"
_PACE = (5, 15, 40, 20)

RESTORED = "restored"
"""The step of a target of a restored backup: it is only suspected to have been sent."""
_PAGE, _OF = "page", "page_of"


def first_sent(data: Mapping[str, Json], at: datetime) -> datetime:
    """Return when the first call was made that may have made the post.

    `at` is when the last one was, the only one if the checkpoint has no mark.
    """
    since = data.get("since")
    return datetime.fromisoformat(since) if isinstance(since, str) else at


def turn_page(data: Mapping[str, Json], page: Json, sent: Sent) -> dict[str, Json]:
    """Return a checkpoint's data with the page to read next."""
    return {**data, _PAGE: page, _OF: sent.at.isoformat()}


def page_of(data: Mapping[str, Json], sent: Sent) -> Json:
    """Return the page that this reading has reached, None for the first."""
    return data.get(_PAGE) if data.get(_OF) == sent.at.isoformat() else None


def at_first_page(data: Mapping[str, Json]) -> dict[str, Json]:
    """Return a checkpoint's data for a reading from the beginning."""
    return {name: value for name, value in data.items() if name not in (_PAGE, _OF)}


def poll_again(
    platform: Platform, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Wait | None:
    """Return when to read the newest posts again, None when the last reading was made.

    The first reading always leaves its mark, which a later refusal as a duplicate needs.
    """
    data = checkpoint.data
    left = certain_from(platform, sent) - publication.now
    if left <= timedelta(0) and "since" in data:
        return None
    known = at_first_page(data)
    polls = count(known, "looks")
    known |= {"looks": polls + 1, "since": first_sent(data, sent.at).isoformat()}
    return Wait(Checkpoint(checkpoint.step, known), min(wait_at(_PACE, polls), max(left, SOON)))


def wait_until(
    certain: datetime, publication: Publication, checkpoint: Checkpoint, every: timedelta
) -> Wait:
    """Return the wait until the next reading: short, and no longer than until one is certain."""
    return Wait(checkpoint, min(every, max(certain - publication.now, timedelta(0))))


def is_witness(made: datetime | None, sent: Sent) -> bool:
    """Tell whether a post of the account's own list proves that the list is newer than a call.

    A lagging list shows no post newer than its lag. Only a list with a post made after the call was
    over would show the call's post; an empty list, or an old one, proves nothing.
    """
    return made is not None and made >= sent.begun_by + CALL_DEADLINE


def keep_witness(data: dict[str, Json], sent: Sent) -> None:
    """Mark in a checkpoint's data that a witness for this very call was seen."""
    data[_WITNESS] = sent.at.isoformat()


def has_witness(data: Mapping[str, Json], sent: Sent) -> bool:
    """Tell whether an earlier page or an earlier reading showed a witness for this call."""
    return data.get(_WITNESS) == sent.at.isoformat()


def noting_witness(
    checkpoint: Checkpoint, sent: Sent, made: Iterable[datetime | None]
) -> Checkpoint:
    """Return a checkpoint with the mark of a witness, if the posts made then have one."""
    data = dict(checkpoint.data)
    if any(is_witness(at, sent) for at in made):
        keep_witness(data, sent)
    return Checkpoint(checkpoint.step, data)


def evidence_of_list(
    platform: Platform, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Evidence:
    """Return the evidence of a list that was read back to the call and lacks the post.

    Once a reading is certain, it waits for a newer post for a while.
    """
    again = poll_again(platform, publication, checkpoint, sent)
    return Evidence(
        next_look=again or Wait(checkpoint, _WITNESS_EVERY),
        gives_up_at=sent.at + WITNESS_WITHIN,
        looks_left=again is not None,
        witness=has_witness(checkpoint.data, sent),
        is_restored=checkpoint.step == RESTORED,
    )


WITNESSES_REACH = timedelta(days=90)
"""By how much the posts that are read from a list may precede a backup."""


def all_posted(
    read: Callable[[Json], tuple[Iterable[Posted], Json]], since: datetime | None
) -> list[Posted] | None:
    """Read a list page by page until it is older than `since`; None if that takes too many pages.

    Without `since` it is read to its end: not every list is in order. `read` gets the page to read,
    None for the first, and returns its posts and the next page. A page may have older posts on top
    (pinned ones), so that only one of old posts alone is the end.
    """
    found: list[Posted] = []
    page: Json = None
    for _ in range(MOST_PAGES):
        posts, page = read(page)
        found += (some := list(posts))
        if page is None or _is_older(some, since):
            return found
    return None


def _is_older(posts: list[Posted], since: datetime | None) -> bool:
    """Tell whether all posts of a page, if it has any, were made before."""
    if since is None or not posts:
        return False
    return all(post.made is not None and post.made < since for post in posts)


def newest_posted(posts: list[Posted], most: int, since: datetime) -> list[Posted] | None:
    """Return a list of which only one page is read; None if it may have more since then."""
    reaches_back = any(post.made is not None and post.made < since for post in posts)
    return posts if len(posts) < most or reaches_back else None
