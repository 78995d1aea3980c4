"""The buttons of a post: each calls the API's verb of the same name and shows the post again.

What is refused is said on the post's own page, with what was typed.
"""

from functools import partial

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.workspace.access import Scope
from chalicelib.web.forms.post_forms import read_time
from chalicelib.web.messages import Answer, redirect
from chalicelib.web.pages.post import show_refused
from chalicelib.web.routing import Visit, page


@page("POST", "/app/posts/{post_id}/schedule", scope=Scope.PUBLISH, pays=True)
def schedule(visit: Visit) -> Answer:
    """Schedule for the typed time."""
    visit.show_again = partial(show_refused, visit)
    at = read_time(visit.form["at"], visit.zone)
    if at is None:
        raise InvalidInput("Type a time first.", loc=("body", "at"))
    visit.services.api.scheduling.schedule(visit.writer, visit.path["post_id"], at=at)
    return _shown(visit)


@page("POST", "/app/posts/{post_id}/golden-hour", scope=Scope.PUBLISH, pays=True)
def golden_hour(visit: Visit) -> Answer:
    """Schedule each target for its own time, else its golden hour."""
    visit.show_again = partial(show_refused, visit)
    visit.services.api.scheduling.schedule(visit.writer, visit.path["post_id"])
    return _shown(visit)


@page("POST", "/app/posts/{post_id}/queue", scope=Scope.PUBLISH, pays=True)
def queue(visit: Visit) -> Answer:
    """Schedule for the next free queue time."""
    visit.show_again = partial(show_refused, visit)
    visit.services.api.scheduling.queue(visit.writer, visit.path["post_id"])
    return _shown(visit)


@page("POST", "/app/posts/{post_id}/publish-now", scope=Scope.PUBLISH, pays=True)
def publish_now(visit: Visit) -> Answer:
    """Send what can be sent."""
    visit.show_again = partial(show_refused, visit)
    visit.services.api.scheduling.publish_now(visit.writer, visit.path["post_id"])
    return _shown(visit)


@page("POST", "/app/posts/{post_id}/cancel", scope=Scope.PUBLISH)
def cancel(visit: Visit) -> Answer:
    """Stop what has not gone out."""
    visit.show_again = partial(show_refused, visit)
    visit.services.api.scheduling.cancel(visit.caller, visit.path["post_id"])
    return _shown(visit)


@page("POST", "/app/posts/{post_id}/retry", scope=Scope.PUBLISH, pays=True)
def retry(visit: Visit) -> Answer:
    """Send what failed again."""
    visit.show_again = partial(show_refused, visit)
    visit.services.api.scheduling.retry(visit.caller, visit.path["post_id"])
    return _shown(visit)


@page("POST", "/app/posts/{post_id}/duplicate", scope=Scope.WRITE, pays=True)
def duplicate(visit: Visit) -> Answer:
    """Make a draft of it and show that."""
    copy = visit.services.api.drafts.duplicate(visit.caller, visit.path["post_id"])
    return redirect(f"/app/posts/{copy.id}")


@page("POST", "/app/posts/{post_id}/delete", scope=Scope.WRITE)
def delete(visit: Visit) -> Answer:
    """Delete it from the service; what is live stays on its platforms."""
    visit.services.api.drafts.delete(visit.caller, visit.path["post_id"])
    return redirect("/app/posts")


@page("POST", "/app/posts/{post_id}/targets/{target_id}/unpublish", scope=Scope.DELETE_PUBLISHED)
def unpublish(visit: Visit) -> Answer:
    """Delete one live post on its platform."""
    visit.show_again = partial(show_refused, visit)
    post_id, target_id = visit.path["post_id"], visit.path["target_id"]
    visit.services.api.live_posts.unpublish(visit.caller, post_id, target_id)
    return _shown(visit)


def _shown(visit: Visit) -> Answer:
    return redirect(f"/app/posts/{visit.path['post_id']}")
