"""An account on Bluesky as everybody sees it: app.bsky.actor.getProfile, without a sign-in.

The picture that it names is as large as it was uploaded; the small one stands beside it.
"""

from chalicelib.connectors.bluesky.account import method
from chalicelib.connectors.connector import ConnectedAccount, SeenProfile
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp

_BROKEN = "handle.invalid"
"""What Bluesky shows instead of a name that leads to nobody for the moment."""
_WHOLE, _SMALL = "/img/avatar/", "/img/avatar_thumbnail/"


def profile_of(http: PlatformHttp, host: str, account: ConnectedAccount) -> SeenProfile:
    """Return names, followers and picture."""
    place = method(host, "app.bsky.actor.getProfile")
    params = {"actor": account.remote_id or account.handle}
    seen = http.send(Call(method="GET", url=place, params=params))
    picture = seen.find("avatar")
    small = picture.replace(_WHOLE, _SMALL, 1) if isinstance(picture, str) else None
    handle = seen.find("handle")
    return SeenProfile.of(
        seen.find("followersCount"),
        small,
        None if handle == _BROKEN else handle,
        seen.find("displayName"),
    )
