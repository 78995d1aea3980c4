"""The first comment under a Threads post: developers.facebook.com/docs/threads/reply-management.

It is a reply of one's own, made like a post. The post is live already, so whatever comes of the
comment, the target is published; it is never sent twice.
"""

from datetime import timedelta

from chalicelib.connectors.connector import ConnectedAccount, Publication
from chalicelib.connectors.meta_containers import posted
from chalicelib.connectors.meta_graph import NO_COMMENT
from chalicelib.connectors.replies import PlatformError
from chalicelib.connectors.reply import count
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.domain.outcome import Checkpoint, Json, Outcome, Wait

PUBLISH = "comment_publish"
_POLL_EVERY = timedelta(seconds=3)
_MOST_POLLS = 20


def comment_on(data: dict[str, Json]) -> Wait:
    """Return the first step under a live post."""
    return Wait(Checkpoint("comment", data))


def step(api: ThreadsApi, publication: Publication, checkpoint: Checkpoint) -> Outcome:
    """Make the comment's next step."""
    data, account = dict(checkpoint.data), publication.account
    try:
        match checkpoint.step:
            case "comment":
                text = str(publication.options.get("first_comment"))
                fields = {"media_type": "TEXT", "text": text, "reply_to_id": str(data["media"])}
                data["reply"] = api.create(account, fields)
                return Wait(Checkpoint("comment_processing", data), _POLL_EVERY)
            case "comment_processing":
                return _processing(api, account, data)
            case _:
                api.publish(account, str(data["reply"]))
    except PlatformError:
        return posted(data, NO_COMMENT)
    return posted(data)


def _processing(api: ThreadsApi, account: ConnectedAccount, data: dict[str, Json]) -> Outcome:
    status = api.status(account, str(data["reply"])).find("status")
    polls = data["polls"] = count(data, "polls") + 1
    if status == "FINISHED":
        return Wait(Checkpoint(PUBLISH, data))
    if status != "IN_PROGRESS" or polls >= _MOST_POLLS:
        return posted(data, NO_COMMENT)
    return Wait(Checkpoint("comment_processing", data), _POLL_EVERY)
