"""The workspace's picture, set and removed in its settings."""

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.media_headers.ranged_file import Read
from chalicelib.web.messages import is_too_large, read_file
from chalicelib.web.pages.settings import show_workspace
from chalicelib.web.routing import Visit, page

_PAGE = "/app/settings/picture"
_BACK = "/app/settings?page=workspace"


@page("POST", _PAGE, scope=Scope.ACCOUNTS, reads_file=True, again=show_workspace)
def set_picture(visit: Visit) -> Response:
    """Save a small copy of the chosen photo. Raises InvalidInput above 1 MB."""
    if is_too_large(visit.request):
        message = "A picture can have at most 1 MB. Choose a smaller one."
        raise InvalidInput(message, loc=("body", "file"))
    _, data = read_file(visit.request)
    return _keep(visit, lambda offset, length: data[offset : offset + length], len(data))


@page("POST", f"{_PAGE}/library", scope=Scope.ACCOUNTS, again=show_workspace)
def choose_picture(visit: Visit) -> Response:
    """Save a small copy of a photo in the library."""
    photo = visit.services.media.library.find_photo(visit.caller, visit.form["media"])
    return _keep(visit, photo.read, photo.size_bytes)


@page("POST", f"{_PAGE}/remove", scope=Scope.ACCOUNTS, again=show_workspace)
def remove_picture(visit: Visit) -> Response:
    """Remove the picture; pages show the first letter of the name again."""
    visit.services.people.pictures.remove(visit.caller)
    return visit.lead_to(_BACK, "The picture was removed.")


def _keep(visit: Visit, read: Read, size_bytes: int) -> Response:
    visit.services.people.pictures.put(visit.caller, read, size_bytes)
    return visit.lead_to(_BACK, "The picture was set. Review links show it from now on.")
