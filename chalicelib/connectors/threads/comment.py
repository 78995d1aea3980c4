"""The first comment under a Threads post: a reply, made, watched and published as a post is."""

from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.connector import Data, Publication, Step
from chalicelib.connectors.shared.meta.containers import as_done
from chalicelib.connectors.shared.meta.graph import NO_COMMENT
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.domain.outcome import Checkpoint, Outcome, Wait
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import count

PUBLISH = "comment_publish"


_POLL_EVERY = timedelta(seconds=3)


_MOST_POLLS = 20


def comment_on(data: Data) -> Wait:
    """Return the first step under a live post."""
    return Wait(Checkpoint("comment", data))


class FirstComment:
    """The steps of a comment under a live post, which is as live without it."""

    def __init__(self, api: ThreadsApi) -> None:
        self._api = api

    @property
    def steps(self) -> Mapping[str, Step]:
        """The steps by their names."""
        return {
            "comment": lambda post, data: _unless_refused(self._create, post, data),
            "comment_processing": lambda post, data: _unless_refused(self._process, post, data),
            PUBLISH: lambda post, data: _unless_refused(self._publish, post, data),
        }

    def _create(self, publication: Publication, data: Data) -> Outcome:
        text = str(publication.options.get("first_comment"))
        fields = {"media_type": "TEXT", "text": text, "reply_to_id": str(data["media"])}
        data["reply"] = self._api.create(publication.account, fields)
        return Wait(Checkpoint("comment_processing", data), _POLL_EVERY)

    def _process(self, publication: Publication, data: Data) -> Outcome:
        status = self._api.status(publication.account, str(data["reply"])).find("status")
        polls = data["polls"] = count(data, "polls") + 1
        if status == "FINISHED":
            return Wait(Checkpoint(PUBLISH, data))
        if status != "IN_PROGRESS" or polls >= _MOST_POLLS:
            return as_done(data, NO_COMMENT)
        return Wait(Checkpoint("comment_processing", data), _POLL_EVERY)

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        self._api.publish(publication.account, str(data["reply"]))
        return as_done(data)


def _unless_refused(step: Step, publication: Publication, data: Data) -> Outcome:
    try:
        return step(publication, data)
    except PlatformError:
        return as_done(data, NO_COMMENT)
