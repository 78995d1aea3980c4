"""How a pin of ours is found again: developers.pinterest.com/docs/api/v5/boards-list_pins.

Pinterest has no handle that we could choose, so the board's pins are read, from a minute before the
call. It does not say in which order they come nor how far they lag: what is not there is not sent
again, except when much later the whole board was read, nothing was pinned there at that time, and
a newer pin of the account proves that the board's list has come that far.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from chalicelib.connectors.connector import ConnectedAccount, Publication
from chalicelib.connectors.pinterest.api import PinterestApi
from chalicelib.connectors.pinterest.post import board_of
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.reconciliation import (
    earliest,
    is_same_text,
    is_witness,
    normalize_text,
    tells_by_text,
)
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Checkpoint, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, count, find, identifier_in

LONGEST_LAG = timedelta(minutes=30)
POLLS = (
    timedelta(seconds=10),
    timedelta(seconds=60),
    timedelta(minutes=3),
    timedelta(minutes=10),
    LONGEST_LAG,
)
MOST_PAGES = 4
_PAGE = "250"
_BEFORE, _SOON = timedelta(minutes=1), timedelta(seconds=1)
_LATEST_OF_RESTORED = timedelta(hours=2)
"""After a restore only the due time is known: retries go on for an hour after it."""

_READING = "reading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading of a board, page by page.

    `near` tells that something was seen that may be ours under another text, `witness` that the
    account has a pin there that is newer than the call.
    """

    began: datetime
    pages: int = 0
    bookmark: str | None = None
    near: bool = False
    witness: bool = False


class PinterestReconciliation:
    """Looks what became of a call that makes a pin."""

    def __init__(self, api: PinterestApi) -> None:
        self._api = api

    def find(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> str | Reconciliation:
        """Return our pin's id, or what it means that this page does not show it."""
        board = board_of(publication)
        if board is None:
            without_one_nothing_is_sent = Evidence(made_nothing=True)
            return decide(without_one_nothing_is_sent, publication.now)
        reading = _reading(publication, checkpoint, sent)
        response = self._page(board, publication, reading)
        if response is None:
            return _not_shown(publication, checkpoint, sent, replace(reading, near=True))
        pins = response.items("items")
        ours = [pin for pin in pins if _is_ours(pin, publication, sent)]
        if ours:
            return identifier_in(earliest(ours, made_at), "id")
        near = reading.near or any(_is_near(pin, publication, checkpoint, sent) for pin in pins)
        bookmark = response.find("bookmark")
        reading = Reading(
            began=reading.began,
            pages=reading.pages + 1,
            bookmark=bookmark if isinstance(bookmark, str) and bookmark else None,
            near=near,
            witness=reading.witness or any(_is_witness(pin, sent) for pin in pins),
        )
        if reading.bookmark is not None and reading.pages < MOST_PAGES:
            return Wait(_next_checkpoint(checkpoint, sent, reading))
        return _not_shown(publication, checkpoint, sent, reading)

    def _page(
        self, board: str, publication: Publication, reading: Reading
    ) -> PlatformResponse | None:
        """Return a page of the board or its section, None where we may not look.

        Raises UnansweredError for an answer that is no list: it must not pass for an empty board.
        """
        section = publication.options.get("board_section")
        path = f"boards/{board}/sections/{section}/pins" if section else f"boards/{board}/pins"
        asked = {"page_size": _PAGE}
        if reading.bookmark is not None:
            asked["bookmark"] = reading.bookmark
        try:
            response = self._api.get(path, publication.account.token, asked)
        except RejectedError as error:
            if error.is_bare:
                raise
            return None
        response.require_list("items")
        return response


def pins_posted(api: PinterestApi, account: ConnectedAccount, bookmark: Json) -> PlatformResponse:
    """Return a page of all the account's pins. Raises UnansweredError for what is no list."""
    asked = {"page_size": _PAGE}
    if isinstance(bookmark, str):
        asked["bookmark"] = bookmark
    response = api.get("pins", account.token, asked)
    response.require_list("items")
    return response


def is_own(pin: Json) -> bool:
    """Tell whether a pin is the account's own."""
    return find(pin, "is_owner") is not False


def made_at(pin: Json) -> datetime | None:
    """Return when a pin was made: a time without a zone is UTC."""
    try:
        at = datetime.fromisoformat(str(find(pin, "created_at")))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _not_shown(
    publication: Publication, checkpoint: Checkpoint, sent: Sent, reading: Reading
) -> Reconciliation:
    """Say what a whole reading without our pin means; it counts from when it began."""
    kept = {name: value for name, value in checkpoint.data.items() if name != _READING}
    passed = reading.began - sent.at
    poll = next((poll for poll in POLLS if passed < poll), LONGEST_LAG)
    left = sent.begun_by + poll - publication.now
    evidence = Evidence(
        next_look=Wait(Checkpoint(checkpoint.step, kept), max(left, _SOON)),
        certain_from=sent.at + LONGEST_LAG,
        gives_up_at=sent.at + LONGEST_LAG,
        witness=reading.witness,
        # After a restore any pin of that time is asked for by the worker: it may be a known one.
        near=reading.near and not sent.is_suspicion,
        is_cut=reading.bookmark is not None,
    )
    return decide(evidence, reading.began)


def _is_ours(pin: Json, publication: Publication, sent: Sent) -> bool:
    at = made_at(pin)
    if at is None or at < sent.at - _BEFORE or not _is_of_kind(pin, publication):
        return False
    title, link = publication.options.get("title"), publication.options.get("link")
    if not title and not tells_by_text(sent):
        return False
    # What was left out Pinterest may fill in from where the link leads.
    is_free = bool(link)
    return (
        _bare(find(pin, "link")) == _bare(link)
        and _fits(find(pin, "title"), title, is_free=is_free)
        and _fits(find(pin, "description"), sent.text, is_free=is_free)
    )


def _is_witness(pin: Json, sent: Sent) -> bool:
    return is_own(pin) and is_witness(made_at(pin), sent)


def _is_near(pin: Json, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> bool:
    """Tell whether a pin may be ours, for all that Pinterest could have made of its text."""
    at = made_at(pin)
    if not _is_of_kind(pin, publication):
        return False
    if at is None:
        return True
    latest = _LATEST_OF_RESTORED if _is_restored(checkpoint) else LONGEST_LAG
    return -_BEFORE <= at - sent.at <= latest


def _is_of_kind(pin: Json, publication: Publication) -> bool:
    """Tell whether it is the account's own, and a photo or a video as ours is."""
    if find(pin, "is_owner") is False or publication.media is None:
        return False
    kind = "video" if publication.media.kind is MediaKind.VIDEO else "image"
    return find(pin, "media", "media_type") in (None, kind)


def _is_restored(checkpoint: Checkpoint) -> bool:
    """Tell whether only a backup's restore makes us look: when it was sent is then not known."""
    return checkpoint.step != "pin"


def _fits(theirs: Json, ours: Json, *, is_free: bool) -> bool:
    return (is_free and not normalize_text(str(ours or ""))) or is_same_text(theirs, ours)


def _bare(link: Json) -> str:
    return str(link or "").strip().rstrip("/")


def _reading(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Reading:
    """Return the reading that goes on; one that was for an earlier call does not."""
    kept = checkpoint.data.get(_READING)
    began, bookmark = find(kept, "began"), find(kept, "bookmark")
    if find(kept, "sent") != sent.at.isoformat() or not isinstance(began, str):
        return Reading(began=publication.now)
    return Reading(
        began=datetime.fromisoformat(began),
        pages=count(kept, "pages"),
        bookmark=bookmark if isinstance(bookmark, str) else None,
        near=find(kept, "near") is True,
        witness=find(kept, "witness") is True,
    )


def _next_checkpoint(checkpoint: Checkpoint, sent: Sent, reading: Reading) -> Checkpoint:
    going_on: Json = {
        "sent": sent.at.isoformat(),
        "began": reading.began.isoformat(),
        "pages": reading.pages,
        "bookmark": reading.bookmark,
        "near": reading.near,
        "witness": reading.witness,
    }
    return Checkpoint(checkpoint.step, {**checkpoint.data, _READING: going_on})
