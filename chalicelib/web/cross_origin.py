"""What programs in a browser may read from any origin: OAuth's endpoints that need no cookie.

An assistant that runs in a web page registers, reads where everything is and fetches its tokens
there (RFC 8414, 7591, OAuth 2.1 "Browser-based apps"). The page that asks a person is none of them.
"""

from typing import Final

from chalicelib.http.routing import OAUTH_METADATA

FOR_PROGRAMS: Final = frozenset(
    {OAUTH_METADATA, *(f"/app/oauth/{name}" for name in ("register", "token", "revoke"))}
)
FROM_ANYWHERE: Final = {"Access-Control-Allow-Origin": "*"}
ASKED_FIRST: Final = {
    **FROM_ANYWHERE,
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "7200",
}
