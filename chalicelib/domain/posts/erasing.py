"""What is left of a post for the books: ids, times, status and charges, and nobody's words."""

from dataclasses import replace

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target


def without_words(post: Post) -> Post:
    """Return a post of which nothing is in motion without what somebody wrote, or is called."""
    file = post.attachment
    return replace(
        post,
        caption="",
        attachment=None if file is None else replace(file, filename=""),
        targets=tuple(_without_words(target) for target in post.targets),
    )


def _without_words(target: Target) -> Target:
    """Return a target without words; its address on the platform names the account, so it goes."""
    sent = target.progress.sent
    return replace(
        target,
        handle="",
        caption_override=None,
        options={},
        url=None,
        error_message=None,
        progress=replace(
            target.progress,
            checkpoint=None,
            sent=None if sent is None else replace(sent, text=""),
        ),
    )
