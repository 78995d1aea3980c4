"""Publishing by containers, as Instagram and Threads do it: the steps that both make.

A container is made, which fetches the file, and polled until it is finished; publishing it makes
the post visible. There is no idempotency key, but a container tells whether it was published:
developers.facebook.com/docs/instagram-platform/content-publishing, …/docs/threads/posts.

    container -> processing -> quota -> publish -> permalink -> live
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from chalicelib.connectors.connector import Data, Pace, Publication, ask_again
from chalicelib.connectors.shared.calls.failures import (
    RejectedError,
    UnlistedError,
    answer_behind,
    complete_entry,
    failure_of,
    find_entry,
    refusal_of,
)
from chalicelib.connectors.shared.calls.platform_words import read_answer_in
from chalicelib.connectors.shared.meta.container_calls import ContainerCalls
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.connectors.shared.meta.reconciliation import ContainerReconciliation
from chalicelib.connectors.shared.own_refusals import Shared
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    PlatformAnswer,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count

_ANOTHER_WAIT, _LONGEST_WAIT = timedelta(seconds=5), timedelta(seconds=60)
_LINK_WAIT = timedelta(seconds=10)
_MOST_CONTAINERS, _MOST_TRIES = 2, 3
_REFUSED_WITH = 400
_WORTH_ANOTHER = frozenset({FailureCode.PROCESSING_FAILED, FailureCode.MEDIA_UNAVAILABLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerSettings:
    """The differences between the platforms.

    `blocked` is the refusal in spite of which posts have gone live, `not_ready` says how often a
    container is tried again after which refusal, `posts_a_day` counts if no total is given.
    """

    blocked: str
    not_ready: Mapping[str, int]
    posts_a_day: int | None
    quota_wait: timedelta
    pace: Callable[[Publication], Pace]


class ContainerSteps:
    """The steps from a created container to a live post."""

    def __init__(
        self, api: ContainerCalls, settings: ContainerSettings, reconcile: ContainerReconciliation
    ) -> None:
        self._api = api
        self._http = api.graph.http
        self._settings = settings
        self._look = reconcile

    def watch(self, publication: Publication, data: Data) -> Wait:
        """Poll a container that fetches its file."""
        return ask_again("processing", data, self._settings.pace(publication))

    def not_made(self, error: GraphRejectedError, data: Data) -> Outcome:
        """Try once more to make a container if that can help. Raises the error otherwise."""
        if error.code not in _WORTH_ANOTHER:
            raise error
        again: Data = {"containers": count(data, "containers") + 1}
        return self.another(again, refusal_of(error, final=True))

    def another(self, data: Data, end: Failed | None = None) -> Outcome:
        """Make another container, once; `end` is Meta's error about the last one."""
        if count(data, "containers") >= _MOST_CONTAINERS:
            return end or refuse(self._http.platform, FailureCode.PROCESSING_FAILED)
        return Wait(Checkpoint("container", {"containers": data["containers"]}), _ANOTHER_WAIT)

    def processing(self, publication: Publication, data: Data) -> Outcome:
        """Poll a container until it can be published."""
        try:
            response = self._api.status(publication.account, str(data["container"]))
        except GraphRejectedError as error:
            if not error.is_gone:
                raise
            return self._unread(publication, data)
        match self._api.status_of(response):
            case "FINISHED":
                return Wait(Checkpoint("quota", data))
            case "ERROR" | "EXPIRED":
                return self._on_failure(response, data)
            case "PUBLISHED":
                # Published in spite of a refusal: nothing else can have published it before.
                return self._look.nameless(publication.account, str(data["container"]))
            case "IN_PROGRESS":
                return self.watch(publication, data)
            case _:
                return self._on_missing_status(publication, data)

    def _unread(self, publication: Publication, data: Data) -> Outcome:
        """Read again: containers have been unreadable for a moment after they were made."""
        unread = count(data, "unread") + 1
        if unread > _MOST_TRIES:
            return self.another(data)
        return self.watch(publication, {**data, "unread": unread})

    def _on_missing_status(self, publication: Publication, data: Data) -> Outcome:
        """Continue with a text, which needs no processing, though the status is missing."""
        untold = count(data, "untold") + 1
        if publication.media is None and untold >= _MOST_TRIES:
            return Wait(Checkpoint("quota", data))
        return self.watch(publication, {**data, "untold": untold})

    def _on_failure(self, response: PlatformResponse, data: Data) -> Outcome:
        row = find_entry(self._http.errors, self._http.error_codes(response))
        entry = complete_entry(self._http.platform, row or FailureCode.PROCESSING_FAILED)
        answer = read_answer_in(response, self._api.words_field)
        if entry.code is FailureCode.PLATFORM_UNAVAILABLE:
            # Meta calls it temporary, but this container stays as it is.
            entry = complete_entry(self._http.platform, FailureCode.PROCESSING_FAILED)
        end = failure_of(entry, answer)
        return self.another(data, end) if entry.code in _WORTH_ANOTHER else end

    def quota(self, publication: Publication, data: Data) -> Outcome:
        """Check whether one of the day's posts is left; go on if that cannot be read."""
        go_on = Wait(Checkpoint("publish", data))
        try:
            response = self._api.quota(publication.account)
        except (RejectedError, UnansweredError):
            return go_on
        named = response.find("data", 0, "config", "quota_total")
        most = named if isinstance(named, int) else self._settings.posts_a_day
        if most is None or count(response.find("data", 0), "quota_usage") < most:
            return go_on
        name, wait = FACTS[self._http.platform].name, self._settings.quota_wait
        return Shared.FULL_TODAY.end_for(wait, platform=name)

    def publish(self, publication: Publication, data: Data) -> Outcome:
        """Show the post."""
        if "blocked" in data:
            return self._end_as_blocked(data)
        try:
            media = self._api.publish(publication.account, str(data["container"]))
        except GraphRejectedError as error:
            return self._not_published(error, data)
        except UnlistedError as error:
            return self._end_by_words_of(error, data)
        return Wait(Checkpoint("permalink", {"media": media}))

    def _end_by_words_of(self, error: UnlistedError, data: Data) -> Outcome:
        """Check once whether the post is live; else fail with Meta's own error."""
        answer = answer_behind(error)
        if answer is None or answer.sentence is None or not str(answer.code).isdigit():
            raise error
        known: Data = {"blocked": answer.sentence, "blocked_as": FailureCode.UNKNOWN}
        return Unanswered(Checkpoint("publish", {**data, **known}), answer)

    def _not_published(self, error: GraphRejectedError, data: Data) -> Outcome:
        if self._settings.blocked in error.error_codes:
            words = None if error.answer is None else error.answer.sentence
            return Unanswered(Checkpoint("publish", {**data, "blocked": words or True}))
        times = [self._settings.not_ready.get(key, 0) for key in error.error_codes]
        if tries := max(times, default=0):
            return self._not_ready(data, tries, refusal_of(error, final=True))
        if error.code in _WORTH_ANOTHER:
            return self.another(data, refusal_of(error, final=True))
        raise error

    def _end_as_blocked(self, data: Data) -> Failed:
        """Return the failure of a post that was not found, with Meta's own words."""
        code, words = data.get("blocked_as"), data["blocked"]
        said = isinstance(words, str)
        row = self._http.errors[self._settings.blocked] if code is None else FailureCode(str(code))
        entry = complete_entry(self._http.platform, row, says_why=said)
        answer = PlatformAnswer(status=_REFUSED_WITH, sentence=str(words)) if said else None
        return failure_of(entry, answer)

    def _not_ready(self, data: Data, most: int, end: Failed) -> Outcome:
        """Read the container again; after some times make another one, once."""
        tries = count(data, "tries") + 1
        if tries > most:
            return self.another(data, end)
        delay = min(_ANOTHER_WAIT * tries, _LONGEST_WAIT)
        return Wait(Checkpoint("processing", {**data, "tries": tries}), delay)

    def permalink(self, publication: Publication, data: Data) -> Outcome:
        """Ask for the link of a live post, and accept any failure of that."""
        account, link = publication.account, None
        try:
            link = self._api.link(account, str(data["media"]))
        except PlatformError:
            tries = count(data, "tries") + 1
            if tries < _MOST_TRIES:
                return Wait(Checkpoint("permalink", {**data, "tries": tries}), _LINK_WAIT)
        url = link or self._api.profile(account)
        return Wait(Checkpoint("live", {"media": data["media"], "url": url}))


def as_done(data: Mapping[str, Json], note: str | None = None) -> Done:
    """Return the live post."""
    return Done(remote_id=str(data["media"]), url=str(data["url"]), note=note)
