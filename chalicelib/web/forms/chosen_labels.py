"""A post's labels as the composer and a post's page show them, and those that a form chooses."""

from chalicelib.domain.posts.labels import few_enough
from chalicelib.domain.posts.post import Post
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.routing import Visit

SHOWN = "labels_shown"
"""The field that says that the form had every label, so that an unticked one is removed."""


def read_chosen(visit: Visit) -> frozenset[str] | None:
    """Return the labels that a form chooses, None if it offered none.

    Raises InvalidInput for more than a post can have.
    """
    return few_enough(visit.form.all("label")) if SHOWN in visit.form else None


def give_chosen(visit: Visit, post_id: str, chosen: frozenset[str] | None) -> None:
    """Give a newly kept post the labels of its form, except those deleted meanwhile."""
    if chosen is not None:
        visit.services.posting.labels.give_known(visit.caller, post_id, chosen)


def label_values(visit: Visit, post: Post | None) -> dict[str, object]:
    """Return the workspace's labels, and which of them a post has or a form chose."""
    service = visit.services.posting.labels
    labels, given = in_parallel(
        lambda: service.list(visit.caller),
        lambda: {} if post is None else service.rows.of_posts([post.id]),
    )
    kept = frozenset(given.get(post.id, ())) if post is not None else frozenset()
    is_typed = SHOWN in visit.form
    return {
        "labels": labels,
        "labels_chosen": frozenset(visit.form.all("label")) if is_typed else kept,
    }
