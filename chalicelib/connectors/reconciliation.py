"""What every reconciliation does alike: when to ask again, and what it keeps in its checkpoint.

When the first call was made stays for good: its post may turn up late. The page that a listing was
read to belongs to one doubt: after another call, reading begins at the first page again, where the
newest posts are.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import CALL_DEADLINE, Publication
from chalicelib.connectors.read_lag import certain_from
from chalicelib.connectors.transport.responses import count
from chalicelib.domain.outcome import Absent, Checkpoint, Json, Sent, Wait
from chalicelib.domain.platforms.platform import Platform

SOON = timedelta(seconds=1)
WITNESS_WITHIN = timedelta(minutes=30)
"""How long a list is asked for a witness before nobody can tell."""

_WITNESS = "witness"
_POLLS = (timedelta(seconds=5), timedelta(seconds=15), timedelta(seconds=40))
_LATER_POLLS = timedelta(seconds=20)

_PAGE, _OF = "page", "page_of"


def first_sent(data: Mapping[str, Json], at: datetime) -> datetime:
    """Return when the first of the calls was made that may have brought the post.

    `at` is when the last one was, the only one if the checkpoint has no mark.
    """
    since = data.get("since")
    return datetime.fromisoformat(since) if isinstance(since, str) else at


def turned(data: Mapping[str, Json], page: Json, sent: Sent) -> dict[str, Json]:
    """Return a checkpoint's data with the page to look at next."""
    return {**data, _PAGE: page, _OF: sent.at.isoformat()}


def page_of(data: Mapping[str, Json], sent: Sent) -> Json:
    """Return the page that this look has come to, None for the first."""
    return data.get(_PAGE) if data.get(_OF) == sent.at.isoformat() else None


def at_first_page(data: Mapping[str, Json]) -> dict[str, Json]:
    """Return a checkpoint's data for a look from the beginning."""
    return {name: value for name, value in data.items() if name not in (_PAGE, _OF)}


def poll_again(
    platform: Platform, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Wait | None:
    """Return when to read the newest posts again, None when the last reading was made.

    The first reading leaves its mark at least: a later refusal as a duplicate is read by it.
    """
    data = checkpoint.data
    left = certain_from(platform, sent) - publication.now
    if left <= timedelta(0) and "since" in data:
        return None
    known = at_first_page(data)
    polls = count(known, "looks")
    known |= {"looks": polls + 1, "since": first_sent(data, sent.at).isoformat()}
    delay = _POLLS[polls] if polls < len(_POLLS) else _LATER_POLLS
    return Wait(Checkpoint(checkpoint.step, known), min(delay, max(left, SOON)))


def wait_or_absent(
    certain: datetime, publication: Publication, checkpoint: Checkpoint, every: timedelta
) -> Wait | Absent:
    """Return absence once a late answer can no longer change it, until then when to ask again."""
    if publication.now >= certain:
        return Absent()
    return Wait(checkpoint, min(every, certain - publication.now))


def is_witness(made: datetime | None, sent: Sent) -> bool:
    """Tell whether a post of the account's own list proves that the list is newer than a call.

    A list that lags shows nothing newer than its lag. Only one that shows a post made after the
    call was over would show what the call made; an empty list, or an old one, proves nothing.
    """
    return made is not None and made >= sent.begun_by + CALL_DEADLINE


def keep_witness(data: dict[str, Json], sent: Sent) -> None:
    """Mark in a checkpoint's data that a witness for this very call was seen."""
    data[_WITNESS] = sent.at.isoformat()


def has_witness(data: Mapping[str, Json], sent: Sent) -> bool:
    """Tell whether an earlier page or an earlier reading showed a witness for this call."""
    return data.get(_WITNESS) == sent.at.isoformat()
