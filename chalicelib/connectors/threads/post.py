"""What is put into a Threads container: developers.facebook.com/docs/threads/reference/publishing.

Every value goes as a form field. Options were checked when the target was made (domain/options);
those that Threads takes only beside certain media are left out elsewhere.

A post of ours is found in the profile's own list again by text, kind and time.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Data, Posted, Publication, Step
from chalicelib.connectors.shared.meta.containers import posted
from chalicelib.connectors.shared.meta.graph import NO_COMMENT
from chalicelib.connectors.shared.meta.reconciliation import (
    CLOCKS_DIFFER,
    ContainerReconciliation,
    as_posted,
    is_since,
    listed,
)
from chalicelib.connectors.shared.reconciliation import WITNESSES_REACH, is_same_text, newest_posted
from chalicelib.connectors.shared.transport.failures import PlatformError
from chalicelib.connectors.shared.transport.responses import PlatformResponse, count, find
from chalicelib.connectors.threads.api import PAGE, ThreadsApi
from chalicelib.domain.outcome import Checkpoint, Done, Json, Outcome, Sent, Wait
from chalicelib.domain.platforms.platform import MediaKind

_AS_THEY_ARE = ("reply_control", "topic_tag", "location_id", "quote_post_id")
_SWITCHES = {
    "reply_approvals": "enable_reply_approvals",
    "share_to_ig_story": "crossreshare_to_ig",
}


def container_fields(publication: Publication, media_url: str | None) -> dict[str, str]:
    """Return the fields of a post's container."""
    options, media = publication.options, publication.media
    fields = {"media_type": "TEXT"}
    if media is not None and media_url is not None:
        is_video = media.kind is MediaKind.VIDEO
        fields = {"media_type": "VIDEO" if is_video else "IMAGE"}
        fields["video_url" if is_video else "image_url"] = media_url
    if publication.text:
        fields["text"] = publication.text
    for name in _AS_THEY_ARE:
        fields |= _field(name, options.get(name))
    for ours, theirs in _SWITCHES.items():
        fields |= _field(theirs, options.get(ours))
    countries = options.get("countries")
    if isinstance(countries, list) and countries:
        fields["allowlisted_country_codes"] = ",".join(map(str, countries))
    if media is None:
        return (
            fields
            | _field("link_attachment", options.get("link"))
            | _field("is_ghost_post", options.get("ghost"))
        )
    beside_media = _field("alt_text", options.get("alt_text"))
    return fields | beside_media | _field("is_spoiler_media", options.get("spoiler"))


def _field(name: str, value: Json) -> dict[str, str]:
    """Return a field, none for what is empty or switched off."""
    if value is True:
        return {name: "true"}
    return {name: value} if isinstance(value, str) and value else {}


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
            return posted(data, NO_COMMENT)
        return Wait(Checkpoint("comment_processing", data), _POLL_EVERY)

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        self._api.publish(publication.account, str(data["reply"]))
        return posted(data)


def _unless_refused(step: Step, publication: Publication, data: Data) -> Outcome:
    try:
        return step(publication, data)
    except PlatformError:
        return posted(data, NO_COMMENT)


_KINDS = {None: "TEXT_POST", MediaKind.IMAGE: "IMAGE", MediaKind.VIDEO: "VIDEO"}


def status_of(response: PlatformResponse) -> str | None:
    """Read a container's status."""
    told = response.find("status")
    return told if isinstance(told, str) else None


def container_reconciliation(api: ThreadsApi) -> ContainerReconciliation:
    """Return what looks for posts after a lost answer."""
    return ContainerReconciliation(
        api, status_of, lambda publication, sent: _found(api, publication, sent)
    )


def posted_since(api: ThreadsApi, publication: Publication, since: datetime) -> list[Posted] | None:
    """Return the profile's posts since then, None if there are too many for one page."""
    account = publication.account
    shown = api.posts(account, since - WITNESSES_REACH)
    return newest_posted(as_posted(shown, api.profile(account)), PAGE, since)


def _found(api: ThreadsApi, publication: Publication, sent: Sent) -> list[Done]:
    account, since = publication.account, sent.at - CLOCKS_DIFFER
    ours = [post for post in api.posts(account, since) if _fits(post, publication, sent)]
    return [listed(post, api.profile(account)) for post in ours]


def _fits(post: Json, publication: Publication, sent: Sent) -> bool:
    kind = _KINDS[None if publication.media is None else publication.media.kind]
    is_of_kind = find(post, "media_type") == kind
    return is_since(post, sent) and is_of_kind and is_same_text(find(post, "text"), sent.text)
