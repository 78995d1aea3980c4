"""A workspace's labels, and those of its posts: listed, made, renamed, deleted, given to posts.

They change nothing that goes out, so that who may write may do all of it, also with a post that is
live or being posted.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.domain.posts.label_names import trimmed_name
from chalicelib.domain.posts.labels import Colour, Label, Labels, few_enough
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.repeats import Marking, no_mark
from chalicelib.storage.posts.labels import LabelRepository
from chalicelib.storage.posts.posts import PostRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class PostLabels:
    """The labels of the caller's workspace."""

    rows: LabelRepository
    posts: PostRepository
    clock: Clock

    def list(self, caller: Caller) -> tuple[Label, ...]:
        """Return the workspace's labels, oldest first."""
        return self.rows.all(caller.workspace_id).all

    def find(self, caller: Caller, label_id: str) -> Label:
        """Return a label. Raises LabelNotFound."""
        return self.rows.all(caller.workspace_id).find(label_id)

    def add(self, caller: Caller, *, name: str, colour: Colour, mark: Marking = no_mark) -> Label:
        """Make a label. Raises LabelExists, and InvalidInput when there are as many as can be.

        Raises KeyTakenError of the mark.
        """
        label = Label(id=new_id(self.clock()), name=trimmed_name(name), colour=colour)
        self.rows.change(caller.workspace_id, lambda labels: labels.with_new(label), mark(label.id))
        return label

    def change(
        self, caller: Caller, label_id: str, *, name: str | None, colour: Colour | None
    ) -> Label:
        """Rename or colour a label; None leaves it so. Raises LabelNotFound and LabelExists."""
        new_name = None if name is None else trimmed_name(name)

        def decide(labels: Labels) -> Labels:
            earlier = labels.find(label_id)
            return labels.with_changed(
                replace(
                    earlier,
                    name=earlier.name if new_name is None else new_name,
                    colour=earlier.colour if colour is None else colour,
                )
            )

        return self.rows.change(caller.workspace_id, decide).find(label_id)

    def remove(self, caller: Caller, label_id: str) -> None:
        """Delete a label; posts that had it stay as they are. Raises LabelNotFound."""
        self.rows.change(caller.workspace_id, lambda labels: labels.without(label_id))

    def of_post(self, caller: Caller, post_id: str) -> tuple[Label, ...]:
        """Return a post's labels. Raises PostNotFound."""
        post = self.posts.get(caller.workspace_id, post_id)
        return self.of_posts(caller, [post])[post.id]

    def of_posts(self, caller: Caller, posts: Sequence[Post]) -> Mapping[str, tuple[Label, ...]]:
        """Return the labels of each post, by its id."""
        post_ids = [post.id for post in posts]
        labels, ids = in_parallel(
            lambda: self.rows.all(caller.workspace_id), lambda: self.rows.of_posts(post_ids)
        )
        return {post_id: labels.select(ids[post_id]) for post_id in post_ids}

    def of_known(
        self, labels: Sequence[Label], post_ids: Sequence[str]
    ) -> Mapping[str, tuple[Label, ...]]:
        """Return the labels of each post; `labels` are all of the workspace, none cost no read."""
        ids = self.rows.of_posts(post_ids) if labels and post_ids else {}
        return {post_id: Labels(tuple(labels)).select(ids.get(post_id, ())) for post_id in post_ids}

    def give_known(self, caller: Caller, post_id: str, label_ids: Iterable[str]) -> None:
        """Give a post that is the caller's exactly those of these labels that there still are."""
        known = self.rows.all(caller.workspace_id).select(label_ids)
        ids = {label.id for label in known}
        self.rows.change_of_post(caller.workspace_id, post_id, lambda _: ids)

    def give(self, caller: Caller, post_id: str, label_ids: Iterable[str]) -> tuple[Label, ...]:
        """Give a post exactly these labels. Raises PostNotFound, LabelNotFound."""
        wanted = set(label_ids)
        labels = self._find_labels(caller, post_id, wanted)
        self.rows.change_of_post(caller.workspace_id, post_id, lambda _: wanted)
        return labels.select(wanted)

    def give_one_more(self, caller: Caller, post_id: str, label_id: str) -> None:
        """Give a post this label beside its own. Raises as `give`, and InvalidInput if too many."""
        labels = self._find_labels(caller, post_id, {label_id})
        self.rows.change_of_post(
            caller.workspace_id,
            post_id,
            lambda own: few_enough({label_id, *(label.id for label in labels.select(own))}),
        )

    def _find_labels(self, caller: Caller, post_id: str, wanted: Collection[str]) -> Labels:
        """Return the workspace's labels. Raises PostNotFound, LabelNotFound."""
        _, labels = in_parallel(
            lambda: self.posts.get(caller.workspace_id, post_id),
            lambda: self.rows.all(caller.workspace_id),
        )
        for label_id in sorted(wanted):
            labels.find(label_id)
        return labels
