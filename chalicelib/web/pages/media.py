"""Files as pages show them; uploads come in through the doors (`Site.uploaded`)."""

from chalicelib.web.messages import Answer
from chalicelib.web.routing import page
from chalicelib.web.visit import Visit

_FOUND = 302


@page("GET", "/app/media/{media_id}")
def file(visit: Visit) -> Answer:
    """Lead to the file itself, which lies outside of this origin."""
    url = visit.services.api.media_library.file_url(visit.caller, visit.path["media_id"])
    return Answer(status=_FOUND, headers={"Location": url})
