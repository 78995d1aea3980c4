"""The first comment under a Bluesky post: a reply of the account's own, under a key of its own.

Everything that is written is decided before, so that a call whose answer was lost is
made again and changes nothing (docs.bsky.app/docs/tutorials/creating-a-post, "Replies"). The post
is as live without it.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from chalicelib.connectors.bluesky.api import BlueskyRepository
from chalicelib.connectors.bluesky.post import POST, comment_key, format_time
from chalicelib.connectors.bluesky.refusals import BlueskyRefusal
from chalicelib.connectors.connector import ConnectedAccount, Data, Publication, Step
from chalicelib.domain.outcome import Checkpoint, Done, Failed, Outcome, Wait
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.bluesky_facets import facets, mentions
from chalicelib.domain.platforms.texts.caption_units import graphemes
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError, UnansweredError
from chalicelib.kit.transport.responses import count

NO_COMMENT = "The first comment may be missing: Bluesky did not confirm it."
_MOST_TRIES = 4
_AGAIN = timedelta(seconds=10)
_STEPS = frozenset({"answer", "comment"})


def as_done(account: ConnectedAccount, key: str, note: str | None = None) -> Done:
    """Return that a post is live under a key; its link names the DID, which no rename changes."""
    return Done(
        remote_id=f"at://{account.remote_id}/{POST}/{key}",
        url=f"https://bsky.app/profile/{account.remote_id}/post/{key}",
        note=note,
    )


def comments_on(publication: Publication) -> bool:
    """Tell whether somebody wants a first comment."""
    return bool(publication.options.get("first_comment"))


def unfit_comment(publication: Publication) -> Failed | None:
    """Return why Bluesky does not take the comment, which has the limits of a post."""
    comment, limits = publication.options.get("first_comment"), FACTS[Platform.BLUESKY].limits
    most, most_bytes = limits.caption, limits.most_bytes or 0
    text = comment if isinstance(comment, str) else ""
    if graphemes(text) <= most and len(text.encode()) <= most_bytes:
        return None
    return BlueskyRefusal.LONG_COMMENT.end(most=most, most_bytes=most_bytes)


def is_comment(checkpoint: Checkpoint) -> bool:
    """Tell whether a step is one of the comment's: then the post is live."""
    return checkpoint.step in _STEPS


class BlueskyComments:
    """The steps of a comment under a live post."""

    def __init__(self, repository: BlueskyRepository, did_of: Callable[[str], str | None]) -> None:
        self._repository = repository
        self._did_of = did_of

    def begin(self, key: str) -> Wait:
        """Return the first step under the post of a key."""
        return Wait(Checkpoint("answer", {"key": key}))

    def steps(self) -> Mapping[str, Step]:
        """Return the steps by their names."""
        return {"answer": self._prepare_record, "comment": self._write_comment}

    def _prepare_record(self, publication: Publication, data: Data) -> Outcome:
        """Have the record made: whom it answers, whom it mentions, when it was written."""
        return self._patiently("answer", publication, data, self._prepare)

    def _prepare(self, publication: Publication, data: Data) -> Outcome:
        account, key = publication.account, str(data["key"])
        found = self._repository.find_post(account, key)
        cid = None if found is None else found.find("cid")
        if cid is None:
            raise UnansweredError("The post to answer is not there yet.")
        text = str(publication.options.get("first_comment"))
        post: Json = {"uri": f"at://{account.remote_id}/{POST}/{key}", "cid": cid}
        record: dict[str, Json] = {
            "$type": POST,
            "text": text,
            "createdAt": format_time(publication.now),
            "reply": {"root": post, "parent": post},
        }
        people = {handle: self._did_of(handle) for handle in mentions(text)}
        if marked := facets(text, {h: did for h, did in people.items() if did}):
            record["facets"] = marked
        languages = publication.options.get("langs") or [*account.languages]
        if languages:
            record["langs"] = languages
        return Wait(Checkpoint("comment", {"key": key, "record": record}))

    def _write_comment(self, publication: Publication, data: Data) -> Outcome:
        return self._patiently("comment", publication, data, self._write)

    def _write(self, publication: Publication, data: Data) -> Outcome:
        key = comment_key(publication)
        self._repository.write_post(publication.account, key, data["record"])
        return as_done(publication.account, str(data["key"]))

    def _patiently(self, step: str, publication: Publication, data: Data, make: Step) -> Outcome:
        """Make a step, again a few times where that may help: it changes nothing twice."""
        try:
            return make(publication, data)
        except PlatformError:
            tries = count(dict(data), "tries") + 1
        if tries >= _MOST_TRIES:
            return as_done(publication.account, str(data["key"]), NO_COMMENT)
        return Wait(Checkpoint(step, {**data, "tries": tries}), _AGAIN)
