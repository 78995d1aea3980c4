"""Operations on posts: make, read, edit, send, stop, follow."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone

from goldenhour.errors import WaitedTooLong
from goldenhour.http.making import make
from goldenhour.http.retrying import pauses
from goldenhour.http.transport import Answer, Call, Transport
from goldenhour.models.answers import Check, History, Metrics
from goldenhour.models.posts import (
    NewTarget,
    Post,
    PostPage,
    TargetChange,
    send_targets,
    send_texts,
    send_time,
)

_NEAR_S, _FAR_S = 1.0, 60.0
"""How soon and how late a post is read again: a minute while it is far, faster when it is due."""


class Posts:
    """The workspace's posts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        targets: Sequence[NewTarget | str],
        caption: str = "",
        media_ids: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Post:
        """Make a draft for accounts (ids, or NewTargets with their own text, options and time).

        It goes under an Idempotency-Key, one of its own if none is given, so a repeat over a broken
        connection never makes a second post. Keep the key yourself to repeat it after a crash.
        Raises KeyReused when the key made another draft before.
        """
        wanted = [NewTarget(account_id=each) if isinstance(each, str) else each for each in targets]
        json = {
            "caption": caption,
            "media_ids": send_texts(media_ids),
            "targets": send_targets(wanted),
        }
        return self._make("/v1/posts", key=idempotency_key, json=json)

    def list(  # noqa: PLR0913 - what the list can be asked for
        self,
        *,
        status: Sequence[str] = (),
        platform: Sequence[str] = (),
        account_id: Sequence[str] = (),
        sort: str | None = None,
        q: str | None = None,
        label: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page_size: int = 100,
        with_metrics: bool = False,
        with_labels: bool = False,
    ) -> Iterator[Post]:
        """Yield posts, newest first, page by page; with `metrics` or `labels` if they are wanted.

        `q` is text of the caption; `since` and `until` (not included) keep posts due in between;
        `platform` and `account_id` those with a target there, `label` those with the label of this
        id. With `sort="scheduled"` they come by time, earliest first; those without a time last.
        """
        wanted = ["metrics"] * with_metrics + ["labels"] * with_labels
        query = {
            "status": ",".join(send_texts(status)) or None,
            "platform": ",".join(send_texts(platform)) or None,
            "account_id": ",".join(send_texts(account_id)) or None,
            "sort": sort,
            "q": q,
            "label": label,
            "from": None if since is None else send_time(since),
            "to": None if until is None else send_time(until),
            "limit": page_size,
            "include": ",".join(wanted) or None,
        }
        call = Call(method="GET", path="/v1/posts", query=query, repeatable=True)
        for answer in self._transport.pages(call):
            for post in answer.read(PostPage).data:
                yield replace(post, _poller=self)

    def get(self, post_id: str) -> Post:
        """Return a post."""
        return self._post(Call(method="GET", path=f"/v1/posts/{post_id}", repeatable=True))

    def edit(  # noqa: PLR0913 - everything that can be changed
        self,
        post_id: str,
        *,
        caption: str | None = None,
        media_ids: Sequence[str] | None = None,
        targets: Sequence[TargetChange] = (),
        add: Sequence[NewTarget] = (),
        remove: Sequence[str] = (),
        if_match: str | None = None,
    ) -> Post:
        """Change the caption, file and targets that are not live; what is left out stays."""
        changes = {
            "caption": caption,
            "media_ids": None if media_ids is None else send_texts(media_ids),
            "targets": send_targets(targets) or None,
            "add": send_targets(add) or None,
            "remove": send_texts(remove) or None,
        }
        json = {name: value for name, value in changes.items() if value is not None}
        path = f"/v1/posts/{post_id}"
        return self._post(Call(method="PATCH", path=path, json=json, headers=_match(if_match)))

    def delete(self, post_id: str, *, if_match: str | None = None) -> None:
        """Delete a post from the service; what is live on a platform stays there."""
        path = f"/v1/posts/{post_id}"
        self._transport.send(
            Call(method="DELETE", path=path, headers=_match(if_match), repeatable=True)
        )

    def duplicate(self, post_id: str, *, idempotency_key: str | None = None) -> Post:
        """Make a new draft of a post, without its times; with a key, once for that key."""
        return self._make(f"/v1/posts/{post_id}/duplicate", key=idempotency_key)

    def check(self, post_id: str) -> Check:
        """Return every problem of every target, before the clock; it changes nothing."""
        path = f"/v1/posts/{post_id}/check"
        return self._transport.send(Call(method="POST", path=path, repeatable=True)).read(Check)

    def schedule(
        self, post_id: str, *, at: datetime | None = None, if_match: str | None = None
    ) -> Post:
        """Schedule what is unscheduled: at one time, else each at its own or its golden hour."""
        json = None if at is None else {"at": send_time(at)}
        return self._do(post_id, "schedule", json=json, if_match=if_match)

    def queue(self, post_id: str, *, if_match: str | None = None) -> Post:
        """Schedule the drafts at the workspace's next free queue time."""
        return self._do(post_id, "queue", if_match=if_match)

    def publish_now(self, post_id: str, *, if_match: str | None = None) -> Post:
        """Send every target that is not live, now."""
        return self._do(post_id, "publish-now", if_match=if_match)

    def cancel(self, post_id: str, *, if_match: str | None = None) -> Post:
        """Take back what is scheduled; it can be scheduled again."""
        return self._do(post_id, "cancel", if_match=if_match)

    def retry(self, post_id: str, *, if_match: str | None = None) -> Post:
        """Retry the failed targets now."""
        return self._do(post_id, "retry", if_match=if_match)

    def unpublish(self, post_id: str, target_id: str) -> Post:
        """Delete one live target on its platform, for good."""
        return self._do(post_id, f"targets/{target_id}/unpublish")

    def history(self, post_id: str) -> History:
        """Return what was done to a post, and every attempt to send it."""
        path = f"/v1/posts/{post_id}/history"
        return self._transport.send(Call(method="GET", path=path, repeatable=True)).read(History)

    def metrics(self, post_id: str, *, by: Sequence[str] = ()) -> Metrics:
        """Return how often a post was seen, liked, commented and shared.

        `by` adds `accounts` (`account`) and the views of each day (`day`).
        """
        path = f"/v1/posts/{post_id}/metrics"
        query = {"by": ",".join(send_texts(by)) or None}
        call = Call(method="GET", path=path, query=query, repeatable=True)
        return self._transport.send(call).read(Metrics)

    def wait(
        self,
        post_id: str,
        *,
        timeout_s: float = 600,
        on_change: Callable[[Post], None] | None = None,
    ) -> Post:
        """Return the post once nothing of it is on its way. Raises WaitedTooLong.

        It reads once a minute while the time is far, and from a second on when it is near.
        """
        ends = time.monotonic() + timeout_s
        near = pauses(_NEAR_S, _FAR_S / 4, growth=1.5)
        seen: Post | None = None
        while True:
            post = self.get(post_id)
            if on_change is not None and post != seen:
                on_change(post)
            if post.is_settled:
                return post
            if post != seen:
                near = pauses(_NEAR_S, _FAR_S / 4, growth=1.5)
            seen = post
            pause = _pause_until(post.next_time, next(near))
            if time.monotonic() + pause > ends:
                raise WaitedTooLong(f"Post {post_id} is still {post.status} after {timeout_s:g} s.")
            self._transport.sleep(pause)

    def _do(
        self,
        post_id: str,
        what: str,
        *,
        json: Mapping[str, object] | None = None,
        if_match: str | None = None,
    ) -> Post:
        path = f"/v1/posts/{post_id}/{what}"
        return self._post(Call(method="POST", path=path, json=json, headers=_match(if_match)))

    def _make(
        self, path: str, *, key: str | None, json: Mapping[str, object] | None = None
    ) -> Post:
        return make(self._transport, path, self._read, key=key, json=json)

    def _post(self, call: Call) -> Post:
        return self._read(self._transport.send(call))

    def _read(self, answer: Answer) -> Post:
        post = answer.read(Post)
        is_repeat = answer.headers.get("Idempotency-Replayed") == "true"
        etag = answer.headers.get("ETag")
        return replace(post, etag=etag, was_there=is_repeat, _poller=self)


def _match(etag: str | None) -> Mapping[str, str]:
    return {} if etag is None else {"If-Match": etag}


def _pause_until(due: datetime | None, near_s: float) -> float:
    """Return a pause that ends just after `due`, a minute at most; `near_s` once it is past."""
    if due is None:
        return near_s
    remaining_s = (due - datetime.now(timezone.utc)).total_seconds()
    return near_s if remaining_s <= 0 else min(_FAR_S, max(_NEAR_S, remaining_s + 0.2))
