"""An account's picture, from our own storage: the app's pages load nothing from platforms."""

from http import HTTPStatus

from chalicelib.domain.errors import AccountNotFound
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page


@page("GET", "/app/accounts/{account_id}/picture")
def show_picture(visit: Visit) -> Response:
    """Answer with the picture of an account of this workspace. Raises AccountNotFound."""
    account = visit.require_account(visit.path["account_id"])
    profile = visit.services.stores.profiles.get(visit.caller.workspace_id, account.id)
    kind = None if profile is None else profile.picture_kind
    if profile is None or profile.picture is None or kind is None:
        raise AccountNotFound
    headers = {
        "Content-Type": kind,
        "Cache-Control": "private, max-age=3600",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(status=HTTPStatus.OK, headers=headers, body=profile.picture)
